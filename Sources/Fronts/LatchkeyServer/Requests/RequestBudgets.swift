import LatchkeyAccounts
import LatchkeySystem

/// Rate limits per client, independent of the throttles of accounts. They are in memory, so a restart resets them.
package final class RequestBudgets: Sendable {
    /// The kind of request that is counted.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// Requests that may change data.
        case change
        /// Requests that store nothing, which the script of a page sends by itself: while the user types, or for the
        /// suggestions of the login page.
        case check
        /// Requests for a new account.
        case signUp
        /// Requests for a recovery code.
        case recovery
        /// Requests for tokens, by an application instead of an address.
        case token
        /// Requests of applications that are stored until a person has logged in.
        case authorization
    }

    /// The rate limits for one client.
    package struct Limits: Sendable {
        /// The number of requests per minute that may change data.
        package var changes = 60
        /// The number of requests per minute that store nothing.
        package var checks = 300
        /// The number of sign-ups per day.
        package var signUps = 10
        /// The number of recovery requests per hour.
        package var recoveries = 20
        /// The number of requests for tokens per minute and application.
        package var tokens = 600
        /// The number of stored requests of applications per lifetime of such a request. So the store never has more than
        /// twice as many of one client, and refuses none.
        package var authorizations = WaitingAuthorization.perNetwork / 2

        /// Creates the default limits.
        package init() {}

        fileprivate func limit(_ kind: Kind) -> (count: Int, window: Duration) {
            switch kind {
            case .change: (changes, .seconds(60))
            case .check: (checks, .seconds(60))
            case .signUp: (signUps, .seconds(86400))
            case .recovery: (recoveries, .seconds(3600))
            case .token: (tokens, .seconds(60))
            case .authorization: (authorizations, WaitingAuthorization.lifetime)
            }
        }
    }

    /// A token bucket: the spent amount decreases at a constant rate.
    private struct Bucket {
        /// The amount spent, between 0 and the limit.
        var spent: Double
        var at: ContinuousClock.Instant
    }

    private struct Key: Hashable {
        let kind: Kind
        let client: [UInt8]
    }

    private let limits: Limits
    private let buckets = Locked<[Key: Bucket]>([:])
    /// The maximum number of buckets, which limits the memory. Above it, the buckets with the least spending are
    /// dropped.
    private let mostBuckets: Int

    package init(_ limits: Limits, mostBuckets: Int = 50_000) {
        self.limits = limits
        self.mostBuckets = mostBuckets
    }

    /// Spends one request of the client's budget.
    ///
    /// - Parameter client: the client's address or network; nil for a client that is never refused.
    /// - Returns: the time to wait before the next request; nil if this one is allowed.
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

    /// Drops the half of the buckets with the least spending.
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
