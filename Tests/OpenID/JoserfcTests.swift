import Foundation
import LatchkeyForms
import LatchkeyOpenID
import LatchkeyPublicKeys
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

/// The other implementation of signed tokens is joserfc, a package for Python.
@Suite(.timeLimit(.minutes(60)), .enabled(if: Python.hasJoserfc, "the package joserfc for Python is not installed"))
struct JoserfcTests {
    @Test func `joserfc verifies ID tokens with the key set`() throws {
        let keys = try ["r": SigningKey.generate(.rs256, random: .system), "e": .generate(.es256, random: .system)]
        let set = JWKSet(keys.map { JWK(kid: $0.key, publicKey: $0.value.publicKey) })
        for (kid, key) in keys {
            var token = IDToken(
                issuer: "https://accounts.example.org", subject: "acc1", audience: try #require(ClientID("wiki")),
                issuedAt: Int(Date.now.timeIntervalSince1970))
            token.claims = [("name", .string("Ada L\u{F6}velace \u{1F511} \"x\""))]
            let text = try JWS.sign(token.json, type: IDToken.type, kid: kid, key: key, random: .system)
            let output = try Python.run(
                """
                import json, sys
                from joserfc import jwt
                from joserfc.jwk import KeySet
                keys = KeySet.import_key_set(json.loads(sys.argv[1]))
                token = jwt.decode(sys.argv[2], keys, algorithms=["RS256", "ES256"])
                jwt.JWTClaimsRegistry(iss={"value": "https://accounts.example.org"}, aud={"value": "wiki"}).validate(token.claims)
                print(json.dumps([token.header, token.claims]))
                """, set.json.encoded, text)
            let parts = try #require(JSONValue(line: output.utf8)?.elements)
            #expect(parts[0]["kid"] == .string(kid))
            #expect(parts[1].encoded == token.json.encoded)
        }
    }

    @Test(arguments: ["RS256", "ES256"])
    func `a token of joserfc is verified`(algorithm: String) throws {
        let output = try Python.run(
            """
            import json, sys
            from joserfc import jwt
            from joserfc.jwk import ECKey, RSAKey
            algorithm = sys.argv[1]
            key = RSAKey.generate_key(2048) if algorithm == "RS256" else ECKey.generate_key("P-256")
            print(jwt.encode({"alg": algorithm, "kid": "k", "typ": "JWT"}, {"sub": "acc1"}, key, algorithms=[algorithm]))
            print(key.as_pem(private=False).decode())
            """, algorithm)
        let lines = output.split(separator: "\n")
        let token = String(try #require(lines.first))
        // The end of a SubjectPublicKeyInfo is the key: a point of 65 bytes, or the 270 bytes of an RSAPublicKey.
        let pem = lines.dropFirst().filter { !$0.hasPrefix("-") }.joined()
        let info = [UInt8](try #require(Data(base64Encoded: pem)))
        let name = try #require(SigningAlgorithm(rawValue: algorithm))
        let key = try #require(PublicKey(algorithm: name, bytes: Array(info.suffix(name == .rs256 ? 270 : 65))))
        let payload = try JWS.verify(token, type: "JWT", keys: [VerificationKey(kid: "k", publicKey: key)])
        #expect(payload["sub"] == .string("acc1"))
    }
}

private enum Python {
    static let hasJoserfc = (try? run("import joserfc")) != nil

    /// The output of a script. It throws if the script fails.
    static func run(_ script: String, _ arguments: String...) throws -> String {
        let process = SpawnedProcess()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = Pipe()
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self)
    }
}
