import LatchkeyAccounts
import LatchkeyHashing
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct Argon2HasherTests {
    struct Frozen: Decodable {
        let phc: String
        let password: String
        let source: String
        let why: String
    }

    private static func hasher(threads: WorkerThreads = WorkerThreads(count: 2, waitingLimit: 64)) throws
        -> Argon2Hasher
    {
        // A limit that even a slow test machine does not reach.
        try Argon2Hasher(parameters: .least, threads: threads, patience: .seconds(3600))
    }

    @Test(arguments: try Fixture.rows(of: Frozen.self, in: "hashing/argon2-cffi.jsonl"))
    func `a hash created by another program is verified`(row: Frozen) async throws {
        let hasher = try Self.hasher()
        let stored = PasswordHash(phc: row.phc)
        #expect(try await hasher.parse(stored).matches(Secret(row.password)), "\(row.source): \(row.why)")
        #expect(try await !hasher.parse(stored).matches(Secret(row.password + " ")), "\(row.why)")
        let shorter = Secret(String(row.password.dropLast()))
        #expect(try await !hasher.parse(stored).matches(shorter), "\(row.why)")
    }

    /// S-117: the library receives lengths and does not stop at a NUL.
    @Test func `the characters after a NUL are significant`() async throws {
        let hasher = try Self.hasher()
        let stored = try await hasher.hash(Secret("correct horse\0battery"))
        #expect(try await hasher.parse(stored).matches(Secret("correct horse\0battery")))
        for other in ["correct horse", "correct horse\0", "correct horse\0staple"] {
            #expect(try await !hasher.parse(stored).matches(Secret(other)))
        }
    }

    @Test func `only the correct password matches a new hash, which has the configured cost`() async throws {
        let hasher = try Argon2Hasher(
            cost: Argon2Cost(memory: 19_456, iterations: 2, parallelism: 1), slots: 1, waitingLimit: 4)
        let stored = try await hasher.hash(Secret("correct horse battery staple"))
        #expect(stored.phc.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        let phc = try #require(PHCString(stored.phc))
        #expect(phc.salt.count == 16)
        #expect(phc.tag.count == 32)
        #expect(try await hasher.parse(stored).matches(Secret("correct horse battery staple")))
        #expect(try await !hasher.parse(stored).matches(Secret("correct horse battery stapler")))
    }

    @Test func `a new hash and the decoy carry their cost, so that it need not be parsed`() async throws {
        let hasher = try Self.hasher()
        for hash in [try await hasher.hash(Secret("correct horse battery")), hasher.decoy] {
            #expect(hash.milliseconds == (try hasher.parse(hash).traits.milliseconds))
        }
    }

    @Test func `a flipped bit of salt or tag never matches`() async throws {
        let hasher = try Self.hasher()
        let phc = try #require(PHCString(try await hasher.hash(Secret("password")).phc))
        for bit in 0..<8 * phc.salt.count {
            var salt = phc.salt
            salt[bit / 8] ^= 1 << (bit % 8)
            let other = try #require(PHCString(parameters: phc.parameters, salt: salt, tag: phc.tag))
            #expect(try await !hasher.parse(PasswordHash(phc: other.text)).matches(Secret("password")))
        }
        for bit in 0..<8 * phc.tag.count {
            var tag = phc.tag
            tag[bit / 8] ^= 1 << (bit % 8)
            let other = try #require(PHCString(parameters: phc.parameters, salt: phc.salt, tag: tag))
            #expect(try await !hasher.parse(PasswordHash(phc: other.text)).matches(Secret("password")))
        }
    }

    @Test func `all 1024 bytes of a password are significant`() async throws {
        let hasher = try Self.hasher()
        let passwords = ["a", "b"].map { Secret(String(repeating: "x", count: 1_023) + $0) }
        for (index, password) in passwords.enumerated() {
            let stored = try await hasher.hash(password)
            #expect(try await hasher.parse(stored).matches(password))
            #expect(try await !hasher.parse(stored).matches(passwords[1 - index]))
        }
    }

    /// S-22.
    @Test func `every hash has a different salt`() async throws {
        let hasher = try Self.hasher()
        var salts: Set<[UInt8]> = []
        for _ in 0..<1_000 {
            salts.insert(try #require(PHCString(try await hasher.hash(Secret("password")).phc)).salt)
        }
        #expect(salts.count == 1_000)
    }

    @Test func `the decoy has the cost of a new hash and matches no password`() async throws {
        let hasher = try Argon2Hasher()
        let decoy = try #require(PHCString(hasher.decoy.phc))
        #expect(decoy.parameters == Argon2Parameters(memory: 65_536, iterations: 3, parallelism: 1))
        #expect(decoy.salt.count == 16)
        #expect(decoy.tag.count == 32)
        #expect(try await !hasher.parse(hasher.decoy).matches(Secret("")))
        #expect(try #require(PHCString(try Argon2Hasher().decoy.phc)).salt != decoy.salt)
    }

    @Test func `without random bytes, no hash is computed`() async throws {
        let none = RandomSource { (_) throws(RandomSource.Unavailable) in throw RandomSource.Unavailable() }
        #expect(throws: HashError.noRandomness) { try Argon2Hasher(random: none) }

        let left = Locked(2)  // the decoy's salt and tag
        let few = RandomSource { (_) throws(RandomSource.Unavailable) in
            let isOver = left.withLock { left in
                left -= 1
                return left < 0
            }
            guard !isOver else { throw RandomSource.Unavailable() }
        }
        let hasher = try Argon2Hasher(
            parameters: .least, random: few, threads: WorkerThreads(count: 1, waitingLimit: 1))
        await #expect(throws: HashError.noRandomness) { try await hasher.hash(Secret("password")) }
    }

    @Test(arguments: ["", "!", "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/"])
    func `a hash of an unknown scheme is unsupported`(phc: String) async throws {
        let hasher = try Self.hasher()
        await #expect(throws: HashError.unsupported) {
            try await hasher.parse(PasswordHash(phc: phc)).matches(Secret("password"))
        }
    }

    @Test func `sixty-four concurrent verifications all complete`() async throws {
        let hasher = try Self.hasher()
        let stored = try await hasher.hash(Secret("password 7"))
        let matching = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for index in 0..<64 {
                group.addTask { (index, try await hasher.parse(stored).matches(Secret("password \(index)"))) }
            }
            return try await group.reduce(into: [Int]()) { matching, answer in if answer.1 { matching.append(answer.0) }
            }
        }
        #expect(matching == [7])
    }

    /// S-24.
    @Test func `a full queue refuses more jobs, and an excessive cost is refused without queueing`() async throws {
        let threads = WorkerThreads(count: 1, waitingLimit: 2)
        let hasher = try Self.hasher(threads: threads)
        let stored = try #require(
            PHCString(
                parameters: .least, salt: Array(repeating: 1, count: 16), tag: Array(repeating: 2, count: 32)))
        let costly = try Fixture.rows(of: Cost.self, in: "hashing/stored-cost-caps.jsonl").filter { !$0.allowed }.map {
            let parameters = try #require(
                Argon2Parameters(memory: $0.memory, iterations: $0.iterations, parallelism: $0.parallelism))
            return try #require(PHCString(parameters: parameters, salt: stored.salt, tag: stored.tag)).text
        }
        let gate = ThreadGate()
        async let running: Void = threads.run { gate.pass() }
        await gate.whenArrived()

        let answers = await withTaskGroup(of: Result<Bool, HashError>.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    do throws(HashError) {
                        return .success(try await hasher.parse(PasswordHash(phc: stored.text)).matches(Secret("x")))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            // The thread is blocked and the queue is full, so the first result is the refusal.
            let first = await group.next()
            for phc in costly {
                await #expect(throws: HashError.costTooHigh, "\(phc)") {
                    try await hasher.parse(PasswordHash(phc: phc)).matches(Secret("x"))
                }
            }
            await #expect(throws: HashError.overloaded) { try await hasher.hash(Secret("x")) }
            gate.open()
            return await group.reduce(into: [first]) { $0.append($1) }
        }
        try await running
        #expect(answers == [.failure(.overloaded), .success(false), .success(false)])
    }

    /// S-27.
    @Test func `a hash waits until enough memory is free`() async throws {
        let folder = try TemporaryFolder()
        let budget = SharedBudget(folder: folder.path + "/slots", holders: 2, total: 100)
        func hasher(_ patience: Duration) throws -> Argon2Hasher {
            try Argon2Hasher(
                parameters: .least, threads: WorkerThreads(count: 2, waitingLimit: 64), sharing: budget,
                patience: patience)
        }
        let stored = try await hasher(.seconds(600)).hash(Secret("password"))
        // Another process hashes and leaves less than 8 KiB of the budget.
        let share = try budget.take(93, until: .now + .seconds(600))
        let hasty = try hasher(.milliseconds(20))
        await #expect(throws: HashError.overloaded) { try await hasty.hash(Secret("password")) }
        await #expect(throws: HashError.overloaded) { try await hasty.parse(stored).matches(Secret("password")) }
        async let waiting = hasher(.seconds(600)).parse(stored).matches(Secret("password"))
        share.release()
        #expect(try await waiting)
        // Finished hashes have returned their memory.
        try budget.take(100, until: .now + .seconds(600)).release()
    }

    /// S-27.
    @Test func `an unusable folder is reported as a storage failure and not as overload`() async throws {
        let budget = SharedBudget(folder: "/proc/nowhere/slots", holders: 2, total: 100)
        let hasher = try Argon2Hasher(
            parameters: .least, threads: WorkerThreads(count: 1, waitingLimit: 1), sharing: budget)
        do throws(HashError) {
            _ = try await hasher.hash(Secret("password"))
            Issue.record("hashed")
        } catch {
            guard case .store = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `a cancelled caller gets an error`() async throws {
        let threads = WorkerThreads(count: 1, waitingLimit: 2)
        let hasher = try Self.hasher(threads: threads)
        let gate = ThreadGate()
        async let running: Void = threads.run { gate.pass() }
        await gate.whenArrived()
        let waiting = Task { try await hasher.hash(Secret("x")) }
        waiting.cancel()
        await #expect(throws: HashError.overloaded) { try await waiting.value }
        gate.open()
        try await running
    }
}
