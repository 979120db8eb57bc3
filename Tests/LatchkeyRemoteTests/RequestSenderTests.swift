import Foundation
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyRemote

/// S-232.
@Suite(.timeLimit(.minutes(60)))
struct RequestSenderTests {
    /// The status of a response, or the reason of its failure.
    private func post(_ answer: String, to path: String = "/logout?a=b", total: Duration = .seconds(600))
        async throws -> (result: String, world: HTTPWorld)
    {
        let world = try HTTPWorld(answers: [try #require(JSONValue(line: answer.utf8))])
        let sender = RequestSender(threads: WorkerThreads(count: 1, waitingLimit: 4), total: total, agent: "latchkey/1")
        do throws(TransferFailure) {
            let form = Secret("logout_token=a.b.c")
            let status = try await sender.post(form, to: "http://127.0.0.1:\(world.server.port)\(path)")
            return ("\(status)", world)
        } catch {
            return (error.reason, world)
        }
    }

    @Test func `a form arrives as it is, and the status comes back`() async throws {
        let (result, world) = try await post(#"{"status":204}"#)
        #expect(result == "204")
        let request = try #require(try world.requests().first)
        #expect(request.method == "POST" && request.path == "/logout?a=b")
        #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(request.headers["user-agent"] == "latchkey/1" && request.headers["authorization"] == nil)
        #expect(String(decoding: request.body, as: UTF8.self) == "logout_token=a.b.c")
    }

    @Test func `the status and the first line of a text come back`() async throws {
        let world = try HTTPWorld(answers: [try #require(JSONValue(line: #"{"status":503,"body":"not ready"}"#.utf8))])
        let sender = RequestSender(
            threads: WorkerThreads(count: 1, waitingLimit: 4), total: .seconds(600), agent: "latchkey/1")
        let answer = try await sender.get("http://127.0.0.1:\(world.server.port)/readyz")
        #expect(answer.status == 503 && answer.line.contains("not ready"))
        let request = try #require(try world.requests().first)
        #expect(request.method == "GET" && request.path == "/readyz" && request.body.isEmpty)
    }

    @Test func `no redirect is followed`() async throws {
        let (result, world) = try await post(#"{"status":302,"headers":{"Location":"/other"}}"#)
        #expect(result == "302")
        #expect(try world.requests().count == 1)
    }

    @Test(arguments: [(4096, false), (4097, true)])
    func `a response of more than 4 KiB is refused`(size: Int, isRefused: Bool) async throws {
        let (result, _) = try await post(#"{"status":200,"padding":\#(size)}"#)
        #expect(result == (isRefused ? "the response is too large" : "200"))
    }

    @Test func `an address that does not respond in time is given up`() async throws {
        let (result, _) = try await post(#"{"status":200,"silent":true}"#, total: .milliseconds(200))
        #expect(result == "timed out")
        let closed = try ClosedPort()
        let sender = RequestSender(
            threads: WorkerThreads(count: 1, waitingLimit: 4), total: .seconds(600), agent: "latchkey/1")
        await #expect(throws: TransferFailure.unreachable) {
            try await sender.post(Secret("a=b"), to: "http://127.0.0.1:\(closed.number)/")
        }
    }
}
