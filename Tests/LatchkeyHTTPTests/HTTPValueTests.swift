import LatchkeyHTTP
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct HTTPValueTests {
    @Test(
        arguments: [
            ("/", [], ""), ("/a", ["a"], ""), ("/a/", ["a", ""], ""), ("//a", ["", "a"], ""), ("/a%2Fb", ["a/b"], ""),
            ("/%C3%A9", ["é"], ""), ("/a?x=1&y=%20+&z", ["a"], "x=1|y=  |z="), ("/?a=b=c", [], "a=b=c"),
            ("/..%2f..", ["../.."], ""), ("/a|b^[c]", ["a|b^[c]"], ""),
            (#"/?a={b}`\^|"#, [], #"a={b}`\^|"#), ("/?100%&%zz&%4", [], "100%=|%zz=|%4="),
            ("/?%ff=%00", [], "\u{FFFD}=\u{FFFD}"),
        ] as [(String, [String], String)])
    func `a request target is decoded`(text: String, path: [String], query: String) throws {
        let target = try #require(HTTPTarget(text))
        #expect(target.path == path)
        #expect(target.query.map { "\($0.name)=\($0.value)" }.joined(separator: "|") == query)
    }

    @Test(arguments: [
        "", "a", "*", "http:///", "http://a@b/", #"http://a\b/"#, "ftp://a/", "/ ", "/%", "/%4", "/%00", "/%ff", "/é",
        "/#a",
        "/?#", "/\u{7F}", "/a\"b", "/<", #"/a\b"#, "/{a}",
    ]) func `a target that parsers interpret differently is refused`(text: String) {
        #expect(HTTPTarget(text) == nil)
    }

    @Test func `a target may have at most 16 KiB`() {
        #expect(HTTPTarget("/" + String(repeating: "a", count: 16_383)) != nil)
        #expect(HTTPTarget("/" + String(repeating: "a", count: 16_384)) == nil)
    }

    @Test(
        arguments: [
            ("text/html", "text/html"), ("Text/HTML ; charset=\"a;b\"", "text/html"), ("text/html;;q=1", "text/html"),
            ("text/html, text/plain", nil), ("text/html x", nil), ("text/html;a=\"b", nil), ("", nil),
            ("\"text/html\"", nil),
        ] as [(String, String?)])
    func `a content type is read as a whole`(value: String, type: String?) throws {
        var headers = HTTPHeaders()
        headers.add("Content-Type", value)
        #expect(HTTPRequest(method: "POST", target: try #require(HTTPTarget("/")), headers: headers).mediaType == type)
    }

    @Test(
        arguments: [
            (#"a="1; session=evil"; session=two"#, "two"), (#"a="\"; session=evil"; session=two"#, "two"),
            (#"a="1; session=two"#, "two"), (#"a="1"x; session=two; b="2""#, "two"),
            (#"a=b="1; session=two; c=""#, "two"),
            (#"session="two"; a"#, #""two""#), (#"a="1; session=evil""#, nil),
        ] as [(String, String?)])
    func `a quoted value of a cookie is one value`(header: String, value: String?) {
        var headers = HTTPHeaders()
        headers.add("Cookie", header)
        #expect(headers.cookies("session").first?.text == value)
    }

    @Test func `cookies and tokens are found in the headers`() {
        var headers = HTTPHeaders()
        headers.add("Cookie", "a=1; session=two;  b=3;session=four")
        headers.add("Cookie", "session=two; c=; session=six")
        headers.add("Authorization", "bEARER xyz")
        #expect(headers.cookies("session").map(\.text) == ["two", "four", "six"])
        #expect(headers.cookies("b").map(\.text) == ["3"])
        #expect(headers.cookies("c").map(\.text) == [""])
        #expect(headers.cookies("sess").isEmpty)
        #expect(headers.bearerToken?.text == "xyz")
        #expect(headers["authorization"] == nil)
        #expect(headers["cookie"] == nil)
    }

    @Test func `a query parameter or a header that occurs twice has no value`() throws {
        let target = try #require(HTTPTarget("/?a=1&b=2&a=1&c=3&b=4"))
        #expect(target["a"] == nil && target["b"] == nil && target["c"] == "3" && target["d"] == nil)
        #expect(target.repeatedName == "a")
        #expect(HTTPTarget("/?a=1&b=1")?.repeatedName == nil)
        for name in ["Origin", "Sec-Fetch-Site", "X-Forwarded-Host", "Content-Type"] {
            var headers = HTTPHeaders()
            headers.add(name, "one")
            #expect(headers[name.lowercased()] == "one")
            headers.add(name, "one")
            #expect(headers[name.lowercased()] == nil, "\(name)")
        }
        for name in ["Authorization", "Latchkey-Device"] {
            var headers = HTTPHeaders()
            headers.add(name, "Bearer one")
            #expect(headers.secret(name.lowercased()) != nil)
            headers.add(name, "Bearer one")
            #expect(headers.secret(name.lowercased()) == nil && headers.bearerToken == nil, "\(name)")
        }
    }

    @Test(arguments: ["Basic xyz", "Bearer", "Bearerxyz", ""])
    func `another authorization scheme is not a token`(value: String) {
        var headers = HTTPHeaders()
        headers.add("authorization", value)
        #expect(headers.bearerToken == nil)
    }

    @Test(
        arguments: [
            ("127.0.0.1:8421", .address(HTTPAddress("127.0.0.1")!, port: 8421)), ("8421", .standard()),
            ("localhost:8421", .standard()), ("localhost", .standard()),
            ("[::1]", .address(HTTPAddress("::1")!, port: 8421)), ("[::1]:80", .address(HTTPAddress("::1")!, port: 80)),
            (":80", .address(HTTPAddress("::")!, port: 80)), ("unix:/run/a", .unix(path: "/run/a")), ("::1:80", nil),
            ("a:80", nil), ("127.0.0.1", .standard()), ("::1", nil), ("127.0.0.1:", nil), ("127.0.0.1:65536", nil),
            ("127.0.0.1:080", nil),
            ("unix:a", nil), ("", nil),
        ] as [(String, ListenAddress?)])
    func `a listening address is parsed`(text: String, address: ListenAddress?) {
        #expect(ListenAddress(text) == address)
    }

    @Test func `only the loopback interface and Unix sockets are local`() {
        #expect(ListenAddress.standard().isLocal)
        #expect(ListenAddress.unix(path: "/a").isLocal)
        #expect(ListenAddress(":80")?.isLocal == false)
        #expect(ListenAddress("0.0.0.0:80")?.isLocal == false)
    }

    @Test func `a network contains the addresses of its prefix`() throws {
        let network = try #require(HTTPNetwork("10.1.0.0/16"))
        #expect(network.contains(try #require(HTTPAddress("10.1.255.255"))))
        #expect(network.contains(try #require(HTTPAddress("::ffff:10.1.2.3"))))
        #expect(!network.contains(try #require(HTTPAddress("10.2.0.0"))))
        #expect(!network.contains(try #require(HTTPAddress("::1"))))
        #expect(HTTPNetwork("0.0.0.0/0")?.contains(try #require(HTTPAddress("192.0.2.1"))) == true)
        #expect(HTTPNetwork("2001:db8::/32")?.contains(try #require(HTTPAddress("2001:db8:1::1"))) == true)
        for text in ["10.1.0.1/16", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/ 8", "10.0.0.0/", "x", ""] {
            #expect(HTTPNetwork(text) == nil, "\(text)")
        }
    }

    struct ProxyRow: Decodable, Sendable {
        let header: String
        let values: [String]
        let peer: String?
        let client: String?
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: ProxyRow.self, in: "http/proxies.jsonl"))
    func `the client is the last hop that is not a trusted proxy`(row: ProxyRow) throws {
        let proxies = TrustedProxies(
            ["10.0.0.0/8", "2001:db8::/32"].compactMap { HTTPNetwork($0) }, unixSockets: true,
            header: try #require(TrustedProxies.Header(rawValue: row.header)))
        var headers = HTTPHeaders()
        for value in row.values {
            let sides = value.split(separator: ": ", maxSplits: 1)
            headers.add(String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
        }
        let request = HTTPRequest(
            method: "GET", target: try #require(HTTPTarget("/")), headers: headers,
            peer: row.peer.flatMap { HTTPAddress($0) })
        #expect(proxies.client(of: request)?.text == row.client, "\(row.why)")
    }
}
