import Glibc
public import LatchkeyAccounts
public import LatchkeySecrets
package import LatchkeySystem

/// Hashes and verifies passwords with Argon2id (RFC 9106), on threads of its own.
public struct Argon2Hasher: PasswordHasher {
    private static let saltByteCount = 16
    private static let tagByteCount = 32

    public let decoy: PasswordHash

    private let parameters: Argon2Parameters
    private let caps: StoredCostCaps
    private let random: RandomSource
    private let threads: WorkerThreads

    /// - Parameters:
    ///   - cost: of the hashes made here.
    ///   - caps: of the hashes verified here.
    ///   - random: where salts come from.
    ///   - slots: how many hashes are computed at once, at least 1; nil for as many as there are cores, and as a
    ///     quarter of the memory holds at `cost`.
    ///   - waitingLimit: how many more may wait for that, at least 1.
    /// - Throws: ``HashError/costTooHigh`` where `cost` is over `caps`, so that nothing is written that could not be
    ///   verified; ``HashError/noRandomness``.
    public init(
        cost: Argon2Cost = .standard, caps: StoredCostCaps = .standard, random: RandomSource = .system,
        slots: Int? = nil, waitingLimit: Int = 64
    ) throws(HashError) {
        let slots = slots ?? Self.slots(for: cost.parameters)
        try self.init(
            parameters: cost.parameters, caps: caps, random: random,
            threads: WorkerThreads(count: slots, waitingLimit: waitingLimit))
    }

    /// Under any floor: what a test can afford many of.
    package init(
        parameters: Argon2Parameters, caps: StoredCostCaps = .standard, random: RandomSource = .system,
        threads: WorkerThreads
    ) throws(HashError) {
        guard caps.allow(parameters) else { throw .costTooHigh }
        self.parameters = parameters
        self.caps = caps
        self.random = random
        self.threads = threads
        decoy = try Self.written(
            parameters, salt: Self.bytes(Self.saltByteCount, from: random),
            tag: Self.bytes(Self.tagByteCount, from: random))
    }

    public func hash(_ password: Secret) async throws(HashError) -> PasswordHash {
        let salt = try Self.bytes(Self.saltByteCount, from: random)
        return try await onThread { [parameters] () throws(HashError) in
            let tag = try Argon2id.tag(
                byteCount: Self.tagByteCount, of: password, salt: salt, parameters: parameters)
            return try Self.written(
                parameters, salt: salt, tag: tag.withBytes { unsafe $0.withUnsafeBufferPointer { unsafe Array($0) } })
        }
    }

    public func verify(_ password: Secret, against stored: PasswordHash) async throws(HashError) -> Bool {
        guard let stored = PHCString(stored.phc) else { throw .unsupported }
        // Before it waits for a thread, too: it would take the place of a hash that can be computed.
        guard caps.allow(stored.parameters) else { throw .costTooHigh }
        return try await onThread { () throws(HashError) in
            let tag = try Argon2id.tag(
                byteCount: stored.tag.count, of: password, salt: stored.salt, parameters: stored.parameters)
            return tag.withBytes { ConstantTime.areEqual($0, stored.tag.span) }
        }
    }

    /// Whether passwords can be verified against `stored` here: its scheme is known, and its cost within the caps.
    public func canVerify(against stored: PasswordHash) -> Bool {
        PHCString(stored.phc).map { caps.allow($0.parameters) } ?? false
    }

    private func onThread<Answer: Sendable>(
        _ work: @escaping @Sendable () throws(HashError) -> Answer
    ) async throws(HashError) -> Answer {
        let result: Result<Answer, HashError>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run { Result(catching: work) }
        } catch {
            switch error {
            // Who cancelled waits for no answer, so that any will do that blames neither password nor stored hash; and
            // a system that has no thread to give has too much to do.
            case .full, .cancelled, .noThread: throw .overloaded
            }
        }
        return try result.get()
    }

    private static func written(
        _ parameters: Argon2Parameters, salt: [UInt8], tag: [UInt8]
    ) throws(HashError) -> PasswordHash {
        guard let phc = PHCString(parameters: parameters, salt: salt, tag: tag) else { throw .unsupported }
        return PasswordHash(phc: phc.text)
    }

    private static func bytes(_ count: Int, from random: RandomSource) throws(HashError) -> [UInt8] {
        do { return try random.bytes(count) } catch { throw .noRandomness }
    }

    private static func slots(for parameters: Argon2Parameters) -> Int {
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 4
        return max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), memory / (Int(parameters.memory) << 10)))
    }
}
