import LatchkeyPublicKeys
import LatchkeySecrets
import TestSupport
import Testing

/// Keys and signatures from RFC 7515 and RFC 6979.
@Suite(.timeLimit(.minutes(60)))
struct PublishedKeyTests {
    struct Row: Decodable {
        let why: String
        let algorithm: String
        /// In hexadecimal, like the other keys and the signature.
        let privateKey: String
        let publicKey: String
        let message: String
        /// The secret number of an ECDSA signature; empty if it is not published.
        let random: String
        let signature: String
        let jwk: [String: String]
    }

    static let rows: [Row] = (try? Fixture.rows(of: Row.self, in: "secrets/published-keys.jsonl")) ?? []

    private func key(_ row: Row) throws -> SigningKey {
        let bytes = try #require(Hexadecimal.bytes(of: row.privateKey))
        let algorithm = try #require(SigningAlgorithm(rawValue: row.algorithm))
        return try #require(SigningKey(algorithm: algorithm, privateKey: Secret(copying: bytes.span)))
    }

    @Test func `the table has keys of both algorithms`() {
        #expect(Set(Self.rows.map(\.algorithm)) == ["ES256", "RS256"])
    }

    @Test(arguments: rows) func `a published private key gives its public key`(row: Row) throws {
        let key = try key(row).publicKey
        #expect(Hexadecimal.text(of: key.bytes) == row.publicKey)
        #expect(Dictionary(uniqueKeysWithValues: key.jwkMembers.map { ($0.name, $0.value) }) == row.jwk)
        #expect(PublicKey(algorithm: key.algorithm, bytes: key.bytes) == key)
    }

    @Test(arguments: rows) func `a published signature is valid`(row: Row) throws {
        let signature = try #require(Hexadecimal.bytes(of: row.signature))
        #expect(try key(row).publicKey.isValid(signature, of: Array(row.message.utf8)))
    }

    /// RS256 signatures do not depend on random numbers, and those of ES256 only on one.
    @Test(arguments: rows) func `a key makes the published signature`(row: Row) throws {
        let number = try #require(Hexadecimal.bytes(of: row.random))
        let isPredictable = row.algorithm == "RS256" || !number.isEmpty
        let random = RandomSource { (bytes) throws(RandomSource.Unavailable) in
            for index in bytes.indices { bytes[index] = number.isEmpty ? UInt8(index % 251) : number[index] }
        }
        let signature = try key(row).signature(of: Array(row.message.utf8), random: random)
        #expect((Hexadecimal.text(of: signature) == row.signature) == isPredictable)
    }

    @Test func `a thumbprint is as in RFC 7638`() throws {
        let modulus = """
            0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3\
            oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdA\
            ZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-\
            kEgU8awapJzKnqDKgw
            """
        let bytes = try #require(Base64URL.bytes(of: modulus))
        let key = try #require(RS256Key(modulus: bytes, exponent: [1, 0, 1]))
        #expect(PublicKey.rs256(key).thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }
}
