public import LatchkeySecrets

/// A password hash as it is stored: bare, such as `$argon2id$v=19$m=65536,t=3,p=1$salt$tag`, or sealed. Prints as nothing.
public struct PasswordHash: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The longest, in bytes: a sealed one.
    package static let maximumByteCount = 1024

    /// ASCII, at most ``maximumByteCount`` bytes.
    package let phc: String

    /// What verifying against it costs, by ``HashTraits/milliseconds``; 0 where it is not known. It is kept beside the
    /// hash, for a sealed one does not tell.
    package let milliseconds: Int

    package init(phc: String, milliseconds: Int = 0) {
        self.phc = phc
        self.milliseconds = milliseconds
    }

    /// A hash that was made elsewhere: what it is, nobody has looked at yet.
    ///
    /// - Returns: nil where the bytes cannot be a hash: too many, or not all of them visible ASCII.
    public init?(imported text: Secret) {
        guard let hash = text.withBytes({ PasswordHash(imported: $0) }) else { return nil }
        self = hash
    }

    /// The same of bytes that are lent.
    package init?(imported bytes: Span<UInt8>) {
        guard bytes.count <= Self.maximumByteCount, bytes.indices.allSatisfy({ 0x21...0x7E ~= bytes[$0] }),
            let text = try? UTF8Span(validating: bytes)
        else { return nil }
        self.init(phc: String(copying: text))
    }

    /// What stands in the place of a hash where there is no password.
    package static let noPassword = PasswordHash(phc: "!")

    /// Whether it stands for there being no password, as in `shadow(5)`: empty, or beginning with `!` or `*`.
    var isNone: Bool { phc.isEmpty || phc.hasPrefix("!") || phc.hasPrefix("*") }

    func isEqual(to other: PasswordHash) -> Bool { phc.utf8.elementsEqual(other.phc.utf8) }

    public var description: String { "<password hash>" }
    public var debugDescription: String { "<password hash>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
