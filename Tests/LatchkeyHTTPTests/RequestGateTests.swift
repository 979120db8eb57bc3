import TestSupport
import Testing

@testable import LatchkeyHTTP

/// S-158: the gate alone, because libmicrohttpd refuses some of these requests itself.
@Suite(.timeLimit(.minutes(60)))
struct RequestGateTests {
    private func verdict(
        _ headers: [(String, String)], method: String = "POST", version: String = "HTTP/1.1"
    ) -> RequestGate.Verdict {
        var gate = RequestGate(HTTPLimits())
        for (name, value) in [("Host", "a")] + headers {
            gate.add(name: Array(name.utf8).span, value: Array(value.utf8).span)
        }
        return gate.verdict(method: method, target: HTTPTarget("/"), version: version)
    }

    @Test func `one length passes`() {
        #expect(verdict([("Content-Length", "3")]) == .passes(bodyLength: 3))
        #expect(verdict([]) == .passes(bodyLength: 0))
    }

    @Test(arguments: [
        [("Content-Length", "3"), ("Content-Length", "5")], [("Content-Length", "3"), ("content-length", "3")],
        [("Content-Length", "0"), ("Content-Length", "")], [("Content-Length", "3, 3")], [("Content-Length", "")],
        [("Host", "b")], [("host", "a")], [("Authorization", "Bearer a"), ("authorization", "Bearer a")],
    ])
    func `two headers of which only one may exist are refused`(headers: [(String, String)]) {
        #expect(verdict(headers) == .refused(status: 400))
    }

    @Test func `a body of unknown length, an old version and a folded line are refused`() {
        #expect(verdict([("Transfer-Encoding", "chunked"), ("Content-Length", "3")]) == .refused(status: 411))
        #expect(verdict([], version: "HTTP/2.0") == .refused(status: 505))
        #expect(verdict([("A", "b\r\n c")]) == .refused(status: 400))
        #expect(verdict([("Content-Length", "3")], method: "GET") == .refused(status: 400))
        #expect(verdict([("Content-Length", "65537")]) == .refused(status: 413))
    }
}
