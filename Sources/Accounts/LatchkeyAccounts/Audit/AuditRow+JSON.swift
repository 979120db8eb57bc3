package import LatchkeyForms
import LatchkeySecrets

extension AuditRow {
    /// The row as `audit list --json` prints it and administrators download it.
    package var json: JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { $0.isEmpty ? .null : .string($0) } ?? .null }
        let number = ("sequence", JSONValue.integer(Int(sequence)))
        let hash = ("hash", JSONValue.string(Hexadecimal.text(of: hash)))
        guard let record else { return .object([number, ("unreadable", .bool(true)), hash]) }
        let context = record.context
        return .object([
            number, ("time", .string(record.time.rfc3339Milliseconds)), ("event", .string(record.name)),
            ("level", text(record.event?.level.rawValue)), ("account", text(record.account?.text)),
            ("actor", .string(record.actor.text)), ("actor_account", text(context?.actingAccount?.text)),
            ("uid", context.map { .integer(Int($0.processUser)) } ?? .null), ("source", text(context?.source)),
            ("request", .string(record.requestID)), ("reason", text(record.reason)),
            ("since_boot_ms", context.map { .integer(Int($0.sinceBoot)) } ?? .null), ("boot", text(context?.bootID)),
            ("version", text(context?.version)), hash,
        ])
    }
}
