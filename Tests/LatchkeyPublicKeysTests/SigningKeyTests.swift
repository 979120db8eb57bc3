import LatchkeyPublicKeys
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SigningKeyTests {
    private let message = Array("header.payload".utf8)

    private static func key(_ algorithm: SigningAlgorithm, _ bytes: [UInt8]) -> SigningKey? {
        SigningKey(algorithm: algorithm, privateKey: Secret(copying: bytes.span))
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a generated key signs, and its public key verifies`(algorithm: SigningAlgorithm) throws {
        let key = try SigningKey.generate(algorithm, random: .system)
        let signature = try key.signature(of: message, random: .system)
        #expect(signature.count == (algorithm == .rs256 ? 256 : 64))
        #expect(key.publicKey.isValid(signature, of: message))
        #expect(!key.publicKey.isValid(signature, of: message + [0]))
        for bit in stride(from: 0, to: 8 * signature.count, by: algorithm == .rs256 ? 61 : 7) {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.publicKey.isValid(changed, of: message), "bit \(bit)")
        }
        let shorter = [Array(signature.dropLast()), Array(signature.dropFirst()), []]
        for other in shorter + [signature + [0], [0] + signature] {
            #expect(!key.publicKey.isValid(other, of: message))
        }
        let other = try SigningKey.generate(algorithm, random: .system)
        #expect(!other.publicKey.isValid(signature, of: message))
        #expect(other.publicKey.thumbprint != key.publicKey.thumbprint)
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a stored key is the same key`(algorithm: SigningAlgorithm) throws {
        let key = try SigningKey.generate(algorithm, random: .system)
        let copy = try #require(SigningKey(algorithm: algorithm, privateKey: key.privateKey))
        #expect(copy.publicKey == key.publicKey)
        #expect(PublicKey(algorithm: algorithm, bytes: key.publicKey.bytes) == key.publicKey)
        let signature = try copy.signature(of: message, random: .system)
        #expect(key.publicKey.isValid(signature, of: message))
        let other: SigningAlgorithm = algorithm == .rs256 ? .es256 : .rs256
        #expect(SigningKey(algorithm: other, privateKey: key.privateKey) == nil)
        #expect(PublicKey(algorithm: other, bytes: key.publicKey.bytes) == nil)
    }

    /// OpenID rule 28.
    @Test func `a generated modulus has exactly 2,048 bits`() throws {
        for _ in 0..<8 {
            let key = try SigningKey.generate(.rs256, random: .system)
            guard case .rs256(let key) = key.publicKey else {
                Issue.record("not an RSA key")
                return
            }
            #expect(key.modulus.count == 256)
            #expect(key.modulus[0] >= 0x80)
            #expect(key.exponent == [1, 0, 1])
        }
    }

    @Test func `two ES256 signatures of one message differ`() throws {
        let key = try SigningKey.generate(.es256, random: .system)
        #expect(
            try key.signature(of: message, random: .system) != key.signature(of: message, random: .system))
    }

    @Test func `a private key that is cut off, longer or inconsistent is refused`() throws {
        for row in PublishedKeyTests.rows {
            let algorithm = try #require(SigningAlgorithm(rawValue: row.algorithm))
            let bytes = try #require(Hexadecimal.bytes(of: row.privateKey))
            #expect(Self.key(algorithm, []) == nil)
            for count in stride(from: 1, to: bytes.count, by: 13) {
                #expect(Self.key(algorithm, Array(bytes.prefix(count))) == nil, "\(row.why), \(count) bytes")
            }
            #expect(Self.key(algorithm, bytes + [0]) == nil, "\(row.why), a byte more")
            for bit in stride(from: 0, to: 8 * bytes.count, by: 29) where !Self.isUnused(bit / 8, algorithm) {
                var changed = bytes
                changed[bit / 8] ^= 1 << (bit % 8)
                #expect(Self.key(algorithm, changed) == nil, "\(row.why), bit \(bit)")
            }
        }
    }

    /// The exponent `d`, which signatures do not use, follows the 13 + 257 bytes up to the public exponent.
    private static func isUnused(_ index: Int, _ algorithm: SigningAlgorithm) -> Bool {
        algorithm == .rs256 && 275..<540 ~= index
    }

    @Test func `a public key in another encoding is refused`() throws {
        for row in PublishedKeyTests.rows {
            let algorithm = try #require(SigningAlgorithm(rawValue: row.algorithm))
            let bytes = try #require(Hexadecimal.bytes(of: row.publicKey))
            #expect(PublicKey(algorithm: algorithm, bytes: []) == nil)
            #expect(PublicKey(algorithm: algorithm, bytes: bytes + [0]) == nil)
            for count in 1..<bytes.count {
                #expect(PublicKey(algorithm: algorithm, bytes: Array(bytes.prefix(count))) == nil)
            }
            guard algorithm == .rs256 else { continue }
            // A longer form of the length, and a second sign byte.
            #expect(PublicKey(algorithm: .rs256, bytes: [0x30, 0x83, 0] + bytes.dropFirst(2)) == nil)
            let exponent = bytes.dropLast(5)
            #expect(PublicKey(algorithm: .rs256, bytes: exponent + [2, 4, 0, 1, 0, 1]) == nil)
        }
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a system without random bytes generates no key and signs nothing`(algorithm: SigningAlgorithm) throws {
        #expect(throws: SigningFailure.noRandomBytes) {
            _ = try SigningKey.generate(algorithm, random: .exhausted)
        }
        let key = try SigningKey.generate(algorithm, random: .seeded(1))
        #expect(throws: SigningFailure.noRandomBytes) {
            _ = try key.signature(of: message, random: .exhausted)
        }
    }

    @Test func `a private key is not printed`() throws {
        let key = try SigningKey.generate(.es256, random: .system)
        #expect("\(key)".contains("<secret>"))
    }
}
