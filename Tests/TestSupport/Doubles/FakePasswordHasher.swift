public import LatchkeyAccounts
public import LatchkeySecrets
import LatchkeySystem

/// A cheap hasher that records its work. The salt of each hash is a number.
public final class FakePasswordHasher: PasswordHasher {
    /// Completed work. Refusing a stored hash costs no work.
    public enum Work: Equatable, Sendable {
        case hash
        case verify(decoy: Bool)
        /// What makes a failed verification as expensive as any other.
        case filler(milliseconds: Int)
    }

    private struct State: Sendable {
        var work: [Work] = []
        var parsed = 0
        var salt = 0
        var failure: HashError?
        var interruption: (@Sendable (Work) async -> Void)?
        var fallback: HashFallback?
    }

    private let state = Locked(State())

    public init() {}

    public let decoy = PasswordHash(phc: "fake$0$decoy", milliseconds: 100)

    /// A stored hash of an unknown scheme.
    public static let unsupported = PasswordHash(phc: "unheard-of$")
    /// A stored hash above the cost limits.
    public static let costly = PasswordHash(phc: "costly$")

    public var work: [Work] { state.withLock { $0.work } }

    /// The number of times that a stored hash was parsed.
    public var parsed: Int { state.withLock { $0.parsed } }

    public func forgetWork() {
        state.withLock { state in
            state.work = []
            state.parsed = 0
        }
    }

    /// Makes all work fail from now on; nil ends that.
    public func fail(_ failure: HashError?) { state.withLock { $0.failure = failure } }

    /// Runs `interruption` in the middle of each piece of work; nil ends that.
    public func interrupt(_ interruption: (@Sendable (Work) async -> Void)?) {
        state.withLock { $0.interruption = interruption }
    }

    /// Makes the next call of ``takeFallback()`` return `fallback`.
    public func fallBack(_ fallback: HashFallback) { state.withLock { $0.fallback = fallback } }

    public func takeFallback() -> HashFallback? {
        state.withLock { state in
            defer { state.fallback = nil }
            return state.fallback
        }
    }

    public func returnFallback(_ fallback: HashFallback) { fallBack(fallback) }

    public func hash(_ password: Secret) async throws(HashError) -> PasswordHash {
        try await begin(.hash)
        let salt = state.withLock { state -> Int in
            state.salt += 1
            return state.salt
        }
        return PasswordHash(phc: "fake$\(salt)$\(Self.digest(of: password))", milliseconds: 100)
    }

    public func parse(_ stored: PasswordHash) throws(HashError) -> ParsedHash {
        state.withLock { $0.parsed += 1 }
        let traits = try Self.traits(of: stored)
        return ParsedHash(traits: traits) { (spellings, work) throws(HashError) in
            var match: Int?
            for (index, spelling) in spellings.enumerated() {
                try await self.begin(.verify(decoy: stored.phc == self.decoy.phc))
                if match == nil, stored.phc.hasSuffix("$" + Self.digest(of: spelling)) { match = index }
            }
            guard match == nil else { return match }
            let filler = work - traits.milliseconds
            for _ in spellings where filler > 0 { try await self.begin(.filler(milliseconds: filler)) }
            return nil
        }
    }

    /// A hash of another program's scheme: `other$DIGEST`.
    public static func other(_ password: Secret, cuttingAt limit: Int? = nil) -> PasswordHash {
        PasswordHash(phc: "other$\(limit ?? 0)$\(digest(of: password))")
    }

    private static func traits(of stored: PasswordHash) throws(HashError) -> HashTraits {
        if stored.phc == costly.phc { throw .costTooHigh }
        let parts = stored.phc.split(separator: "$")
        switch parts.first {
        case "fake":
            return HashTraits(
                scheme: "fake", parameters: [.init("salt", 1)], status: .current, milliseconds: 100)
        case "cheap":
            return HashTraits(scheme: "cheap", parameters: [], status: .otherScheme, milliseconds: 1)
        case "stronger":
            return HashTraits(scheme: "fake", parameters: [], status: .stronger, milliseconds: 700)
        case "other":
            let limit = Int(parts[1]) ?? 0
            return HashTraits(
                scheme: "other", parameters: [], status: .otherScheme, milliseconds: 774,
                significantByteCount: limit == 0 ? nil : limit)
        default: throw .unsupported
        }
    }

    private func begin(_ work: Work) async throws(HashError) {
        let (failure, interruption) = state.withLock { ($0.failure, $0.interruption) }
        if let failure { throw failure }
        state.withLock { $0.work.append(work) }
        await interruption?(work)
    }

    private static func digest(of password: Secret) -> String {
        password.withBytes { SHA256Digest.of($0) }.map { String($0, radix: 16) }.joined(separator: ".")
    }
}
