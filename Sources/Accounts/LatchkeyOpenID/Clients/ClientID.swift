import LatchkeySecrets

/// The ID of a client, as the operator chose it: 1 to 128 unreserved characters (RFC 3986, section 2.3). It is
/// case-sensitive.
package struct ClientID: Hashable, Sendable {
    /// The maximum number of characters.
    package static let maximumCount = 128

    /// The ID as written.
    package let text: String

    /// Nil unless the text is a valid ID.
    package init?(_ text: String) {
        guard 1...Self.maximumCount ~= text.utf8.count, text.utf8.allSatisfy(\.isUnreserved) else { return nil }
        self.text = text
    }
}
