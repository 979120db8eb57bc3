package import LatchkeyAccounts
package import LatchkeyForms

/// The second factors of an account, as shown to its owner.
package struct FactorSummary: Equatable, Sendable {
    /// The time when the authenticator app was set up; nil if there is none.
    package let addedAt: Timestamp?
    /// The time when a code from the app was last accepted.
    package let lastUsedAt: Timestamp?
    /// The passkeys, in the order of creation.
    package let passkeys: [Passkey]
    /// The number of unused saved codes.
    package let savedCodes: Int

    /// One passkey.
    package struct Passkey: Equatable, Sendable {
        package let id: String
        package let name: String
        package let addedAt: Timestamp
        package let lastUsedAt: Timestamp?
    }

    /// Creates a summary from the status that the service returned.
    package init(_ status: FactorStatus) {
        addedAt = status.authenticator?.createdAt
        lastUsedAt = status.authenticator?.lastUsedAt
        passkeys = status.passkeys.map {
            Passkey(id: $0.id, name: $0.name, addedAt: $0.createdAt, lastUsedAt: $0.lastUsedAt)
        }
        savedCodes = status.savedCodes
    }

    /// The members of the summary in `--json` and in the HTTP API.
    package var members: [(key: String, value: JSONValue)] {
        let authenticator = addedAt.map { JSONValue.object(Self.times($0, lastUsedAt)) }
        let passkeys = passkeys.map { passkey in
            JSONValue.object(
                [("id", .string(passkey.id)), ("name", .string(passkey.name))]
                    + Self.times(passkey.addedAt, passkey.lastUsedAt))
        }
        return [
            ("authenticator", authenticator ?? .null), ("passkeys", .array(passkeys)),
            ("saved_codes_left", .integer(savedCodes)),
        ]
    }

    private static func times(_ addedAt: Timestamp, _ lastUsedAt: Timestamp?) -> [(key: String, value: JSONValue)] {
        [
            ("added_at", .string(addedAt.rfc3339)),
            ("last_used_at", lastUsedAt.map { .string($0.rfc3339) } ?? .null),
        ]
    }

    /// Parses a value from ``members``; nil if a member is missing or invalid.
    package init?(json: JSONValue) {
        guard let authenticator = json["authenticator"], let elements = json["passkeys"]?.elements,
            let count = json["saved_codes_left"]?.integer, count >= 0
        else { return nil }
        passkeys = elements.compactMap { element in
            guard let id = element["id"]?.string, let name = element["name"]?.string, let times = Self.times(element)
            else { return nil }
            return Passkey(id: id, name: name, addedAt: times.added, lastUsedAt: times.used)
        }
        guard passkeys.count == elements.count else { return nil }
        savedCodes = count
        guard authenticator != .null else {
            (addedAt, lastUsedAt) = (nil, nil)
            return
        }
        guard let times = Self.times(authenticator) else { return nil }
        (addedAt, lastUsedAt) = (times.added, times.used)
    }

    private static func times(_ json: JSONValue) -> (added: Timestamp, used: Timestamp?)? {
        guard let added = json["added_at"]?.string.flatMap({ Timestamp(rfc3339: $0) }), let used = json["last_used_at"]
        else { return nil }
        let time = used.string.flatMap { Timestamp(rfc3339: $0) }
        return used == .null || time != nil ? (added, time) : nil
    }
}
