/// The messages that the service writes: the one place of their texts.
struct AccountMessage {
    let subject: String
    let body: String

    /// The one that carries a recovery code, alone on its line.
    ///
    /// It has nothing of the account in it, so that one for an address nobody has is as long.
    static func code(_ code: RecoveryCode, service: String) -> AccountMessage {
        carrying(
            code, for: "recovery", "Somebody, perhaps you, asked to recover your \(service) account.", "ten minutes",
            service)
    }

    /// The same, where whoever runs the service made the code.
    static func operatorCode(_ code: RecoveryCode, service: String) -> AccountMessage {
        carrying(
            code, for: "recovery", "Whoever runs \(service) made a code for you to set a new password with.", "a day",
            service)
    }

    /// The one to the address of a new account.
    static func welcome(_ code: RecoveryCode, service: String) -> AccountMessage {
        carrying(
            code, for: "sign-up", "Somebody, perhaps you, signed up to \(service) with this address.", "ten minutes",
            service)
    }

    /// The one to the address that an account is to have.
    static func emailCode(_ code: RecoveryCode, service: String) -> AccountMessage {
        carrying(
            code, for: "confirmation",
            "Somebody, perhaps you, wants to use this address for their \(service) account.", "ten minutes", service)
    }

    private static func carrying(
        _ code: RecoveryCode, for use: String, _ occasion: String, _ lifetime: String, _ service: String
    ) -> AccountMessage {
        AccountMessage(
            subject: "Your \(service) \(use) code",
            body: """
                \(occasion) The code is

                \(code.text)

                It works once, for \(lifetime). If it was not you who asked, do nothing: without the code nothing changes.

                """)
    }

    static func emailChanged(service: String) -> AccountMessage {
        AccountMessage(
            subject: "The address of your \(service) account was changed",
            body: """
                Your \(service) account has another e-mail address now. This message goes to the old one and to the new one.

                If it was not you, tell whoever runs \(service).

                """)
    }

    static func accountDeleted(service: String) -> AccountMessage {
        AccountMessage(
            subject: "Your \(service) account was deleted",
            body: """
                Your \(service) account and all that was kept of it was deleted, as its owner asked with the password.

                If it was not you, tell whoever runs \(service).

                """)
    }

    static func test(service: String) -> AccountMessage {
        AccountMessage(
            subject: "A test message from \(service)",
            body: """
                Messages from \(service) arrive here.

                """)
    }

    static func passwordChanged(service: String) -> AccountMessage {
        notice(of: "changed", service: service)
    }

    static func passwordReset(service: String) -> AccountMessage {
        notice(of: "reset with a recovery code", service: service)
    }

    static func passwordSet(service: String) -> AccountMessage {
        notice(of: "set by whoever runs \(service)", service: service)
    }

    private static func notice(of what: String, service: String) -> AccountMessage {
        AccountMessage(
            subject: "Your \(service) password was changed",
            body: """
                The password of your \(service) account was \(what), and all of its sessions were ended.

                If it was not you, recover the account now and tell whoever runs \(service).

                """)
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
