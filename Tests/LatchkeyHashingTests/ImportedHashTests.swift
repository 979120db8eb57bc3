import LatchkeyAccounts
import LatchkeyHashing
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

/// Hashes of other programs. make-foreign.py and make-passlib.py in Tests/Fixtures/hashing created the rows.
@Suite(.timeLimit(.minutes(60)))
struct ImportedHashTests {
    struct Foreign: Decodable {
        let hash: String
        let password: String
        let scheme: String
        let parameters: String
        let source: String
        let why: String
    }

    struct Unverified: Decodable {
        let hash: String
        let scheme: String?
        let error: String
        let why: String
    }

    private static func hasher() throws -> Argon2Hasher {
        try Argon2Hasher(parameters: .least, threads: WorkerThreads(count: 2, waitingLimit: 64))
    }

    /// S-29.
    @Test(arguments: try Fixture.rows(of: Foreign.self, in: "hashing/foreign.jsonl"))
    func `an imported hash is verified and its scheme is recognized`(row: Foreign) async throws {
        let hasher = try Self.hasher()
        let stored = PasswordHash(phc: row.hash)
        #expect(try await hasher.parse(stored).matches(Secret(row.password)), "\(row.source): \(row.why)")
        #expect(try await !hasher.parse(stored).matches(Secret("!" + row.password)), "\(row.why)")
        #expect(try await !hasher.parse(stored).matches(Secret(row.password + "\0")), "\(row.why)")
        let traits = try hasher.parse(stored).traits
        #expect(traits.scheme == row.scheme)
        #expect(traits.parameterText == row.parameters)
        #expect(traits.status == (row.scheme == "argon2id" ? .stronger : .otherScheme))
    }

    /// S-23, S-29: a wrong character in any position gives a different hash or an invalid one.
    @Test(arguments: try Fixture.rows(of: Foreign.self, in: "hashing/foreign.jsonl"))
    func `a changed imported hash does not match its password`(row: Foreign) async throws {
        let hasher = try Self.hasher()
        let bytes = Array(row.hash.utf8)
        var random = SeededGenerator(seed: 29)
        for _ in 0..<12 {
            var other = bytes
            // The changed character is in the digest at the end. An earlier change could make the hash expensive.
            let index = Int.random(in: (bytes.count - 16)..<bytes.count, using: &random)
            other[index] = bytes[index] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
            let stored = PasswordHash(phc: String(decoding: other, as: UTF8.self))
            do {
                #expect(try await !hasher.parse(stored).matches(Secret(row.password)), "\(row.why)")
            } catch HashError.unsupported {}
        }
    }

    /// S-24: the highest allowed cost, in each format. The fixture has the hashes with one iteration more.
    @Test(arguments: [
        "$pbkdf2-sha256$i=2000000,l=64$MDEyMzQ1Njc4OWFiY2RlZg$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw",
        "$pbkdf2-sha256$i=2000000,l=33$MDEyMzQ1Njc4OWFiY2RlZg$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g",
        "$pbkdf2-sha512$i=4000000,l=64$MDEyMzQ1Njc4OWFiY2RlZg$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw",
        "$pbkdf2-sha256$4000000$MDEyMzQ1Njc4OWFiY2RlZg$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "pbkdf2_sha256$4000000$salt$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    ])
    func `a PBKDF2 hash at the limit of the cost is accepted`(hash: String) throws {
        #expect(throws: Never.self) { try Self.hasher().parse(PasswordHash(phc: hash)) }
    }

    /// S-24, S-29, S-135.
    @Test(arguments: try Fixture.rows(of: Unverified.self, in: "hashing/unverified.jsonl"))
    func `a weak, malformed or too expensive hash is refused without being computed`(row: Unverified) throws {
        let hasher = try Self.hasher()
        let stored = PasswordHash(phc: row.hash)
        let expected: HashError = row.error == "cost_too_high" ? .costTooHigh : .unsupported
        #expect(throws: expected, "\(row.why)") { try hasher.parse(stored) }
        if expected == .unsupported { #expect(UnsupportedScheme(of: stored)?.rawValue == row.scheme, "\(row.why)") }
    }

    /// S-30.
    @Test func `bcrypt uses 72 bytes and reports this limit`() async throws {
        let hasher = try Self.hasher()
        let row = try #require(
            try Fixture.rows(of: Foreign.self, in: "hashing/foreign.jsonl").first { $0.password.utf8.count == 72 })
        let stored = PasswordHash(phc: row.hash)
        #expect(try await hasher.parse(stored).matches(Secret(row.password + "tail")))
        let traits = try hasher.parse(stored).traits
        #expect(traits.significantByteCount == 72)
        #expect(RehashPolicy.upwards.replaces(traits, passwordByteCount: 72))
        #expect(!RehashPolicy.always.replaces(traits, passwordByteCount: 73))
    }

    /// S-30: libcrypt returns `*0` for a password of more than 511 bytes.
    @Test func `a password that the library cannot hash does not match`() async throws {
        let hasher = try Self.hasher()
        for row in try Fixture.rows(of: Foreign.self, in: "hashing/foreign.jsonl") where row.hash.hasPrefix("$6$") {
            let long = Secret(String(repeating: "x", count: 512))
            #expect(try await !hasher.parse(PasswordHash(phc: row.hash)).matches(long))
        }
    }

    /// S-30: `crypt` reads to the first NUL.
    @Test func `the part of a password before a NUL does not match`() async throws {
        let hasher = try Self.hasher()
        for row in try Fixture.rows(of: Foreign.self, in: "hashing/foreign.jsonl") {
            let stored = PasswordHash(phc: row.hash)
            #expect(try await !hasher.parse(stored).matches(Secret(row.password + "\0tail")), "\(row.why)")
        }
    }

    /// S-24: PBKDF2 computes one digest after the other until the tag is full.
    @Test(arguments: [
        ("sha256", 32, 4_000_000), ("sha256", 33, 2_000_000), ("sha256", 64, 2_000_000), ("sha512", 64, 4_000_000),
        ("sha512", 16, 4_000_000),
    ])
    func `the limit of PBKDF2 counts every digest of the tag`(digest: String, byteCount: Int, most: Int) throws {
        let hasher = try Self.hasher()
        let tag = String(repeating: "A", count: (byteCount * 8 + 5) / 6)
        func stored(_ iterations: Int) -> PasswordHash {
            PasswordHash(phc: "$pbkdf2-\(digest)$i=\(iterations),l=\(byteCount)$c2FsdHNhbHQ$\(tag)")
        }
        #expect(try hasher.parse(stored(most)).traits.milliseconds == 2000)
        #expect(try hasher.milliseconds(of: stored(most)) == 2000)
        for iterations in [most + 1, Int(UInt32.max)] {
            #expect(throws: HashError.costTooHigh) { try hasher.parse(stored(iterations)) }
            #expect(throws: HashError.costTooHigh) { try hasher.milliseconds(of: stored(iterations)) }
        }
    }

    /// S-37.
    @Test func `the first matching spelling is found, with and without further work`() async throws {
        let hasher = try Self.hasher()
        let stored = try hasher.parse(try await hasher.hash(Secret("second")))
        let spellings = [Secret("first"), Secret("second"), Secret("third")]
        for work in [0, 1, 3] {
            #expect(try await stored.verify(spellings, work) == 1)
            #expect(try await stored.verify([spellings[0], spellings[2]], work) == nil)
        }
    }

    /// S-28.
    @Test func `an outdated hash is rehashed but never weakened`() throws {
        let threads = WorkerThreads(count: 1, waitingLimit: 1)
        func status(of stored: (UInt32, UInt32, UInt32), at current: (UInt32, UInt32, UInt32)) throws
            -> HashStatus
        {
            let cost = try #require(
                Argon2Parameters(memory: current.0, iterations: current.1, parallelism: current.2))
            let text = "$argon2id$v=19$m=\(stored.0),t=\(stored.1),p=\(stored.2)$c2FsdHNhbHRzYWx0$dGFndGFndGFndGFn"
            return try Argon2Hasher(parameters: cost, threads: threads).parse(PasswordHash(phc: text)).traits.status
        }
        #expect(try status(of: (1024, 2, 1), at: (1024, 2, 1)) == .current)
        #expect(try status(of: (1024, 1, 1), at: (1024, 2, 1)) == .otherParameters)
        #expect(try status(of: (1024, 2, 2), at: (1024, 2, 1)) == .otherParameters)
        #expect(try status(of: (1024, 3, 1), at: (1024, 2, 1)) == .stronger)
        #expect(try status(of: (2048, 1, 1), at: (1024, 2, 1)) == .stronger)
    }
}
