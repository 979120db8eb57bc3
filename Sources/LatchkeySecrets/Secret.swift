/// A secret that no longer changes and may be shared: what crosses an `await`, sits in an action or in credentials.
///
/// It prints as `<secret>`, however it is printed, and is compared in constant time.
public final class Secret: Sendable {
    private let bytes: SecretBytes

    public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// A secret of a copy of `bytes`.
    public convenience init(copying bytes: Span<UInt8>) { self.init(SecretBytes(copying: bytes)) }

    /// How many bytes it has.
    public var count: Int { bytes.count }

    public var isEmpty: Bool { bytes.isEmpty }

    /// Lends the bytes to `body`, which must not copy them anywhere that is not wiped.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(body)
    }

    /// Whether both hold the same bytes, in a time that depends on their length alone.
    public func isEqual(to other: Secret) -> Bool {
        withBytes { mine in other.withBytes { theirs in ConstantTime.areEqual(mine, theirs) } }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<secret>" }
    public var debugDescription: String { "<secret>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
