import LatchkeyForms

/// A message to the owner of an account, in the language of the process that sends it.
struct AccountMessage {
    let subject: String
    let body: String

    /// Carries a recovery code, alone on its line.
    ///
    /// It contains nothing of the account, so that the decoy for an unknown address has the same length.
    static func code(_ code: RecoveryCode, _ settings: AccountSettings) -> AccountMessage {
        carrying(code, Words("mail.recovery", settings, lifetime: RecoveryCode.lifetime))
    }

    /// Carries a recovery code that an operator issued.
    static func operatorCode(_ code: RecoveryCode, _ settings: AccountSettings) -> AccountMessage {
        carrying(code, Words("mail.operator_code", settings, lifetime: RecoveryCode.operatorLifetime))
    }

    /// Welcomes the owner of a new account at its address.
    static func welcome(_ code: RecoveryCode, _ settings: AccountSettings) -> AccountMessage {
        carrying(code, Words("mail.sign_up", settings, lifetime: RecoveryCode.lifetime))
    }

    /// Asks the owner of a new address to confirm it.
    static func emailCode(_ code: RecoveryCode, _ settings: AccountSettings) -> AccountMessage {
        carrying(code, Words("mail.confirmation", settings, lifetime: RecoveryCode.lifetime))
    }

    // This function adds the line of the code, so that no translation can lose it.
    private static func carrying(_ code: RecoveryCode, _ words: Words) -> AccountMessage {
        AccountMessage(
            subject: words.subject, body: words.text + "\n\n" + code.text + "\n\n" + words.closing + "\n")
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
        /// How long the message's code is valid.
        private let lifetime: Duration?

        init(_ code: String, _ settings: AccountSettings, lifetime: Duration? = nil) {
            self.code = code
            self.settings = settings
            self.lifetime = lifetime
        }

        var subject: String { sentence("subject") }
        /// The text before the code, or the text of a notice.
        var text: String { sentence("text") }
        /// Stands after the code.
        var closing: String { sentence("closing") }
        var end: String { sentence("end") }

        private func sentence(_ part: String) -> String {
            var values: [String: RuleFailure.Value] = ["service": .text(settings.serviceName)]
            if let lifetime {
                values["lifetime"] = .text(settings.messages.duration(seconds: Int(lifetime.components.seconds)))
            }
            return settings.messages.sentence(code + "." + part, values)
        }
    }

    func addressed(
        to recipient: EmailAddress, id: String, at now: Timestamp, expiresAt expiry: Timestamp? = nil
    ) -> OutboxMessage {
        OutboxMessage(
            id: id, recipient: recipient, subject: subject, body: body, createdAt: now, expiresAt: expiry)
    }

    /// A message to no one that takes as many bytes to write as one to `address`.
    func decoy(
        standingFor address: String, id: String, at now: Timestamp, expiresAt expiry: Timestamp
    ) -> OutboxMessage {
        OutboxMessage(
            id: id, recipient: nil, subject: subject,
            body: body + String(repeating: " ", count: address.utf8.count), createdAt: now, expiresAt: expiry)
    }
}
