package import LatchkeyAccounts
package import LatchkeyForms

/// The second factors of an account, as its owner sees them.
package struct FactorSummary: Equatable, Sendable {
    /// When the authenticator app was set up; nil if there is none.
    package let addedAt: Timestamp?
    /// When a code of the app was last accepted.
    package let lastUsedAt: Timestamp?
    /// How many saved codes are left.
    package let savedCodes: Int

    /// What the service knows.
    package init(_ status: FactorStatus) {
        addedAt = status.authenticator?.createdAt
        lastUsedAt = status.authenticator?.lastUsedAt
        savedCodes = status.savedCodes
    }

    /// Its members in `--json` and in the HTTP API.
    package var members: [(key: String, value: JSONValue)] {
        let authenticator = addedAt.map { addedAt in
            JSONValue.object([
                ("added_at", .string(addedAt.rfc3339)),
                ("last_used_at", lastUsedAt.map { .string($0.rfc3339) } ?? .null),
            ])
        }
        return [("authenticator", authenticator ?? .null), ("saved_codes_left", .integer(savedCodes))]
    }

    /// Reads what ``members`` wrote; nil if a member is missing or not what it should be.
    package init?(json: JSONValue) {
        guard let authenticator = json["authenticator"], let count = json["saved_codes_left"]?.integer, count >= 0
        else {
            return nil
        }
        savedCodes = count
        guard authenticator != .null else {
            (addedAt, lastUsedAt) = (nil, nil)
            return
        }
        guard let added = authenticator["added_at"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let used = authenticator["last_used_at"]
        else { return nil }
        addedAt = added
        lastUsedAt = used.string.flatMap { Timestamp(rfc3339: $0) }
        if used != .null, lastUsedAt == nil { return nil }
    }
}
