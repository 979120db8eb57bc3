package import LatchkeyAccounts
package import LatchkeyForms

extension GroupSummary {
    /// The `group` object of `--json` and of the API.
    package var json: JSONValue {
        .object([
            ("id", .string(group.id.text)), ("name", .string(group.name.text)),
            ("title", group.title.map { .string($0) } ?? .null), ("members", .integer(members)),
            ("created_at", .string(group.createdAt.rfc3339)),
        ])
    }
}
