/// An immutable secret that can be shared and passed across an `await`.
///
/// It always prints as `<secret>`, and comparisons take constant time.
public final class Secret: Sendable {
    private let bytes: SecretBytes

    /// Takes ownership of `bytes`.
    public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Copies `bytes`.
    public convenience init(copying bytes: Span<UInt8>) { self.init(SecretBytes(copying: bytes)) }

    /// The number of bytes.
    public var count: Int { bytes.count }

    /// Whether the secret is empty.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Lends the bytes to `body`, which may only copy them into memory that is wiped.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(body)
    }

    /// The secret as a `String`, for display or sending. A `String` is never wiped.
    package var shownText: String {
        withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    /// Whether both secrets contain the same bytes. The duration depends only on their lengths.
    public func isEqual(to other: Secret) -> Bool {
        withBytes { mine in other.withBytes { theirs in ConstantTime.areEqual(mine, theirs) } }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fixed string `<secret>`.
    public var description: String { "<secret>" }
    /// The fixed string `<secret>`.
    public var debugDescription: String { "<secret>" }
    /// An empty mirror, so that `dump` does not print the bytes.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
