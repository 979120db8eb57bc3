public import LatchkeySecrets

/// A stored password hash, either bare, such as `$argon2id$v=19$m=65536,t=3,p=1$salt$tag`, or sealed.
///
/// Its descriptions never reveal the hash.
public struct PasswordHash: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The maximum length of a hash in bytes, reached by a sealed one.
    package static let maximumByteCount = 1024

    /// ASCII, at most ``maximumByteCount`` bytes.
    package let phc: String

    /// The estimated cost of one verification (``HashTraits/milliseconds``); 0 if unknown.
    ///
    /// The database stores it next to the hash, because a sealed hash does not reveal its cost.
    package let milliseconds: Int

    /// Wraps an encoded hash.
    package init(phc: String, milliseconds: Int = 0) {
        self.phc = phc
        self.milliseconds = milliseconds
    }

    /// Reads an imported hash without checking its scheme.
    ///
    /// - Returns: nil if the bytes cannot be a hash, because there are too many or some are not visible ASCII.
    public init?(imported text: Secret) {
        guard let hash = text.withBytes({ PasswordHash(imported: $0) }) else { return nil }
        self = hash
    }

    /// Reads an imported hash from borrowed bytes.
    package init?(imported bytes: Span<UInt8>) {
        guard bytes.count <= Self.maximumByteCount else { return nil }
        // The loop has no early exit, so that the compiler can vectorize it.
        var invisible: UInt8 = 0
        for index in bytes.indices { invisible |= bytes[index] &- 0x21 > 0x5D ? 1 : 0 }
        guard invisible == 0 else { return nil }
        // Proof: the loop has verified that all bytes are ASCII, which is valid UTF-8.
        self.init(phc: String(copying: unsafe UTF8Span(unchecked: bytes)))
    }

    /// The string for "no password".
    package static let noPassword = PasswordHash(phc: "!")

    /// Whether the string means "no password", as in `shadow(5)`: empty, or beginning with `!` or `*`.
    var isNone: Bool {
        switch phc.utf8.first {
        case nil, UInt8(ascii: "!"), UInt8(ascii: "*"): true
        default: false
        }
    }

    package func isEqual(to other: PasswordHash) -> Bool { phc.utf8.elementsEqual(other.phc.utf8) }

    public var description: String { "<password hash>" }
    public var debugDescription: String { "<password hash>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
