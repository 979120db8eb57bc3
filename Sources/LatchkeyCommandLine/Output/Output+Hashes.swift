import LatchkeyAccounts
import LatchkeyForms

extension Output {
    /// The store's keys, a line each.
    func sealing(_ status: SealingStatus, _ messages: MessageTable) throws(ToolFailure) {
        guard !json else {
            let keys = status.keys.map { key in
                JSONValue.object([
                    ("key", .string(key.record.id.text)), ("created_at", .string(key.record.createdAt.rfc3339)),
                    ("current", .bool(key.isCurrent)), ("present", .bool(key.isPresent)),
                    ("references", .integer(key.references)),
                ])
            }
            return try success([("keys", .array(keys)), ("bare", .integer(status.bare))])
        }
        for key in status.keys {
            try result(
                "\(key.record.id.text)  \(key.record.createdAt.rfc3339)  \(key.isCurrent ? "current" : "old")"
                    + "  \(key.isPresent ? "present" : "missing")  \(key.references)")
        }
        try result(messages.sentence("tool.pepper_unsealed", ["count": .integer(status.bare)]))
    }

    /// A row of the hash report.
    func row(of entry: HashReport.Entry) throws(ToolFailure) {
        guard !json else {
            return try result(
                .object([
                    ("scheme", .string(entry.scheme)), ("parameters", .string(entry.parameters)),
                    ("key", entry.key.map { .string($0.text) } ?? .null),
                    ("state", .string(entry.state.rawValue)), ("count", .integer(entry.count)),
                ]))
        }
        let parameters = entry.parameters.isEmpty ? "-" : entry.parameters
        try result(
            "\(entry.count)  \(entry.scheme)  \(parameters)  \(entry.key?.text ?? "bare")  \(entry.state.rawValue)")
    }
}
