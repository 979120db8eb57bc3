import LatchkeyText

/// The prepared username of an account or, if it has none, the folded e-mail address.
///
/// They never collide, because a username cannot contain `@`.
public struct LoginName: Hashable, Comparable, Sendable {
    /// Two login names are equal if these bytes are equal.
    public let text: String

    /// Prepares any text for comparison: as an address if it contains `@`, otherwise as a username.
    public init(mapping typed: String) {
        text =
            typed.utf8.contains(UInt8(ascii: "@"))
            ? Normalization.nfcInSmallASCII(typed.utf8Span) : UsernameCaseMapped.mapped(typed.utf8Span)
    }

    /// Restores a login name from its stored form.
    public init(stored text: String) { self.text = text }

    /// Whether this is the e-mail address of an account without a username.
    public var isAddress: Bool { text.utf8.contains(UInt8(ascii: "@")) }

    /// Compares the bytes.
    public static func == (left: LoginName, right: LoginName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Compares the bytes.
    public static func < (left: LoginName, right: LoginName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { text.combineBytes(into: &hasher) }
}
