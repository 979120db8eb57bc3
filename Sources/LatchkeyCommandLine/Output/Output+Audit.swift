import LatchkeyAccounts
import LatchkeyForms

extension Output {
    /// One row of the audit trail.
    func row(of row: AuditRow) throws(ToolFailure) {
        guard !json else { return try result(row.json) }
        guard let record = row.record else { return try result("\(row.sequence)  unreadable") }
        var words = [
            String(record.sequence), record.time.rfc3339Milliseconds, record.name, record.account?.text ?? "-",
            record.actor.text,
        ]
        if !record.reason.isEmpty { words.append(record.reason) }
        try result(words.joined(separator: "  "))
    }

    /// The newest row, to be kept elsewhere.
    func head(_ row: AuditRow) throws(ToolFailure) {
        let hash = Hexadecimal.text(of: row.hash)
        let time = row.record?.time.rfc3339Milliseconds
        guard !json else {
            return try success([
                ("sequence", .integer(Int(row.sequence))), ("hash", .string(hash)),
                ("time", time.map { .string($0) } ?? .null),
            ])
        }
        try result("\(row.sequence) \(hash) \(time ?? "-")")
    }
}

extension AuditActor {
    fileprivate var text: String {
        switch self {
        case .owner: "owner"
        case .operatingSystemUser(let number): "uid:\(number)"
        }
    }
}

extension AuditRow {
    fileprivate var json: JSONValue {
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
