import LatchkeyRemote
import LatchkeySecrets
import Testing

@Suite(.timeLimit(.minutes(60)))
struct RemoteOriginTests {
    @Test(arguments: [
        ("https://accounts.example.org", "https://accounts.example.org"),
        ("HTTPS://Accounts.Example.ORG:443/", "https://accounts.example.org"),
        ("https://accounts.example.org:8443", "https://accounts.example.org:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"), ("https://192.0.2.7", "https://192.0.2.7"),
        ("https://[2001:DB8:0:0::1]:8443", "https://[2001:db8::1]:8443"),
        ("http://localhost:8421", "http://localhost:8421"),
        ("http://127.0.0.1:8421", "http://127.0.0.1:8421"), ("http://127.9.9.9", "http://127.9.9.9"),
        ("http://[0:0:0:0:0:0:0:1]:80", "http://[::1]"), ("unix:/run/latchkey.sock", "unix:/run/latchkey.sock"),
    ])
    func `an origin has one canonical form`(text: String, expected: String) throws {
        let origin = try RemoteOrigin(text)
        #expect(origin.text == expected && origin.description == expected)
        #expect(try RemoteOrigin(expected) == origin)
        #expect(origin.digest == SHA256Digest.of(expected.utf8Span.span))
    }

    @Test(arguments: [
        "http://accounts.example.org", "http://192.0.2.7", "http://128.0.0.1", "http://localhost.example.org",
        "http://a.localhost", "http://[::2]", "http://[::ffff:127.0.0.1]", "http://127.0.0.1.example.org",
    ])
    func `plain HTTP to another machine is refused`(text: String) {
        let error = #expect(throws: RemoteOriginError.self) { try RemoteOrigin(text) }
        if case .unencrypted? = error {} else { Issue.record("\(String(describing: error))") }
    }

    @Test(arguments: [
        "", "accounts.example.org", "https:", "https://", "https:///", "ftp://example.org", "file:///etc/passwd",
        "https://user@example.org", "https://user:secret@example.org", "https://example.org/path",
        "https://example.org//",
        "https://example.org?x=1", "https://example.org#x", "https://example.org:", "https://example.org:0",
        "https://example.org:65536", "https://example.org:+443", "https://example.org:4 43", "https://exa mple.org",
        "https://example.org\r\nX: y", "https://example.org\u{0}", "https://example..org", "https://example.org.",
        "https://-x.example", "https://127.1", "https://0x7f.0.0.1", "https://0177.0.0.1", "https://2130706433",
        "https://256.1.1.1", "https://[::1", "https://::1", "https://[fe80::1%25eth0]", "https://[127.0.0.1]",
        "https://exam_ple.org", "http://localhost:8421\\@example.org", " https://example.org", "unix", "UNIX:/run/x",
    ])
    func `invalid origins are refused`(text: String) {
        #expect(throws: RemoteOriginError.malformed) { try RemoteOrigin(text) }
    }

    @Test(arguments: [
        "unix:", "unix:/", "unix:run/x", "unix:/run/\u{0}", "unix:/run/\n", "unix://\u{85}",
        "unix:/" + String(repeating: "x", count: 107),
    ])
    func `a socket path must be absolute and not too long`(text: String) {
        #expect(throws: RemoteOriginError.socketPath) { try RemoteOrigin(text) }
    }
}
