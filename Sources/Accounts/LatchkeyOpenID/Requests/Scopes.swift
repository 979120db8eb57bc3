import LatchkeyForms

/// A scope: a name for data or rights that a client requests (RFC 6749, section 3.3).
package struct Scope: Hashable, Sendable {
    /// The maximum number of characters.
    package static let maximumCount = 128

    /// The name.
    package let name: String

    /// Nil unless the name consists of visible ASCII characters except quotation marks and backslashes.
    package init?(_ name: String) {
        guard 1...Self.maximumCount ~= name.utf8.count,
            name.utf8.allSatisfy({ 0x21..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.name = name
    }

    private init(known name: String) { self.name = name }

    /// Makes the request one of OpenID Connect, so that the client gets an ID token.
    package static let openID = Scope(known: "openid")
    /// The names and other claims of the profile.
    package static let profile = Scope(known: "profile")
    /// The address, and whether it is verified.
    package static let email = Scope(known: "email")
    /// The groups of the account.
    package static let groups = Scope(known: "groups")
    /// Refresh tokens that outlive the session.
    package static let offlineAccess = Scope(known: "offline_access")

    /// The scopes that every client can get. Fields of forms can define more.
    package static let standard: [Scope] = [.openID, .profile, .email, .groups, .offlineAccess]
}

/// Scopes in the order in which they were requested, each once.
package struct Scopes: Equatable, Sendable {
    /// The maximum number of scopes.
    package static let maximumCount = 64

    /// The scopes, each once.
    package let all: [Scope]

    /// Creates a list without repetitions.
    package init(_ scopes: [Scope]) {
        var all: [Scope] = []
        for scope in scopes where !all.contains(scope) { all.append(scope) }
        self.all = all
    }

    /// Parses names separated by spaces; nil for an invalid name or for more than ``maximumCount`` names.
    package init?(_ parameter: String) {
        let names = parameter.split(separator: " ")
        guard names.count <= Self.maximumCount else { return nil }
        var scopes: [Scope] = []
        for name in names {
            guard let scope = Scope(String(name)) else { return nil }
            scopes.append(scope)
        }
        self.init(scopes)
    }

    /// The names, separated by spaces.
    package var text: String { all.map(\.name).joined(separator: " ") }

    /// Whether there are none.
    package var isEmpty: Bool { all.isEmpty }

    /// Whether the scope is one of these.
    package func contains(_ scope: Scope) -> Bool { all.contains(scope) }

    /// Whether all of these are in `others`.
    package func isSubset(of others: Scopes) -> Bool { all.allSatisfy(others.contains) }

    /// Those that are also in `others`, in this order.
    package func intersection(_ others: Scopes) -> Scopes { Scopes(all.filter(others.contains)) }
}
