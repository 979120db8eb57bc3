import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyHashing

@Suite(.timeLimit(.minutes(60)))
struct Argon2EngineTests {
    /// The engines of this processor. A processor with AVX-512 tests them all.
    private static let engines = Argon2Engine.allCases.filter(\.isAvailable)

    /// S-22.
    @Test(arguments: engines) func `the tag matches the example of RFC 9106`(engine: Argon2Engine) throws {
        let tag = try Argon2(engine: engine).tag(
            byteCount: 32, of: Secret(copying: [UInt8](repeating: 1, count: 32).span),
            salt: [UInt8](repeating: 2, count: 16),
            parameters: try #require(Argon2Parameters(memory: 32, iterations: 3, parallelism: 4)),
            key: Secret(copying: [UInt8](repeating: 3, count: 8).span),
            associatedData: [UInt8](repeating: 4, count: 12))
        let published: [UInt8] = [
            0x0d, 0x64, 0x0d, 0xf5, 0x8d, 0x78, 0x76, 0x6c, 0x08, 0xc0, 0x37, 0xa3, 0x4a, 0x8b, 0x53, 0xc9,
            0xd0, 0x1e, 0xf0, 0x45, 0x2d, 0x75, 0xb6, 0x5e, 0xb5, 0x25, 0x20, 0xe9, 0x6b, 0x01, 0xe6, 0x59,
        ]
        let isPublished = tag.withBytes { ConstantTime.areEqual($0, published.span) }
        #expect(isPublished)
    }

    /// Four parts, each with 2,500 sets.
    @Test(arguments: UInt64(1)...4) func `random parameter sets give the same tags as libargon2`(part: UInt64) throws {
        var generator = SeededGenerator(seed: 9106 * part)
        let engines = Self.engines.filter { $0 != .reference }.map { Argon2(engine: $0) }
        for number in 0..<2500 {
            let lanes = UInt32.random(in: 1...9, using: &generator)
            // Above 512 KiB, a lane has segments that need a second block of addresses.
            let extra: UInt32 = number.isMultiple(of: 50) ? 700 * lanes : 100
            let parameters = try #require(
                Argon2Parameters(
                    memory: UInt32.random(in: 8 * lanes...8 * lanes + extra, using: &generator),
                    iterations: UInt32.random(in: 1...4, using: &generator), parallelism: lanes))
            let password = Secret(copying: generator.bytes(0...80).span)
            let salt = generator.bytes(8...40)
            let key = Secret(copying: generator.bytes(0...60).span)
            let associatedData = generator.bytes(0...60)
            let count = Int.random(in: 4...200, using: &generator)
            func tag(_ argon2: Argon2) throws(HashError) -> SecretBytes {
                try argon2.tag(
                    byteCount: count, of: password, salt: salt, parameters: parameters, key: key,
                    associatedData: associatedData)
            }
            let expected = try tag(Argon2(engine: .reference))
            for engine in engines {
                let computed = try tag(engine)
                let areEqual = computed.withBytes { computed in
                    expected.withBytes { ConstantTime.areEqual(computed, $0) }
                }
                #expect(areEqual, "set \(number), \(engine.chosen): \(parameters), tag of \(count) bytes")
            }
        }
    }

    @Test(arguments: engines) func `every engine passes its self-test`(engine: Argon2Engine) {
        #expect(Argon2.verdict(on: engine) == .right)
        #expect(Argon2(engine: engine).engine == engine)
        #expect(!Argon2(engine: engine).hasFailed)
    }

    @Test func `the engine that is chosen as the fastest is available`() { #expect(Argon2Engine.fastest.isAvailable) }

    /// The verdict on an engine whose tag has one wrong bit.
    private static func verdictOnWrongEngine() -> Argon2.Verdict {
        Argon2.verdict { () throws(HashError) in
            let right = try Argon2.knownTag(by: Argon2(engine: .baseline))
            var tag = SecretBytes(capacity: right.count)
            unsafe tag.fill { out in
                right.withBytes { bytes in
                    for index in 0..<bytes.count { unsafe out[index] = bytes[index] }
                    unsafe out[bytes.count - 1] ^= 1
                    return bytes.count
                }
            }
            return tag
        }
    }

    @Test func `a wrong bit or an error fails the self-test, but a lack of memory does not`() {
        #expect(Self.verdictOnWrongEngine() == .wrong)
        #expect(Argon2.verdict { () throws(HashError) in throw .unsupported } == .wrong)
        #expect(Argon2.verdict { () throws(HashError) in throw .outOfMemory } == .untested)
    }

    @Test func `libargon2 is used without a report if memory is too low for the self-test`() async throws {
        let hasher = try Argon2Hasher(
            parameters: .least, argon2: Argon2(engine: .baseline, test: { _ in .untested }),
            threads: WorkerThreads(count: 1, waitingLimit: 1))
        _ = try await hasher.hash(Secret("password"))
        #expect(hasher.engine == .reference)
        #expect(hasher.failedEngine == nil)
        #expect(hasher.takeFallback() == nil)
    }

    @Test(arguments: [8 << 10, 4 << 20]) func `the memory of a hash is wiped after use`(size: Int) {
        let arena = HashArena()
        for _ in 0..<2 {
            let isWiped = unsafe arena.withBytes(size) { start in
                let bytes = unsafe UnsafeMutableBufferPointer(start: start, count: size)
                defer { unsafe bytes.update(repeating: 0xA5) }
                return unsafe bytes.allSatisfy { $0 == 0 }
            }
            #expect(isWiped == true)
        }
    }

    @Test func `an engine that fails its self-test is replaced by libargon2 and reported once`() async throws {
        let hasher = try Argon2Hasher(
            parameters: .least, argon2: Argon2(engine: .baseline, test: { _ in Self.verdictOnWrongEngine() }),
            threads: WorkerThreads(count: 1, waitingLimit: 1))
        let hash = try await hasher.hash(Secret("password"))
        #expect(hasher.engine == .reference)
        #expect(hasher.failedEngine == .baseline)
        #expect(hasher.takeFallback() == HashFallback(engine: "baseline"))
        #expect(hasher.takeFallback() == nil)
        hasher.returnFallback(HashFallback(engine: "baseline"))
        #expect(hasher.takeFallback() == HashFallback(engine: "baseline"))
        let other = try Argon2Hasher(parameters: .least, threads: WorkerThreads(count: 1, waitingLimit: 1))
        #expect(try await other.parse(hash).matches(Secret("password")))
        #expect(other.takeFallback() == nil)
    }

    @Test func `a login with an engine that fails its self-test is recorded`() async throws {
        let hasher = try Argon2Hasher(
            parameters: .least, argon2: Argon2(engine: .baseline, test: { _ in Self.verdictOnWrongEngine() }),
            threads: WorkerThreads(count: 1, waitingLimit: 1))
        let store = MemoryAccountStore()
        let service = AccountService(
            store: store, hasher: hasher, mailer: MemoryMailer(), clock: VirtualClock(), random: .seeded(7),
            key: try #require(StoreKey(Secret(String(repeating: "k", count: 32)))))
        let password = Secret("correct horse battery")
        _ = try await service.create(
            AccountDraft(username: "ada", email: "ada@example.org", password: password), by: .owner)
        _ = try await service.authenticate(identifier: "ada", password: password)
        let trail = try await store.read { (transaction) throws(AccountError) in
            try transaction.auditRows(after: 0, limit: 100).compactMap(\.record)
        }
        #expect(trail.filter { $0.name == "crypt_hash_engine_fail" }.map(\.reason) == ["engine:baseline"])
    }

    @Test(arguments: engines) func `a hash of any engine is verified by the others`(engine: Argon2Engine) async throws {
        func hasher(_ engine: Argon2Engine) throws -> Argon2Hasher {
            try Argon2Hasher(
                parameters: .least, argon2: Argon2(engine: engine), threads: WorkerThreads(count: 1, waitingLimit: 1))
        }
        let hash = try await hasher(engine).hash(Secret("password"))
        for other in Self.engines {
            #expect(try await hasher(other).parse(hash).matches(Secret("password")))
            #expect(try await !hasher(other).parse(hash).matches(Secret("passwort")))
        }
    }

    @Test(arguments: engines) func `parameters that RFC 9106 does not permit are unsupported`(
        engine: Argon2Engine
    ) throws {
        let argon2 = Argon2(engine: engine)
        #expect(throws: HashError.unsupported) {
            _ = try argon2.tag(byteCount: 3, of: Secret("x"), salt: Array(repeating: 2, count: 16), parameters: .least)
        }
        #expect(throws: HashError.unsupported) {
            _ = try argon2.tag(byteCount: 32, of: Secret("x"), salt: Array(repeating: 2, count: 7), parameters: .least)
        }
    }

    @Test func `concurrent hashes use separate memory`() async throws {
        let hasher = try Argon2Hasher(
            parameters: try #require(Argon2Parameters(memory: 4096, iterations: 1, parallelism: 1)),
            threads: WorkerThreads(count: 4, waitingLimit: 64))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let hash = try await hasher.hash(Secret("password \(number)"))
                    return try await hasher.parse(hash).matches(Secret("password \(number)"))
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
