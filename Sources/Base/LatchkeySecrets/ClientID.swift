/// The ID of an application, as the operator chose it: 1 to 128 unreserved characters (RFC 3986, section 2.3). It is
/// case-sensitive.
public struct ClientID: Hashable, Sendable {
    /// The maximum number of characters.
    public static let maximumCount = 128
    /// The rule as a regular expression, for schemas.
    public static let pattern = "^[A-Za-z0-9._~-]{1,\(maximumCount)}$"

    /// The ID as written.
    public let text: String

    /// Nil unless the text is a valid ID.
    public init?(_ text: String) {
        guard 1...Self.maximumCount ~= text.utf8.count, text.utf8.allSatisfy(\.isUnreserved) else { return nil }
        self.text = text
    }
}
