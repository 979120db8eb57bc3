/// An immutable secret that can be shared and can cross an `await`.
///
/// It always prints as `<secret>`, and comparisons take constant time.
public final class Secret: Sendable {
    private let bytes: SecretBytes

    /// Takes over `bytes`.
    public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Copies `bytes`.
    public convenience init(copying bytes: Span<UInt8>) { self.init(SecretBytes(copying: bytes)) }

    /// The number of bytes.
    public var count: Int { bytes.count }

    /// Whether the secret has no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Lends the bytes to `body`, which must copy them only into memory that is wiped.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(body)
    }

    /// The secret as a `String`, to show or send it. A `String` is never wiped.
    package var shownText: String {
        withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    /// Whether both hold the same bytes. The duration depends only on their lengths.
    public func isEqual(to other: Secret) -> Bool {
        withBytes { mine in other.withBytes { theirs in ConstantTime.areEqual(mine, theirs) } }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `<secret>`
    public var description: String { "<secret>" }
    /// `<secret>`
    public var debugDescription: String { "<secret>" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
