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

        /// The path of the page where the owner enters the code.
        var page: String { self == .confirmation ? "/account/profile" : "/reset-password" }

        /// The lifetime of the code.
        var lifetime: Duration { self == .operatorCode ? RecoveryCode.operatorLifetime : RecoveryCode.lifetime }
    }

    /// A message about a completed change.
    enum Notice: String {
        case emailChanged = "mail.email_changed"
        /// Another account wants to have the address.
        case addressTaken = "mail.address_taken"
        case factorAdded = "mail.factor_added"
        case factorRemoved = "mail.factor_removed"
        case passkeyAdded = "mail.passkey_added"
        case passkeyRemoved = "mail.passkey_removed"
        /// An operator removed the account's second factor.
        case factorsReset = "mail.factors_reset"
        /// An app password was added, with which a program logs in without the second factor.
        case appPasswordAdded = "mail.app_password_added"
        case accountDeleted = "mail.account_deleted"
        /// The owner set the first password of the account.
        case welcome = "mail.welcome"
        case passwordChanged = "mail.password_changed"
        /// The owner set a new password with a recovery code.
        case passwordReset = "mail.password_reset"
        /// An operator set a new password.
        case passwordSet = "mail.password_set"
    }

    /// Puts the link to the page that asks for the code first, as the pages call the message, and then the code on a
    /// separate line, so that no translation can omit it. Without pages, the code is alone.
    ///
    /// The link contains the code in its fragment. Browsers do not send fragments, so the code appears in no log of a
    /// server or proxy. The page to return to is not secret, and the service needs it to open the page without a script.
    /// The message contains no account data except `name`, so that the decoy for an unknown address has the same length.
    ///
    /// - Parameter name: the name or address that the caller typed. The page gives it to password managers.
    init(_ letter: Letter, carrying code: RecoveryCode, for name: String, _ settings: AccountSettings) {
        let lifetime = settings.messages.duration(seconds: Int(letter.lifetime.components.seconds))
        let sentence = Self.sentences(of: letter.rawValue, settings, ["lifetime": .text(lifetime)])
        subject = sentence("subject")
        let link = settings.origin.map {
            $0.text + letter.page
                + (settings.returnTo.map { "?return=" + PercentEncoding.encoded($0, allowing: "/:") } ?? "")
                + "#code=" + code.text + "&name=" + PercentEncoding.encoded(name, allowing: "@")
        }
        let messages = settings.messages.completed(by: .accounts)
        let middle =
            link.map { [messages.sentence("mail.link"), $0, messages.sentence("mail.code_instead"), code.text] }
            ?? [messages.sentence("mail.code"), code.text]
        let paragraphs = [sentence("text")] + middle + [sentence("closing")]
        body = paragraphs.joined(separator: "\n\n") + "\n"
    }

    init(_ notice: Notice, _ settings: AccountSettings) {
        let sentence = Self.sentences(of: notice.rawValue, settings)
        subject = sentence("subject")
        body = sentence("text") + "\n\n" + sentence("end") + "\n"
    }

    /// A message with an invitation, whose link is on a separate line.
    init(invitation link: String, validFor lifetime: Duration, _ settings: AccountSettings) {
        let lifetime = settings.messages.duration(seconds: Int(lifetime.components.seconds))
        let sentence = Self.sentences(of: "mail.invitation", settings, ["lifetime": .text(lifetime)])
        subject = sentence("subject")
        body = [sentence("text"), link, sentence("closing")].joined(separator: "\n\n") + "\n"
    }

    /// A test message for the mailer.
    init(test settings: AccountSettings) {
        let sentence = Self.sentences(of: "mail.test", settings)
        subject = sentence("subject")
        body = sentence("text") + "\n"
    }

    /// Looks up the sentences of one message by part, such as `subject`.
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

    /// A decoy without a recipient. Its stored size equals that of a message to `address`, which takes up two columns.
    func decoy(
        standingFor address: String, id: String, at now: Timestamp, expiresAt expiry: Timestamp
    ) -> OutboxMessage {
        OutboxMessage(
            id: id, recipient: nil, subject: subject,
            body: body + String(repeating: " ", count: 2 * address.utf8.count), createdAt: now, expiresAt: expiry)
    }
}
