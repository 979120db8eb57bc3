/// The messages that the service writes: the one place of their texts.
struct AccountMessage {
    let subject: String
    let body: String

    /// The one that carries a recovery code, alone on its line.
    ///
    /// It has nothing of the account in it, so that one for an address nobody has is as long.
    static func code(_ code: RecoveryCode, service: String) -> AccountMessage {
        AccountMessage(
            subject: "Your \(service) recovery code",
            body: """
                Somebody, perhaps you, asked to recover your \(service) account. The code is

                \(code.text)

                It works once, for ten minutes. If it was not you who asked, do nothing: without the code nothing changes.

                """)
    }

    static func passwordChanged(service: String) -> AccountMessage {
        notice(of: "changed", service: service)
    }

    static func passwordReset(service: String) -> AccountMessage {
        notice(of: "reset with a recovery code", service: service)
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
