import LatchkeyHashing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PHCStringTests {
    struct Good: Decodable {
        let phc: String
        let memory: UInt32
        let iterations: UInt32
        let parallelism: UInt32
        let saltByteCount: Int
        let tagByteCount: Int
        let why: String
    }

    struct Bad: Decodable {
        let phc: String
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: Good.self, in: "hashing/phc-good.jsonl"))
    func `a parsed PHC string is written back unchanged`(row: Good) throws {
        let phc = try #require(PHCString(row.phc), "\(row.why)")
        #expect(
            phc.parameters
                == Argon2Parameters(memory: row.memory, iterations: row.iterations, parallelism: row.parallelism))
        #expect(PHCString.parameters(of: row.phc) == phc.parameters)
        #expect(phc.salt.count == row.saltByteCount)
        #expect(phc.tag.count == row.tagByteCount)
        #expect(Array(phc.text.utf8) == Array(row.phc.utf8), "\(row.why)")
    }

    /// S-23.
    @Test(arguments: try Fixture.rows(of: Bad.self, in: "hashing/phc-bad.jsonl"))
    func `an invalid PHC string is refused`(row: Bad) {
        #expect(PHCString(row.phc) == nil, "\(row.why)")
        #expect(PHCString.parameters(of: row.phc) == nil, "\(row.why)")
    }

    /// S-23.
    @Test func `any hash can be encoded and parsed again`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let parallelism = UInt32.random(in: 1...0xFF_FFFF, using: &random)
            let parameters = try #require(
                Argon2Parameters(
                    memory: .random(in: 8 * parallelism ... .max, using: &random),
                    iterations: .random(in: 1 ... .max, using: &random), parallelism: parallelism))
            let phc = try #require(
                PHCString(
                    parameters: parameters, salt: random.bytes(PHCString.saltByteCounts),
                    tag: random.bytes(PHCString.tagByteCounts)))
            #expect(phc.text.utf8.count <= PHCString.maximumByteCount)
            #expect(PHCString(phc.text) == phc)
        }
    }

    @Test func `a mutated PHC string is refused or parses differently`() throws {
        let rows = try Fixture.rows(of: Good.self, in: "hashing/phc-good.jsonl")
        let alphabet = Array("$,=+-/0123456789argon2idvmtpAZz _\0\n".utf8)
        var random = SeededGenerator(seed: 2)
        var readable = 0
        for _ in 0..<20_000 {
            var bytes = Array(rows[Int.random(in: rows.indices, using: &random)].phc.utf8)
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                let byte = alphabet[Int.random(in: alphabet.indices, using: &random)]
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = byte
                case 1: bytes.insert(byte, at: place)
                default: bytes.remove(at: place)
                }
            }
            guard let phc = PHCString(String(decoding: bytes, as: UTF8.self)) else { continue }
            readable += 1
            #expect(Array(phc.text.utf8) == bytes)
        }
        #expect(readable > 0)
    }

    @Test func `only strings that can be parsed are written`() throws {
        let salt = [UInt8](repeating: 1, count: 16)
        let tag = [UInt8](repeating: 2, count: 32)
        #expect(PHCString(parameters: try .least, salt: salt, tag: tag) != nil)
        for count in [0, 7, 49] {
            #expect(PHCString(parameters: try .least, salt: Array(repeating: 1, count: count), tag: tag) == nil)
        }
        for count in [0, 11, 65] {
            #expect(PHCString(parameters: try .least, salt: salt, tag: Array(repeating: 2, count: count)) == nil)
        }
    }
}
