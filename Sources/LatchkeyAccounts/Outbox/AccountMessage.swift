import LatchkeyForms

/// A message to the owner of an account, in the language of the process that causes it.
struct AccountMessage {
    let subject: String
    let body: String

    /// The one that carries a recovery code, alone on its line.
    ///
    /// It has nothing of the account in it, so that one for an address nobody has is as long.
    static func code(_ code: RecoveryCode, _ settings: AccountSettings) -> AccountMessage {
        carrying(code, Words("mail.recovery", settings))
    }

    /// The same, where whoever runs the service made the code.
    static func operatorCode(_ code: RecoveryCode, _ settings: AccountSettings) -> AccountMessage {
        carrying(code, Words("mail.operator_code", settings))
    }

    /// The one to the address of a new account.
    static func welcome(_ code: RecoveryCode, _ settings: AccountSettings) -> AccountMessage {
        carrying(code, Words("mail.sign_up", settings))
    }

    /// The one to the address that an account is to have.
    static func emailCode(_ code: RecoveryCode, _ settings: AccountSettings) -> AccountMessage {
        carrying(code, Words("mail.confirmation", settings))
    }

    // The code's line is made here and by no sentence, so that none can lose it.
    private static func carrying(_ code: RecoveryCode, _ words: Words) -> AccountMessage {
        AccountMessage(subject: words.subject, body: words.text + "\n\n" + code.text + "\n\n" + words.end + "\n")
    }

    static func emailChanged(_ settings: AccountSettings) -> AccountMessage {
        notice(Words("mail.email_changed", settings))
    }

    static func accountDeleted(_ settings: AccountSettings) -> AccountMessage {
        notice(Words("mail.account_deleted", settings))
    }

    static func passwordChanged(_ settings: AccountSettings) -> AccountMessage {
        notice(Words("mail.password_changed", settings))
    }

    static func passwordReset(_ settings: AccountSettings) -> AccountMessage {
        notice(Words("mail.password_reset", settings))
    }

    static func passwordSet(_ settings: AccountSettings) -> AccountMessage {
        notice(Words("mail.password_set", settings))
    }

    private static func notice(_ words: Words) -> AccountMessage {
        AccountMessage(subject: words.subject, body: words.text + "\n\n" + words.end + "\n")
    }

    static func test(_ settings: AccountSettings) -> AccountMessage {
        let words = Words("mail.test", settings)
        return AccountMessage(subject: words.subject, body: words.text + "\n")
    }

    /// The sentences of one message.
    private struct Words {
        private let code: String
        private let settings: AccountSettings

        init(_ code: String, _ settings: AccountSettings) {
            self.code = code
            self.settings = settings
        }

        var subject: String { sentence("subject") }
        /// What stands before the code, or says what has happened.
        var text: String { sentence("text") }
        var end: String { sentence("end") }

        private func sentence(_ part: String) -> String {
            settings.messages.sentence(code + "." + part, ["service": .text(settings.serviceName)])
        }
    }

    func addressed(
        to recipient: EmailAddress, id: String, at now: Timestamp, expiresAt expiry: Timestamp? = nil
    ) -> OutboxMessage {
        OutboxMessage(
            id: id, recipient: recipient, subject: subject, body: body, createdAt: now, expiresAt: expiry)
    }

    /// As many bytes to write as one to `address`, but for nobody.
    func decoy(
        standingFor address: String, id: String, at now: Timestamp, expiresAt expiry: Timestamp
    ) -> OutboxMessage {
        OutboxMessage(
            id: id, recipient: nil, subject: subject,
            body: body + String(repeating: " ", count: address.utf8.count), createdAt: now, expiresAt: expiry)
    }
}
