/// What may be told of an account to its owner.
public struct AccountSummary: Equatable, Sendable {
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
