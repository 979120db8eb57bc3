/// What may be told of an account to its owner.
///
/// Two are of the same account where their ``id`` is the same, and equal where nothing else differs either.
public struct AccountSummary: Identifiable, Sendable {
    public let id: String
    public let username: String
    public let email: String
    public let attributes: [String: String]
    /// `active`, `disabled`, or `unverified` while its address is not proved.
    public let state: String
    /// RFC 3339, UTC.
    public let createdAt: String

    public init(
        id: String, username: String, email: String, attributes: [String: String], state: String, createdAt: String
    ) {
        self.id = id
        self.username = username
        self.email = email
        self.attributes = attributes
        self.state = state
        self.createdAt = createdAt
    }
}

extension AccountSummary: Equatable {
    // By bytes: two spellings of an accented letter are one `String`, but not the same content.
    public static func == (left: AccountSummary, right: AccountSummary) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    private var texts: [String] {
        let pairs = attributes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return [id, username, email, state, createdAt] + pairs.flatMap { [$0.key, $0.value] }
    }
}
