import LatchkeySystem

/// Rate limits per client, independent of the throttles of accounts. In memory: a restart resets them.
package final class RequestBudgets: Sendable {
    /// The kind of request that is counted.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// Requests that may change something.
        case change
        /// Requests for verdicts, which a page sends while the user types.
        case check
        /// Requests for a new account.
        case signUp
        /// Requests for a recovery code.
        case recovery
    }

    /// The bounds for one client.
    package struct Limits: Sendable {
        /// Requests that may change something, in a minute.
        package var changes = 60
        /// Requests for verdicts, in a minute.
        package var checks = 300
        /// Sign-ups in a day.
        package var signUps = 10
        /// Requests for a recovery code in an hour.
        package var recoveries = 20

        /// Creates the default bounds.
        package init() {}

        fileprivate func limit(_ kind: Kind) -> (count: Int, window: Duration) {
            switch kind {
            case .change: (changes, .seconds(60))
            case .check: (checks, .seconds(60))
            case .signUp: (signUps, .seconds(86400))
            case .recovery: (recoveries, .seconds(3600))
            }
        }
    }

    /// A client that spends slowly regains what it has spent at the same pace ("token bucket").
    private struct Bucket {
        /// The spent amount, between 0 and the limit.
        var spent: Double
        var at: ContinuousClock.Instant
    }

    private struct Key: Hashable {
        let kind: Kind
        let client: [UInt8]
    }

    private let limits: Limits
    private let buckets = Locked<[Key: Bucket]>([:])
    /// Limits the memory. Beyond it, the fullest buckets are kept.
    private let mostBuckets: Int

    package init(_ limits: Limits, mostBuckets: Int = 50_000) {
        self.limits = limits
        self.mostBuckets = mostBuckets
    }

    /// Spends one request.
    ///
    /// - Parameter client: the address or network; nil is never refused.
    /// - Returns: how long the client has to wait; nil if it may go on.
    package func spend(_ kind: Kind, of client: [UInt8]?, at now: ContinuousClock.Instant = .now) -> Duration? {
        guard let client else { return nil }
        let (count, window) = limits.limit(kind)
        let pause = window / max(count, 1)
        return buckets.withLock { buckets in
            let key = Key(kind: kind, client: client)
            var bucket = buckets[key] ?? Bucket(spent: 0, at: now)
            bucket.spent = max(0, bucket.spent - bucket.at.duration(to: now) / pause)
            bucket.at = now
            let excess = bucket.spent + 1 - Double(count)
            if excess <= 0 { bucket.spent += 1 }
            if buckets[key] == nil, buckets.count >= mostBuckets { Self.makeRoom(in: &buckets) }
            buckets[key] = bucket
            return excess > 0 ? pause * excess : nil
        }
    }

    /// Drops the half of the buckets that have spent least.
    private static func makeRoom(in buckets: inout [Key: Bucket]) {
        let middle = buckets.values.map(\.spent).sorted()[buckets.count / 2]
        var dropped = 0
        buckets = buckets.filter { entry in
            let stays = entry.value.spent > middle || entry.value.spent == middle && dropped * 2 >= buckets.count
            if !stays { dropped += 1 }
            return stays
        }
    }
}
