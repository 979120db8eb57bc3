import LatchkeyForms
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct RequestValueTests {
    struct ScopeRow: Decodable {
        let scope: String
        let names: [String]?
        let why: String
    }

    struct ChallengeRow: Decodable {
        let challenge: String
        let verifier: String
        /// `match`, `differ` or `invalid`.
        let verdict: String
        let why: String
    }

    @Test func `a scope parameter has the scopes in the table`() throws {
        for row in try Fixture.rows(of: ScopeRow.self, in: "openid/scopes.jsonl") {
            let scopes = Scopes(row.scope)
            #expect(scopes?.all.map(\.name) == row.names, "\(row.scope): \(row.why)")
            if let scopes { #expect(Scopes(scopes.text) == scopes) }
        }
    }

    @Test func `scopes are compared as sets and stay in order`() throws {
        let scopes = Scopes([.openID, .email, .openID, .groups])
        #expect(scopes.text == "openid email groups")
        #expect(scopes.intersection(Scopes([.groups, .openID, .profile])).text == "openid groups")
        #expect(Scopes([.email]).isSubset(of: scopes))
        #expect(!Scopes([.email, .profile]).isSubset(of: scopes))
        #expect(scopes.contains(.email))
        #expect(try #require(Scopes("")).isEmpty)
    }

    /// OpenID rule 7.
    @Test func `a verifier belongs to a challenge as in the table`() throws {
        for row in try Fixture.rows(of: ChallengeRow.self, in: "openid/pkce.jsonl") {
            let challenge = CodeChallenge(row.challenge)
            let verdict = challenge.map { $0.matches(Secret(row.verifier)) ? "match" : "differ" } ?? "invalid"
            #expect(verdict == row.verdict, "\(row.why)")
        }
    }

    /// OpenID rule 32.
    @Test func `a description has only the characters that RFC 6749 allows`() {
        let error = OAuthError(.invalidRequest, "A \"quoted\\ \u{E9}\n\u{7F}\u{1F511} text~!")
        #expect(error.description == "A 'quoted' ???? text~!")
        #expect(
            error.json.encoded == #"{"error":"invalid_request","error_description":"A 'quoted' ???? text~!"}"#)
        #expect(error.challenge == #"error="invalid_request", error_description="A 'quoted' ???? text~!""#)
    }

    @Test func `an error has the status of its RFC`() {
        let statuses = Dictionary(
            grouping: OAuthError.Code.allCases.filter { OAuthError($0, "").status != 400 }
        ) { OAuthError($0, "").status }
        #expect(
            statuses == [
                401: [.invalidClient, .invalidToken], 403: [.insufficientScope], 500: [.serverError],
                503: [.temporarilyUnavailable],
            ])
    }
}
