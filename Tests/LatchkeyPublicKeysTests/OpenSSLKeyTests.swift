import Foundation
import LatchkeyPublicKeys
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

/// The other implementation of these keys is OpenSSL.
@Suite(.timeLimit(.minutes(60)))
struct OpenSSLKeyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs openssl in the folder and returns its output.
    private func openssl(_ arguments: String...) throws -> String {
        let process = SpawnedProcess()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = Pipe()
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments)")
        return String(decoding: text, as: UTF8.self)
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder.path(of: name)))
    }

    private func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder.path(of: name))))
    }

    private func secret(_ name: String) throws -> Secret {
        let bytes = try read(name)
        return Secret(copying: bytes.span)
    }

    /// An Ecdsa-Sig-Value in DER, as OpenSSL writes and reads it.
    private func der(_ signature: [UInt8]) -> [UInt8] {
        let numbers = [signature.prefix(32), signature.suffix(32)].flatMap { number in
            let digits = Array(number.drop { $0 == 0 })
            let sign: [UInt8] = (digits.first ?? 0xFF) < 0x80 ? [] : [0]
            return [2, UInt8(sign.count + digits.count)] + sign + digits
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `OpenSSL accepts a generated key and its signature`(algorithm: SigningAlgorithm) throws {
        let key = try SigningKey.generate(algorithm, random: .system)
        try write(key.privateKey.withBytes { bytes in bytes.indices.map { bytes[$0] } }, to: "key.der")
        #expect(
            try openssl("pkey", "-inform", "DER", "-in", "key.der", "-check", "-noout").contains("Key is valid"))
        _ = try openssl("pkey", "-inform", "DER", "-in", "key.der", "-pubout", "-out", "public.pem")
        let message = Array("a message".utf8)
        let signature = try key.signature(of: message, random: .system)
        try write(message, to: "message")
        try write(algorithm == .rs256 ? signature : der(signature), to: "signature")
        #expect(
            try openssl("dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "message")
                == "Verified OK\n")
    }

    @Test func `a key of OpenSSL is read, and its RS256 signatures are the same`() throws {
        _ = try openssl("genrsa", "-traditional", "-out", "key.pem", "2048")
        _ = try openssl("rsa", "-in", "key.pem", "-traditional", "-outform", "DER", "-out", "key.der")
        try write(Array("a message".utf8), to: "message")
        _ = try openssl("dgst", "-sha256", "-sign", "key.pem", "-out", "signature", "message")
        let key = try #require(SigningKey(algorithm: .rs256, privateKey: secret("key.der")))
        #expect(try key.signature(of: Array("a message".utf8), random: .system) == read("signature"))
        #expect(key.publicKey.isValid(try read("signature"), of: Array("a message".utf8)))
    }

    @Test(arguments: ["1024", "2047", "2056", "3072"])
    func `an RSA key of another length is refused`(bits: String) throws {
        _ = try openssl("genrsa", "-traditional", "-out", "key.pem", bits)
        _ = try openssl("rsa", "-in", "key.pem", "-traditional", "-outform", "DER", "-out", "key.der")
        let key = try SigningKey(algorithm: .rs256, privateKey: secret("key.der"))
        #expect(key == nil)
    }

    @Test func `a P-256 key of OpenSSL is read, and OpenSSL signs with it`() throws {
        _ = try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-outform", "DER", "-out", "key.der")
        let key = try #require(SigningKey(algorithm: .es256, privateKey: secret("key.der")))
        try write(Array("a message".utf8), to: "message")
        _ = try openssl(
            "dgst", "-sha256", "-keyform", "DER", "-sign", "key.der", "-out", "signature", "message")
        guard case .es256(let publicKey) = key.publicKey else {
            Issue.record("not a P-256 key")
            return
        }
        #expect(publicKey.isValid(try read("signature"), of: Array("a message".utf8)))
    }

    @Test func `a key on another curve is refused`() throws {
        _ = try openssl("ecparam", "-name", "secp256k1", "-genkey", "-noout", "-outform", "DER", "-out", "key.der")
        let key = try SigningKey(algorithm: .es256, privateKey: secret("key.der"))
        #expect(key == nil)
    }
}
