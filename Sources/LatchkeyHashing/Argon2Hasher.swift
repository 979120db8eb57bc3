import Glibc
public import LatchkeyAccounts
public import LatchkeySecrets
public import LatchkeySystem

/// Hashes passwords with Argon2id (RFC 9106) and verifies them against hashes of that and of other schemes, on threads of
/// its own.
public struct Argon2Hasher: PasswordHasher {
    private static let saltByteCount = 16
    private static let tagByteCount = 32

    /// For how long a password waits to be hashed before the answer is ``HashError/overloaded``.
    package static let patience = Duration.seconds(5)

    public let decoy: PasswordHash

    private let parameters: Argon2Parameters
    private let caps: StoredCostCaps
    private let random: RandomSource
    private let threads: WorkerThreads
    private let budget: SharedBudget?
    private let patience: Duration

    /// - Parameters:
    ///   - cost: of the hashes made here.
    ///   - caps: of the hashes verified here.
    ///   - random: where salts come from.
    ///   - slots: how many hashes are computed at once, at least 1; nil for as many as there are cores, and as
    ///     ``availableMemory`` holds at `cost`.
    ///   - budget: the KiB that all processes beside the same store share, of which each hash takes what it works in;
    ///     nil where this process has all of its memory to itself.
    ///   - waitingLimit: how many more may wait for that, at least 1.
    /// - Throws: ``HashError/costTooHigh`` where `cost` is over `caps`, so that nothing is written that could not be
    ///   verified; ``HashError/noRandomness``.
    public init(
        cost: Argon2Cost = .standard, caps: StoredCostCaps = .standard, random: RandomSource = .system,
        slots: Int? = nil, sharing budget: SharedBudget? = nil, waitingLimit: Int = 1024
    ) throws(HashError) {
        let slots = slots ?? Self.slots(for: cost.memory, memory: Self.availableMemory)
        try self.init(
            parameters: cost.parameters, caps: caps, random: random,
            threads: WorkerThreads(count: slots, waitingLimit: waitingLimit), sharing: budget)
    }

    /// Under any floor: what a test can afford many of.
    package init(
        parameters: Argon2Parameters, caps: StoredCostCaps = .standard, random: RandomSource = .system,
        threads: WorkerThreads, sharing budget: SharedBudget? = nil, patience: Duration = Self.patience
    ) throws(HashError) {
        guard caps.allow(parameters) else { throw .costTooHigh }
        self.parameters = parameters
        self.caps = caps
        self.random = random
        self.threads = threads
        self.budget = budget
        self.patience = patience
        decoy = try Self.written(
            parameters, salt: Self.bytes(Self.saltByteCount, from: random),
            tag: Self.bytes(Self.tagByteCount, from: random))
    }

    public func hash(_ password: Secret) async throws(HashError) -> PasswordHash {
        let salt = try Self.bytes(Self.saltByteCount, from: random)
        return try await onThread(memory: Int(parameters.memory)) { [parameters] () throws(HashError) in
            let tag = try Argon2.tag(
                byteCount: Self.tagByteCount, of: password, salt: salt, parameters: parameters)
            return try Self.written(
                parameters, salt: salt, tag: tag.withBytes { unsafe $0.withUnsafeBufferPointer { unsafe Array($0) } })
        }
    }

    public func verify(_ password: Secret, against stored: PasswordHash) async throws(HashError) -> Bool {
        // Before it waits for a thread: it would take the place of a hash that can be computed.
        let stored = try read(stored)
        return try await onThread(memory: stored.memory) { () throws(HashError) in try stored.matches(password) }
    }

    /// Whether passwords can be verified against `stored` here: its scheme is known, and its cost within the caps.
    public func canVerify(against stored: PasswordHash) -> Bool { (try? read(stored)) != nil }

    public func examine(_ stored: PasswordHash) throws(HashError) -> HashTraits {
        let stored = try read(stored)
        return HashTraits(
            scheme: stored.scheme, parameters: stored.traits, status: status(of: stored),
            milliseconds: stored.roundedMilliseconds, significantByteCount: stored.significantByteCount)
    }

    /// What a hash asks for, be it more than is allowed; nil where its scheme is not known here.
    package static func identify(
        _ stored: PasswordHash
    ) -> (scheme: String, parameters: [HashTraits.Parameter])? {
        StoredHashes.read(stored.phc).map { ($0.scheme, $0.traits) }
    }

    private func read(_ stored: PasswordHash) throws(HashError) -> any StoredHash {
        guard let stored = StoredHashes.read(stored.phc) else { throw .unsupported }
        guard stored.isAllowed(by: caps) else { throw .costTooHigh }
        return stored
    }

    private func status(of stored: any StoredHash) -> HashStatus {
        guard let phc = stored as? PHCString, phc.variant == .id else { return .otherScheme }
        if phc.parameters == parameters { return .current }
        let isStronger = phc.parameters.work > parameters.work || phc.parameters.memory > parameters.memory
        return isStronger ? .stronger : .otherParameters
    }

    /// Computes `work` as soon as there is a thread for it and, among all processes, memory.
    ///
    /// The share is given back when `work` has returned. Whoever asked may have gone by then; the memory has not.
    private func onThread<Answer: Sendable>(
        memory: Int, _ work: @escaping @Sendable () throws(HashError) -> Answer
    ) async throws(HashError) -> Answer {
        let deadline = ContinuousClock.now + patience
        let result: Result<Answer, HashError>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run { [budget] in
                Result { () throws(HashError) in
                    guard ContinuousClock.now < deadline else { throw .overloaded }
                    let share = try budget?.share(of: memory, until: deadline)
                    defer { share?.release() }
                    return try work()
                }
            }
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
        return PasswordHash(phc: phc.text, milliseconds: phc.roundedMilliseconds)
    }

    private static func bytes(_ count: Int, from random: RandomSource) throws(HashError) -> [UInt8] {
        do { return try random.bytes(count) } catch { throw .noRandomness }
    }
}

extension Argon2Hasher {
    /// KiB that hashes may take in all: a quarter of what this process may count on.
    public static var availableMemory: Int { AvailableMemory.current().byteCount / 4 / 1024 }

    /// How many hashes can be computed at once on this machine.
    public static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// How many hashes of so many KiB are computed at once.
    package static func slots(for kibibytes: UInt32, memory: Int, cores: Int = Self.cores) -> Int {
        max(1, min(cores, memory / Int(max(kibibytes, 1))))
    }
}

extension SharedBudget {
    /// - Throws: ``HashError/overloaded``, and ``HashError/store(_:)`` where the folder cannot be used.
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
