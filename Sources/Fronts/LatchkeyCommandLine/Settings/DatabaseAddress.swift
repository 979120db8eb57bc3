/// The address of a PostgreSQL database: a libpq URL without a password.
struct DatabaseAddress: Equatable, Sendable {
    let text: String

    /// Nil if the text is the path of an SQLite store.
    init?(_ text: String) {
        guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else { return nil }
        self.text = text
    }

    /// Whether a setting is a database address with a password. Other users can see flags, and often variables and
    /// files.
    static func hasPassword(_ text: String) -> Bool {
        guard let address = DatabaseAddress(text) else { return false }
        let rest = address.text.drop { $0 != ":" }.dropFirst(3)
        let authority = rest.prefix { !"/?".contains($0) }
        if let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") { return true }
        let query = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
        return query.split(separator: "&").contains { parameter in
            let name = parameter.prefix { $0 != "=" }
            // libpq decodes a percent sign in a name, so the name might be any.
            return name.hasSuffix("password") || name.contains("%")
        }
    }
}

extension Settings {
    /// The database that contains the store; nil for an SQLite store.
    var database: DatabaseAddress? { values.text(.store).flatMap { DatabaseAddress($0) } }
}
