import Foundation
import LatchkeyTesting
import TestSupport
import Testing

/// `device approve`, with a device that asks a running service.
@Suite(.programs, .timeLimit(.minutes(60)))
struct DeviceCommandTests {
    /// A service with an application for devices, to whose account `ada` the machine is logged in.
    private final class Setting {
        let sandbox: Sandbox
        let service: RunningBinary

        init() throws {
            sandbox = try Sandbox()
            try sandbox.setUp("ada")
            try #require(
                try sandbox.latchkey(
                    "login", "--username", "ada", "--password-stdin", input: Sandbox.password + "\n"
                ).status == 0)
            try #require(
                try sandbox.latchkey(
                    "applications", "add", "tv", "--name", "Television", "--public", "--grant", "device"
                )
                .status == 0)
            service = try RunningBinary(
                sandbox, ["serve", "--listen", "unix:" + sandbox.folder.appending(path: "s").path])
            let socket = sandbox.folder.appending(path: "s").path
            try service.wait { FileManager.default.fileExists(atPath: socket) }
        }

        deinit { service.signal(SIGTERM) }

        func post(_ path: String, _ pairs: String...) throws -> [String: Any] {
            let data = pairs.flatMap { ["-d", $0] }
            let ending = try Program(
                path: "/usr/bin/curl",
                arguments: [
                    "-s", "--unix-socket", sandbox.folder.appending(path: "s").path, "http://localhost" + path,
                ] + data, input: Data(), environment: sandbox.environment, folder: sandbox.folder
            ).run()
            return try ending.json()
        }

        /// The code that a new device shows, and what its poll gets.
        func device() throws -> (code: String, poll: () throws -> String) {
            let begun = try post("/oauth/device", "client_id=tv", "scope=openid email")
            let code = try #require(begun["user_code"] as? String, "\(begun)")
            let device = try #require(begun["device_code"] as? String)
            return (
                code,
                { [self] in
                    let answer = try post(
                        "/oauth/token", "client_id=tv", "device_code=" + device,
                        "grant_type=urn:ietf:params:oauth:grant-type:device_code")
                    return answer["error"] as? String ?? (answer["access_token"] == nil ? "nothing" : "tokens")
                }
            )
        }
    }

    /// S-215.
    @Test func `a script connects a device, and a wrong code connects none`() throws {
        let setting = try Setting()
        let (code, poll) = try setting.device()
        let unasked = try setting.sandbox.latchkey("device", "approve", code)
        #expect(unasked.status == 64 && unasked.stderr.contains("--yes"))
        for wrong in ["BCDF-GHJK", "x", ""] {
            let refused = try setting.sandbox.latchkey("device", "approve", wrong, "--yes", "--json")
            #expect(refused.status == 1 && refused.stdout.contains("device_unknown"), "\(wrong) \(refused.stderr)")
        }
        let typed = code.lowercased().replacing("-", with: "")
        let done = try setting.sandbox.latchkey("device", "approve", typed, "--yes")
        #expect(done.status == 0 && done.stdout == "Television is connected\n", "\(done.stderr)")
        #expect(try poll() == "tokens")
        #expect(try setting.sandbox.latchkey("device", "approve", code, "--yes").status == 1, "it works once")
    }

    /// S-215.
    @Test(arguments: [("\r", "access_denied"), ("\u{1B}[B\r", "tokens"), ("\u{1B}", "authorization_pending")])
    func `a terminal shows the request first`(keys: String, answer: String) async throws {
        let setting = try Setting()
        let (code, poll) = try setting.device()
        let session = try PtySession(
            Sandbox.binary.path, ["device", "approve", code], environment: setting.sandbox.environment)
        for text in ["Code: " + code, "Television asked", "ada@example.org", "Connect Television to your account?"] {
            try await session.expect(text)
        }
        session.send(keys)
        #expect(try await session.waitForExit() == .status(answer == "authorization_pending" ? 1 : 0))
        #expect(try poll() == answer)
    }

    /// S-208, S-215.
    @Test func `nobody connects a device without a session, or of an application that is for others`() throws {
        let setting = try Setting()
        let (code, poll) = try setting.device()
        #expect(try setting.sandbox.latchkey("groups", "create", "staff").status == 0)
        #expect(try setting.sandbox.latchkey("applications", "update", "tv", "--group", "staff").status == 0)
        let refused = try setting.sandbox.latchkey("device", "approve", code, "--yes")
        #expect(refused.status == 1 && refused.stderr.contains("members of certain groups"), "\(refused.stderr)")
        #expect(try poll() == "access_denied")
        #expect(try setting.sandbox.latchkey("logout").status == 0)
        #expect(try setting.sandbox.latchkey("device", "approve", code, "--yes").status == 1)
    }
}
