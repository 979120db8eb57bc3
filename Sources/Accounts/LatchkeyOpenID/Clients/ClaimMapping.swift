package import LatchkeyForms

/// Claims under the names that one application expects: its setting `claims`.
package struct ClaimMapping: Equatable, Sendable {
    /// The maximum number of claims.
    package static let maximumCount = 32
    /// The maximum length of a group's name or of a value in bytes.
    private static let maximumByteCount = 256

    /// The value of a claim.
    package enum Source: Equatable, Sendable {
        /// The value of another claim: `"username": "preferred_username"`.
        case claim(String)
        /// Whether the account is in a group: `"is_admin": { "group": "admins" }`.
        case group(String)
        /// The value for the first group of the list that the account is in:
        /// `"level": { "groups": { "admins": "admin", "staff": "user" } }`.
        case groups([GroupValue])
    }

    /// A group and the value for its members.
    package struct GroupValue: Equatable, Sendable {
        /// The name of the group.
        package let group: String
        /// The value of the claim.
        package let value: String
    }

    /// The reason why a mapping is refused.
    package enum Failure: Error, Equatable, Sendable {
        /// Not an object, or more than ``maximumCount`` claims.
        case malformed
        /// The claim is set by Latchkey, or its name is malformed.
        case name(String)
        /// The value of this claim is not one of the three forms.
        case value(String)
    }

    /// The claims in order, each name once.
    package let claims: [(name: String, source: Source)]

    /// No claims.
    package static let none = ClaimMapping([])

    private init(_ claims: [(name: String, source: Source)]) { self.claims = claims }

    /// Reads the setting.
    package init(_ json: JSONValue) throws(Failure) {
        guard case .object(let members) = json, members.count <= Self.maximumCount else { throw .malformed }
        var claims: [(name: String, source: Source)] = []
        for (name, value) in members {
            guard ClaimNames.isFree(name) else { throw .name(name) }
            guard let source = Self.source(value) else { throw .value(name) }
            claims.append((name, source))
        }
        self.init(claims)
    }

    /// The setting in JSON.
    package var json: JSONValue {
        .object(
            claims.map { name, source in
                switch source {
                case .claim(let other): (name, .string(other))
                case .group(let group): (name, .object([("group", .string(group))]))
                case .groups(let values):
                    (name, .object([("groups", .object(values.map { ($0.group, .string($0.value)) }))]))
                }
            })
    }

    /// The mapped claims of an account. A claim without a value is left out.
    ///
    /// - Parameters:
    ///   - groups: the names of the account's groups.
    ///   - claim: returns the value of a claim that the client may get; nil if the account has none. Return no address
    ///     that is not verified: the client would not know that.
    package func values(groups: Set<String>, claim: (String) -> JSONValue?) -> [(key: String, value: JSONValue)] {
        claims.compactMap { name, source in
            let value: JSONValue? =
                switch source {
                case .claim(let other): claim(other)
                case .group(let group): .bool(groups.contains(group))
                case .groups(let values):
                    values.first { groups.contains($0.group) }.map { .string($0.value) }
                }
            return value.map { (name, $0) }
        }
    }

    package static func == (left: ClaimMapping, right: ClaimMapping) -> Bool { left.json == right.json }

    private static func source(_ value: JSONValue) -> Source? {
        switch value {
        case .string(let name): return isText(name) ? .claim(name) : nil
        case .object(let members) where members.count == 1 && members[0].key == "group":
            return members[0].value.string.flatMap { isText($0) ? .group($0) : nil }
        case .object(let members) where members.count == 1 && members[0].key == "groups":
            guard case .object(let groups) = members[0].value, 1...maximumCount ~= groups.count else { return nil }
            var values: [GroupValue] = []
            for (group, value) in groups {
                guard isText(group), let value = value.string, isText(value) else { return nil }
                values.append(GroupValue(group: group, value: value))
            }
            return .groups(values)
        default: return nil
        }
    }

    private static func isText(_ text: String) -> Bool { 1...maximumByteCount ~= text.utf8.count }
}

/// The names of claims that an operator defines.
package enum ClaimNames {
    /// The maximum number of characters.
    package static let maximumCount = 64

    /// Whether an operator may define a claim with this name: visible ASCII characters except quotation marks and
    /// backslashes, and not the name of a claim that Latchkey sets.
    package static func isFree(_ name: String) -> Bool {
        1...maximumCount ~= name.utf8.count && Scope(name) != nil && !FieldClaim.reserved.contains(name)
    }
}
