import LatchkeyForms
import LatchkeySecrets

/// A message to the owner of an account, in the language of the process that sends it.
struct AccountMessage {
    let subject: String
    let body: String

    /// A message with a code.
    enum Letter: String {
        case recovery = "mail.recovery"
        /// Carries a recovery code that an operator issued.
        case operatorCode = "mail.operator_code"
        /// Welcomes the owner of a new account at its address.
        case signUp = "mail.sign_up"
        /// Informs an account's owner that a sign-up used the same address.
        case signUpAgain = "mail.sign_up_again"
        /// Asks the owner of a new address to confirm it.
        case confirmation = "mail.confirmation"

        /// The page that asks for the code.
        var page: String { self == .confirmation ? "/account/profile" : "/reset-password" }

        /// The lifetime of the code.
        var lifetime: Duration { self == .operatorCode ? RecoveryCode.operatorLifetime : RecoveryCode.lifetime }
    }

    /// A message about a completed change.
    enum Notice: String {
        case emailChanged = "mail.email_changed"
        case factorAdded = "mail.factor_added"
        case factorRemoved = "mail.factor_removed"
        case passkeyAdded = "mail.passkey_added"
        case passkeyRemoved = "mail.passkey_removed"
        /// An operator removed the account's second factor.
        case factorsReset = "mail.factors_reset"
        /// A program can log in without the second factor.
        case appPasswordAdded = "mail.app_password_added"
        case accountDeleted = "mail.account_deleted"
        case passwordChanged = "mail.password_changed"
        /// The owner set a new password with a recovery code.
        case passwordReset = "mail.password_reset"
        /// An operator set a new password.
        case passwordSet = "mail.password_set"
    }

    /// Puts the code on a separate line, so that no translation can lose it, and a link to the page that asks for it.
    ///
    /// The link has the code in its fragment, which browsers do not send: no log of a server or a proxy contains it. The
    /// message contains nothing of the account but `name`, so that the decoy for an unknown one has the same length.
    ///
    /// - Parameter name: the name or address that received the code. The page passes it to password managers.
    init(_ letter: Letter, carrying code: RecoveryCode, for name: String, _ settings: AccountSettings) {
        let lifetime = settings.messages.duration(seconds: Int(letter.lifetime.components.seconds))
        let sentence = Self.sentences(of: letter.rawValue, settings, ["lifetime": .text(lifetime)])
        subject = sentence("subject")
        let link = settings.origin.map {
            $0.text + letter.page + "#code=" + code.text + "&name=" + PercentEncoding.encoded(name, allowing: "@")
        }
        let words = settings.messages.completed(by: .accounts).sentence("mail.link")
        let paragraphs = [sentence("text"), code.text] + (link.map { [words, $0] } ?? []) + [sentence("closing")]
        body = paragraphs.joined(separator: "\n\n") + "\n"
    }

    init(_ notice: Notice, _ settings: AccountSettings) {
        let sentence = Self.sentences(of: notice.rawValue, settings)
        subject = sentence("subject")
        body = sentence("text") + "\n\n" + sentence("end") + "\n"
    }

    /// A test message for the mailer.
    init(test settings: AccountSettings) {
        let sentence = Self.sentences(of: "mail.test", settings)
        subject = sentence("subject")
        body = sentence("text") + "\n"
    }

    /// Looks up the sentences of one message by their part, such as `subject`.
    private static func sentences(
        of code: String, _ settings: AccountSettings, _ values: [String: RuleFailure.Value] = [:]
    ) -> (String) -> String {
        let values = values.merging(["service": .text(settings.serviceName)]) { $1 }
        let messages = settings.messages.completed(by: .accounts)
        return { part in messages.sentence(code + "." + part, values) }
    }

    func addressed(
        to recipient: EmailAddress, id: String, at now: Timestamp, expiresAt expiry: Timestamp? = nil
    ) -> OutboxMessage {
        OutboxMessage(
            id: id, recipient: recipient, subject: subject, body: body, createdAt: now, expiresAt: expiry)
    }

    /// A decoy: it has no recipient and the stored size of a message to `address`, which appears in two columns.
    func decoy(
        standingFor address: String, id: String, at now: Timestamp, expiresAt expiry: Timestamp
    ) -> OutboxMessage {
        OutboxMessage(
            id: id, recipient: nil, subject: subject,
            body: body + String(repeating: " ", count: 2 * address.utf8.count), createdAt: now, expiresAt: expiry)
    }
}
