import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ClientValueTests {
    struct URIRow: Decodable {
        let uri: String
        let allowHTTP: Bool
        let schemes: [String]
        let failure: String?
        let why: String
    }

    struct MatchRow: Decodable {
        let registered: String
        let requested: String
        let isPublic: Bool
        let matches: Bool
        let why: String
    }

    struct IDRow: Decodable {
        let id: String
        let valid: Bool
        let why: String
    }

    /// OpenID rules 3 and 33.
    @Test func `a redirect URI is registered or refused with the rule in the table`() throws {
        var failures: Set<String> = []
        for row in try Fixture.rows(of: URIRow.self, in: "openid/redirect-uris.jsonl") {
            let exceptions = RedirectURI.Exceptions(allowsHTTP: row.allowHTTP, schemes: Set(row.schemes))
            var failure: String?
            do throws(RedirectURIFailure) {
                let uri = try RedirectURI(row.uri, allowing: exceptions)
                #expect(uri.text == row.uri)
            } catch {
                failure = error.rawValue
                failures.insert(error.rawValue)
            }
            #expect(failure == row.failure, "\(row.uri): \(row.why)")
        }
        // Only logout URIs have that rule.
        let rules = RedirectURIFailure.allCases.filter { $0 != .notWeb }
        #expect(failures == Set(rules.map(\.rawValue)), "every rule has a case")
    }

    /// OpenID rule 2.
    @Test func `a requested URI matches the registered one as in the table`() throws {
        for row in try Fixture.rows(of: MatchRow.self, in: "openid/redirect-matches.jsonl") {
            let uri = try RedirectURI(row.registered)
            let matches = uri.matches(row.requested, isPublic: row.isPublic)
            #expect(matches == row.matches, "\(row.registered), \(row.requested): \(row.why)")
            let areSame = Array(row.registered.utf8) == Array(row.requested.utf8)
            #expect(uri.isIdentical(to: row.requested) == areSame, "\(row.registered), \(row.requested)")
        }
    }

    @Test(arguments: [
        ("https://wiki.example.org/cb", "https://wiki.example.org"),
        ("https://Wiki.example.org:443/cb", "https://wiki.example.org"),
        ("https://wiki.example.org:8443?x", "https://wiki.example.org:8443"), ("http://[::1]:80/", "http://[::1]"),
        ("org.example.app://cb", nil), ("org.example.app:/cb", nil),
    ])
    func `a redirect URI has the origin that browsers send`(uri: String, origin: String?) throws {
        #expect(try RedirectURI(uri).origin == origin)
    }

    /// S-232 and mistake 16.
    @Test func `an address for logout tokens is HTTPS, or HTTP to this machine`() throws {
        for fine in [
            "https://wiki.example.org/logout?a=b", "https://wiki.example.org:8443/", "http://127.0.0.1:80/x",
            "http://[::1]/", "http://localhost/x",
        ] {
            #expect(try LogoutURI(fine).text == fine)
        }
        for (bad, failure) in [
            ("http://wiki.example.org/", .notSecure), ("http://localhost.example.org/", .notSecure),
            ("https://a@wiki.example.org/", .userInfo), ("https://wiki.example.org/#a", .fragment),
            ("https://wiki.example.org/../x", .dotSegment), ("https:///x", .host), ("ftp://wiki.example.org/", .notWeb),
            ("file:///etc/passwd", .notWeb), ("gopher://127.0.0.1/", .notWeb), ("org.example.app:/x", .notWeb),
            ("/logout", .noScheme), ("", .noScheme), ("HTTPS://wiki.example.org/", .noScheme),
        ] as [(String, RedirectURIFailure)] {
            #expect(throws: failure, "\(bad)") { try LogoutURI(bad) }
        }
        #expect(try LogoutURI("http://wiki.example.org/", allowsHTTP: true).text == "http://wiki.example.org/")
        #expect(throws: RedirectURIFailure.notWeb) { try LogoutURI("file:///etc/passwd", allowsHTTP: true) }
    }

    @Test func `every rule of redirect URIs has a text`() {
        let texts = RedirectURIFailure.allCases.map(\.rule)
        #expect(Set(texts).count == texts.count)
        #expect(texts.allSatisfy { $0.hasPrefix("must ") })
    }

    /// OpenID rule 33.
    @Test func `a client ID has only unreserved characters`() throws {
        for row in try Fixture.rows(of: IDRow.self, in: "openid/client-ids.jsonl") {
            #expect((ClientID(row.id) != nil) == row.valid, "\(row.id): \(row.why)")
        }
        #expect(ClientID("wiki") != ClientID("Wiki"))
    }
}
