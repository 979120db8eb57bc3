import LatchkeySecrets

/// The challenge of a passkey login without a known account: its time, a random number, and a MAC over both and the
/// network of the request.
///
/// It is stored only after a response, so that requests for challenges use no storage.
struct AnonymousChallenge {
    /// 32 bytes: 8 of the time, 8 random ones, 16 of the MAC.
    let bytes: [UInt8]
    private let issuedAt: Timestamp

    /// Issues a challenge.
    ///
    /// - Throws: ``AccountError/noRandomness``.
    init(
        at now: Timestamp, in network: [UInt8], _ key: StoreKey, from random: RandomSource
    ) throws(AccountError) {
        let number: [UInt8]
        do { number = try random.bytes(8) } catch { throw .noRandomness }
        let head = (0..<8).map { UInt8(truncatingIfNeeded: now.milliseconds >> (56 - 8 * $0)) } + number
        bytes = head + key.tag(ofChallenge: head, in: network)
        issuedAt = now
    }

    /// Nil unless a service with this key issued the challenge in this network.
    init?(_ bytes: [UInt8], in network: [UInt8], _ key: StoreKey) {
        guard bytes.count == PasskeyChallenge.byteCount else { return nil }
        let tag = key.tag(ofChallenge: Array(bytes.prefix(16)), in: network)
        guard ConstantTime.areEqual(tag.span, Array(bytes.suffix(16)).span) else { return nil }
        self.bytes = bytes
        issuedAt = Timestamp(milliseconds: bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) })
    }

    /// The time of expiry.
    var expiresAt: Timestamp { issuedAt.advanced(by: PasskeyChallenge.lifetime) }

    /// Whether it may be answered at `now`.
    ///
    /// - Parameter latest: `now`, or the newest time in the store if that is later.
    func isLive(at now: Timestamp, latest: Timestamp) -> Bool {
        latest < expiresAt && issuedAt <= now.advanced(by: SessionLimits.clockTolerance)
    }
}
