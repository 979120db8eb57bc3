import LatchkeyForms
import LatchkeyOpenID
import LatchkeyPublicKeys
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct JWSTests {
    struct Row: Decodable {
        let header: String
        let payload: String
        /// `own`, `other` for another key, `empty`, `zeros`, `der` or `hmac`.
        let sign: String
        /// A change of the finished token; empty for none.
        let edit: String
        /// `ok` or the failure.
        let verdict: String
        let why: String
    }

    private static func keys() throws -> [String: SigningKey] {
        ["e": try .generate(.es256, random: .system), "r": try .generate(.rs256, random: .system)]
    }

    private static func verificationKeys(_ keys: [String: SigningKey], retiredAt: Int? = nil) -> [VerificationKey] {
        keys.map { VerificationKey(kid: $0.key, publicKey: $0.value.publicKey, retiredAt: retiredAt) }
    }

    private static func signature(_ row: Row, of message: [UInt8], _ keys: [String: SigningKey]) throws -> [UInt8] {
        // The key that the header names; for a header that names none, the first one.
        let key = try #require(row.header.contains(#""kid":"r""#) ? keys["r"] : keys["e"])
        switch row.sign {
        case "own": return try key.signature(of: message, random: .system)
        case "other": return try SigningKey.generate(.es256, random: .system).signature(of: message, random: .system)
        case "zeros": return [UInt8](repeating: 0, count: 64)
        case "der":
            let (r, s) = try (key.signature(of: message, random: .system)).halves
            let numbers = [2, 33, 0] + r + [2, 33, 0] + s
            return [0x30, UInt8(numbers.count)] + numbers
        case "hmac":
            let publicKey = key.publicKey.bytes
            return HMACSHA256.tag(of: message.span, key: Secret(copying: publicKey.span))
        default: return []
        }
    }

    private static func edited(_ token: String, _ edit: String) throws -> String {
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        switch edit {
        case "": return token
        case "padding": return token + "="
        case "space": return token + " "
        case "nul": return token + "\0"
        case "newline": parts[1] += "\n"
        case "plus": parts[2] = "+" + parts[2].dropFirst()
        case "four": parts.append("")
        case "five": parts += ["", ""]
        case "two": parts.removeLast()
        case "payload": parts[1] = Base64URL.text(of: Array(#"{"sub":"b"}"#.utf8))
        case "json": return #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#
        case "bit":
            var bytes = try #require(Base64URL.bytes(of: parts[2]))
            bytes[9] ^= 1
            parts[2] = Base64URL.text(of: bytes)
        case "bits":
            // 64 bytes leave four unused bits in the last character, which is A, Q, g or w.
            let last = parts[2].popLast().map(String.init) ?? ""
            parts[2] += ["A": "B", "Q": "R", "g": "h", "w": "x"][last] ?? ""
        default: Issue.record("unknown edit \(edit)")
        }
        return parts.joined(separator: ".")
    }

    /// OpenID rule 24.
    @Test func `a token is verified or refused as in the table`() throws {
        let keys = try Self.keys()
        var verdicts: Set<String> = []
        for row in try Fixture.rows(of: Row.self, in: "openid/jws.jsonl") {
            let message = [row.header, row.payload].map { Base64URL.text(of: Array($0.utf8)) }.joined(separator: ".")
            let signature = try Self.signature(row, of: Array(message.utf8), keys)
            let token = try Self.edited(message + "." + Base64URL.text(of: signature), row.edit)
            let verdict: String
            do throws(JWSFailure) {
                let payload = try JWS.verify(token, type: "JWT", keys: Self.verificationKeys(keys))
                #expect(payload == JSONValue(line: row.payload.utf8))
                verdict = "ok"
            } catch {
                verdict = error.rawValue
            }
            verdicts.insert(verdict)
            #expect(verdict == row.verdict, "\(row.why)")
        }
        #expect(verdicts == Set(JWSFailure.allCases.map(\.rawValue)).subtracting(["wrong_issuer"]).union(["ok"]))
    }

    @Test(arguments: ["e", "r"]) func `a signed object is verified`(kid: String) throws {
        let keys = try Self.keys()
        let key = try #require(keys[kid])
        let payload = JSONValue.object([("sub", .string("\u{E9} \u{1F511} \"")), ("n", .integer(1))])
        let token = try JWS.sign(payload, type: "JWT", kid: kid, key: key, random: .system)
        #expect(try JWS.verify(token, type: "JWT", keys: Self.verificationKeys(keys)) == payload)
        #expect(throws: JWSFailure.wrongType) {
            _ = try JWS.verify(token, type: "logout+jwt", keys: Self.verificationKeys(keys))
        }
        #expect(throws: JWSFailure.unknownKey) { _ = try JWS.verify(token, type: "JWT", keys: []) }
    }

    /// OpenID rule 24.
    @Test func `a hint is valid for a year after its key was retired, for this issuer, and when it has expired`() throws
    {
        let keys = try Self.keys()
        let key = try #require(keys["e"])
        let issuer = "https://accounts.example.org"
        let client = try #require(ClientID("wiki"))
        var token = IDToken(issuer: issuer, subject: "a", audience: client, issuedAt: 1_000)
        token.sessionID = "s"
        let text = try JWS.sign(token.json, type: IDToken.type, kid: "e", key: key, random: .system)
        func hint(
            _ text: String, retiredAt: Int? = nil, issuer: String = "https://accounts.example.org"
        ) throws(JWSFailure) -> IDTokenHint {
            try IDTokenHint(
                text, keys: Self.verificationKeys(keys, retiredAt: retiredAt), issuer: issuer, now: 100_000_000)
        }
        let read = try hint(text)
        #expect(read.subject == "a")
        #expect(read.audience == client)
        #expect(read.sessionID == "s")
        #expect(try hint(text, retiredAt: 100_000_000 - 365 * 86_400) == read)
        #expect(throws: JWSFailure.unknownKey) { _ = try hint(text, retiredAt: 100_000_000 - 365 * 86_400 - 1) }
        #expect(throws: JWSFailure.unknownKey) { _ = try hint(text, retiredAt: Int.min) }
        #expect(throws: JWSFailure.wrongIssuer) { _ = try hint(text, issuer: issuer + "/") }
        let logout = LogoutToken(
            issuer: issuer, subject: "a", audience: client, sessionID: nil, issuedAt: 1_000, id: "j")
        let other = try JWS.sign(logout.json, type: LogoutToken.type, kid: "e", key: key, random: .system)
        #expect(throws: JWSFailure.wrongType) { _ = try hint(other) }
        let bare = try JWS.sign(
            .object([("iss", .string(issuer))]), type: IDToken.type, kid: "e", key: key, random: .system)
        #expect(throws: JWSFailure.malformed) { _ = try hint(bare) }
    }
}

extension [UInt8] {
    fileprivate var halves: ([UInt8], [UInt8]) { (Array(prefix(count / 2)), Array(suffix(count / 2))) }
}
