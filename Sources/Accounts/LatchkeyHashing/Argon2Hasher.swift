import Glibc
public import LatchkeyAccounts
public import LatchkeySecrets
public import LatchkeySystem

/// Hashes passwords with Argon2id (RFC 9106) on separate threads, and verifies Argon2 and imported hashes.
public struct Argon2Hasher: PasswordHasher {
    private static let saltByteCount = 16
    private static let tagByteCount = 32

    /// The maximum time a password waits before the call fails with ``HashError/overloaded``: 5 seconds.
    package static let patience = Duration.seconds(5)

    /// A hash with the current parameters that matches no password.
    public let decoy: PasswordHash

    /// The engine that computes Argon2id. It is tested at its first use.
    public var engine: Argon2Engine { argon2.engine }

    /// The engine that failed its self-test and was replaced by libargon2; nil if none failed.
    public var failedEngine: Argon2Engine? { argon2.hasFailed ? argon2.chosen : nil }

    /// The number of hashes that can run in parallel.
    package var slots: Int { threads.count }

    private let parameters: Argon2Parameters
    private let argon2: Argon2
    private let caps: StoredCostCaps
    private let random: RandomSource
    private let threads: WorkerThreads
    private let budget: SharedBudget?
    private let patience: Duration
    private let fallback: Locked<HashFallback?>
    private let equalWork = EqualWork()

    /// - Parameters:
    ///   - cost: the cost of new hashes.
    ///   - caps: the maximum cost of stored hashes.
    ///   - engine: the implementation of Argon2id; it must be available on this processor.
    ///   - random: the source of salts.
    ///   - slots: the number of parallel hashes, at least 1; nil for one per core, as far as ``availableMemory``
    ///     allows.
    ///   - budget: the KiB that all processes of one store share; nil if this process does not share its memory.
    ///   - waitingLimit: the maximum number of further passwords that wait, at least 1.
    /// - Throws: `HashError.costTooHigh` if `cost` exceeds `caps`, because such a hash could not be verified;
    ///   `HashError.noRandomness`.
    public init(
        cost: Argon2Cost = .standard, caps: StoredCostCaps = .standard, engine: Argon2Engine = .fastest,
        random: RandomSource = .system, slots: Int? = nil, sharing budget: SharedBudget? = nil, waitingLimit: Int = 1024
    ) throws(HashError) {
        let slots = slots ?? Self.slots(for: cost.memory, memory: Self.availableMemory)
        try self.init(
            parameters: cost.parameters, caps: caps, argon2: Argon2(engine: engine), random: random,
            threads: WorkerThreads(count: slots, waitingLimit: waitingLimit), sharing: budget)
    }

    /// Allows weak parameters, so that tests can compute many hashes quickly.
    package init(
        parameters: Argon2Parameters, caps: StoredCostCaps = .standard, argon2: Argon2 = Argon2(),
        random: RandomSource = .system, threads: WorkerThreads, sharing budget: SharedBudget? = nil,
        patience: Duration = Self.patience
    ) throws(HashError) {
        guard caps.allow(parameters) else { throw .costTooHigh }
        self.parameters = parameters
        self.argon2 = argon2
        self.caps = caps
        self.random = random
        self.threads = threads
        self.budget = budget
        self.patience = patience
        fallback = Locked(HashFallback(engine: argon2.chosen.rawValue))
        decoy = try Self.encoded(
            parameters, salt: Self.bytes(Self.saltByteCount, from: random),
            tag: Self.bytes(Self.tagByteCount, from: random))
    }

    /// Hashes a prepared password with a random salt.
    public func hash(_ password: Secret) async throws(HashError) -> PasswordHash {
        let salt = try Self.bytes(Self.saltByteCount, from: random)
        return try await onThread(memory: Int(parameters.memory)) { [parameters, argon2] () throws(HashError) in
            let tag = try argon2.tag(
                byteCount: Self.tagByteCount, of: password, salt: salt, parameters: parameters)
            return try Self.encoded(
                parameters, salt: salt, tag: tag.withBytes { unsafe $0.withUnsafeBufferPointer { unsafe Array($0) } })
        }
    }

    /// Parses a stored hash. Its scheme must be known and its cost within the limits.
    public func parse(_ stored: PasswordHash) throws(HashError) -> ParsedHash {
        guard let stored = StoredHashes.read(stored.phc) else { throw .unsupported }
        guard stored.isAllowed(by: caps) else { throw .costTooHigh }
        let traits = HashTraits(
            scheme: stored.scheme, parameters: stored.traits, status: status(of: stored),
            milliseconds: stored.roundedMilliseconds, significantByteCount: stored.significantByteCount)
        return ParsedHash(traits: traits) { (spellings, work) throws(HashError) in
            // The memory of a new hash, even if the stored one needs less, so that a failure waits as long for a share.
            let memory = max(stored.memory, Int(parameters.memory))
            return try await onThread(memory: memory) { [parameters, argon2, equalWork] () throws(HashError) in
                try equalWork.verify(
                    estimate: traits.milliseconds * spellings.count, costing: work * spellings.count
                ) { () throws(HashError) in
                    var match: Int?
                    for (index, spelling) in spellings.enumerated() where try stored.matches(spelling, using: argon2) {
                        match = match ?? index
                    }
                    return match
                } spend: { (milliseconds) throws(HashError) in
                    guard let spelling = spellings.first else { return }
                    try Self.spend(milliseconds, on: spelling, parameters, argon2)
                }
            }
        }
    }

    /// Hashes a password with the parameters of new hashes until it has taken the estimated milliseconds. The last hash
    /// uses less memory.
    private static func spend(
        _ milliseconds: Double, on password: Secret, _ parameters: Argon2Parameters, _ argon2: Argon2
    ) throws(HashError) {
        let salt = [UInt8](repeating: 0, count: saltByteCount)
        var left = milliseconds
        while left > 0 {
            let share = min(left / max(parameters.milliseconds, 1), 1)
            let memory = max(UInt32(Double(parameters.memory) * share), 8 * parameters.parallelism)
            guard
                let part = Argon2Parameters(
                    memory: memory, iterations: parameters.iterations, parallelism: parameters.parallelism)
            else { return }
            _ = try argon2.tag(byteCount: tagByteCount, of: password, salt: salt, parameters: part)
            left -= max(parameters.milliseconds, 1)
        }
    }

    /// The estimated time of a verification.
    public func milliseconds(of stored: PasswordHash) throws(HashError) -> Int {
        // Most hashes use this scheme.
        if let parameters = PHCString.parameters(of: stored.phc) {
            guard caps.allow(parameters) else { throw .costTooHigh }
            return Int(parameters.milliseconds.rounded(.up))
        }
        guard let hash = StoredHashes.read(stored.phc) else { throw .unsupported }
        guard hash.isAllowed(by: caps) else { throw .costTooHigh }
        return hash.roundedMilliseconds
    }

    /// The scheme and parameters of a stored hash, even if they exceed the limits; nil if the scheme is unknown.
    package static func identify(
        _ stored: PasswordHash
    ) -> (scheme: String, parameters: [HashTraits.Parameter])? {
        StoredHashes.read(stored.phc).map { ($0.scheme, $0.traits) }
    }

    private func status(of stored: any StoredHash) -> HashStatus {
        guard let phc = stored as? PHCString, phc.variant == .id else { return .otherScheme }
        if phc.parameters == parameters { return .current }
        let isStronger = phc.parameters.work > parameters.work || phc.parameters.memory > parameters.memory
        return isStronger ? .stronger : .otherParameters
    }

    /// The latest fallback to libargon2 that was not recorded yet.
    public func takeFallback() -> HashFallback? {
        guard argon2.hasFailed else { return nil }
        return fallback.withLock { fallback in
            defer { fallback = nil }
            return fallback
        }
    }

    /// Makes ``takeFallback()`` return the fallback again.
    public func returnFallback(_ fallback: HashFallback) { self.fallback.withLock { $0 = fallback } }

    /// Runs `work` when a thread and a share of the memory are available.
    ///
    /// The share is returned when `work` ends, even if the caller has given up, because the memory is in use until
    /// then.
    private func onThread<Answer: Sendable>(
        memory: Int, _ work: @escaping @Sendable () throws(HashError) -> Answer
    ) async throws(HashError) -> Answer {
        let deadline = ContinuousClock.now + patience
        let result: Result<Answer, HashError>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run { [budget] in
                Result { () throws(HashError) in
                    guard ContinuousClock.now < deadline else { throw .overloaded }
                    let share = try budget?.share(of: HashArena.kibibytes(for: memory), until: deadline)
                    defer { share?.release() }
                    return try work()
                }
            }
        } catch {
            switch error {
            // After a cancellation, no caller waits for the result. Any error is correct as long as it does not blame
            // the password or the hash. A system without a free thread is overloaded.
            case .full, .cancelled, .noThread: throw .overloaded
            }
        }
        return try result.get()
    }

    private static func encoded(
        _ parameters: Argon2Parameters, salt: [UInt8], tag: [UInt8]
    ) throws(HashError) -> PasswordHash {
        guard let phc = PHCString(parameters: parameters, salt: salt, tag: tag) else { throw .unsupported }
        return PasswordHash(phc: phc.text, milliseconds: phc.roundedMilliseconds)
    }

    private static func bytes(_ count: Int, from random: RandomSource) throws(HashError) -> [UInt8] {
        do { return try random.bytes(count) } catch { throw .noRandomness }
    }
}

extension Argon2Hasher {
    /// The KiB available for hashes: a quarter of the memory that this process can use.
    public static var availableMemory: Int { AvailableMemory.current().byteCount / 4 / 1024 }

    /// The number of processor cores.
    public static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The number of hashes of this size that fit into the memory and do not exceed the number of cores.
    package static func slots(for kibibytes: UInt32, memory: Int, cores: Int = Self.cores) -> Int {
        max(1, min(cores, memory / Int(max(kibibytes, 1))))
    }
}

extension SharedBudget {
    /// - Throws: ``HashError/overloaded``; ``HashError/store(_:)`` if the folder is not usable.
    fileprivate func share(of kibibytes: Int, until deadline: ContinuousClock.Instant) throws(HashError) -> Share {
        do throws(FileError) {
            return try take(kibibytes, until: deadline)
        } catch .busy {
            throw .overloaded
        } catch .outOfMemory {
            throw .outOfMemory
        } catch {
            throw .store(StoreError(error, at: path, orElse: .denied(path: path)))
        }
    }
}
