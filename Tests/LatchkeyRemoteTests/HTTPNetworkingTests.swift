import Foundation
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyRemote

@Suite(.timeLimit(.minutes(60)))
struct HTTPNetworkingTests {
    // MARK: Responses

    /// Each row of the table is an HTTP response of the service. A row without `expect` must be reported as a fault.
    @Test func `each valid HTTP response is decoded, and any other is a fault`() async throws {
        let rows = try JSONLines.rows(in: "remote/answers.jsonl")
        let world = try HTTPWorld(answers: rows)
        for row in rows {
            let why = try #require(row["why"]?.string)
            let call = try #require(row["call"]?.string.flatMap { AccountType(rawValue: $0) })
            await world.store.hold(Secret("old"))
            let response = await world.call(call)
            let expected =
                row["expect"] ?? .object([("outcome", .string("unavailable")), ("code", .string("unavailable"))])
            #expect(response.outline == expected, "\(why): \(response.outline.encoded)")
            if row["padded_token"] == nil {
                #expect(await world.store.held == row["token"]?.string ?? "old", "\(why)")
            }
            #expect(world.faults.withLock { $0.isEmpty } == (row["expect"] != nil), "\(why)")
            world.faults.withLock { $0 = [] }
        }
        #expect(try world.requests().count == rows.count, "one request each, and no redirect is followed")
    }

    // MARK: Requests

    @Test func `secrets arrive unchanged in a request`() async throws {
        let secrets = [
            "plain", "quote \" and \\ backslash", "tab \t line \n return \r bell \u{7} unit \u{1F} delete \u{7F}",
            "é ñ 漢字 🔑 \u{2028}",
            "</script>", "%00%s", String(repeating: "x", count: 8000), "",
        ]
        let world = try HTTPWorld(answers: secrets.map { _ in HTTPWorld.success })
        for secret in secrets {
            let response = await world.networking.perform(
                call: .login,
                with: Credentials([
                    .username: .text("ad\"á\\\n"), .password: .secret(Secret(secret)),
                    FieldKey(rawValue: "vip"): .boolean(true),
                    FieldKey(rawValue: "topics"): .list(["a;b", "\u{1}"]), FieldKey(rawValue: "hidden"): .hidden,
                ]))
            #expect(response.code == .success)
        }
        let requests = try world.requests()
        for (request, secret) in zip(requests, secrets) {
            // Foundation's parser is an independent implementation.
            let body = try #require(try JSONSerialization.jsonObject(with: request.body) as? [String: Any])
            #expect(Array(body.keys) == ["values"])
            let values = try #require(body["values"] as? [String: Any])
            #expect(Set(values.keys) == ["username", "password", "vip", "topics"])
            #expect((values["password"] as? String)?.utf8.elementsEqual(secret.utf8) == true)
            #expect(values["username"] as? String == "ad\"á\\\n" && values["vip"] as? Bool == true)
            #expect(values["topics"] as? [String] == ["a;b", "\u{1}"])
        }
    }

    @Test func `a request has the right path and content type, and only the necessary headers`() async throws {
        let world = try HTTPWorld(answers: [HTTPWorld.success])
        _ = await world.call(.login)
        let request = try #require(try world.requests().first)
        #expect(request.method == "POST" && request.path == "/api/v1/flows/login")
        #expect(
            request.headers == [
                "host": "127.0.0.1:\(world.server.port)", "user-agent": "Latchkey/1.2",
                "content-type": "application/json",
                "accept": "application/json, application/problem+json", "content-length": "\(request.body.count)",
            ])
    }

    @Test func `an unusable value is sent as a NUL, which every service refuses`() async throws {
        let world = try HTTPWorld(answers: [HTTPWorld.success, HTTPWorld.success])
        for value in [Credentials.Value.unusable, .secret(Secret(copying: [0x61, 0xFF].span))] {
            _ = await world.networking.perform(call: .login, with: Credentials([.password: value]))
        }
        for request in try world.requests() {
            #expect(String(decoding: request.body, as: UTF8.self) == #"{"values":{"password":"\u0000"}}"#)
        }
    }

    @Test func `values too large for a request are not sent`() async throws {
        let world = try HTTPWorld(answers: [])
        let values: [Credentials.Value] = [
            .secret(Secret(String(repeating: "x", count: 65_536))),
            .secret(Secret(String(repeating: "\u{1}", count: 11_000))),
            .text(String(repeating: "é", count: 32_768)),
        ]
        for value in values {
            #expect(
                await world.networking.perform(call: .login, with: Credentials([.password: value])) == .unavailable())
        }
        #expect(world.faults.withLock { $0 } == [.valuesTooLarge, .valuesTooLarge, .valuesTooLarge])
        #expect(try world.requests().isEmpty)
    }

    // MARK: The token

    @Test(arguments: AccountType.allCases)
    func `calls that require a session send the token`(call: AccountType) async throws {
        let world = try HTTPWorld(answers: [HTTPWorld.success])
        await world.store.hold(Secret("T0ken"))
        _ = await world.call(call)
        let sent = try world.requests().first?.headers["authorization"]
        let isSent = ![.setup, .forgotPassword, .resetPassword, .secondFactor].contains(call)
        #expect(sent == (isSent ? "Bearer T0ken" : nil))
    }

    @Test(arguments: [AccountType.secondFactor, .addFactor])
    func `a second factor sends the token of its pending login`(call: AccountType) async throws {
        let world = try HTTPWorld(answers: [HTTPWorld.success])
        await world.store.hold(Secret("T0ken"))
        await world.store.save(pendingLogin: Secret("P3nding"))
        _ = await world.call(call)
        #expect(try world.requests().first?.headers["authorization"] == "Bearer P3nding")
    }

    @Test(arguments: [nil, "a b", "a\r\nX: y", "", "é"] as [String?])
    func `a call that requires a token is not sent without a valid one`(token: String?) async throws {
        let world = try HTTPWorld(answers: [])
        if let token { await world.store.hold(Secret(token)) }
        for call in [AccountType.changePassword, .profile, .deleteAccount, .reauthenticate, .secondFactor, .addFactor] {
            #expect(await world.call(call) == .refused(.noSession))
        }
        #expect(try world.requests().isEmpty)
    }

    @Test func `an unreadable token is a storage failure, except for a login`() async throws {
        let world = try HTTPWorld(answers: [HTTPWorld.success])
        await world.store.hold(Secret("T0ken"))
        await world.store.fail(reading: true)
        #expect(await world.call(.profile) == .unavailable(.storageFailed))
        #expect(await world.call(.login).code == .success)
        #expect(try world.requests().map { $0.headers["authorization"] } == [nil])
    }

    @Test func `a login whose token cannot be stored ends the session`() async throws {
        let world = try HTTPWorld(answers: [HTTPWorld.success, HTTPWorld.success])
        await world.store.fail(writing: true)
        #expect(await world.call(.login) == .unavailable(.storageFailed))
        let last = try #require(try world.requests().last)
        #expect(last.method == "DELETE" && last.path == "/api/v1/session" && last.body.isEmpty)
        #expect(last.headers["authorization"] == "Bearer new" && last.headers["content-type"] == nil)
    }

    @Test func `deleting an account deletes the token`() async throws {
        let refusal = try #require(
            JSONValue(line: #"{"status":401,"json":{"ok":false,"status":401,"code":"no_session"}}"#.utf8))
        let world = try HTTPWorld(answers: [refusal, HTTPWorld.success])
        await world.store.hold(Secret("T0ken"))
        _ = await world.call(.deleteAccount)
        #expect(await world.store.held != nil)
        #expect(await world.call(.deleteAccount).code == .success)
        #expect(await world.store.held == nil)
    }

    // MARK: Connections

    @Test func `a call works over TLS and over a Unix socket`() async throws {
        for world in [
            try HTTPWorld(answers: [HTTPWorld.success], .tls), try HTTPWorld(answers: [HTTPWorld.success], .socket),
        ] {
            #expect(await world.call(.login).code == .success)
            #expect(await world.store.held == "new")
        }
    }

    @Test func `a wrong certificate ends the call before any data is sent`() async throws {
        for connection in [HTTPWorld.Connection.untrusted, .otherHost] {
            let world = try HTTPWorld(answers: [HTTPWorld.success], connection)
            #expect(await world.call(.login) == .unavailable())
            #expect(world.faults.withLock { $0 } == [.transfer(.certificate)])
            #expect(try world.requests().isEmpty)
        }
    }

    @Test func `a failed connection, missing TLS and a timeout are reported as faults`() async throws {
        let silent = try #require(JSONValue(line: #"{"silent":true}"#.utf8))
        let slow = try HTTPWorld(answers: [silent], limit: .milliseconds(300))
        #expect(await slow.call(.login) == .unavailable())
        #expect(slow.faults.withLock { $0 } == [.transfer(.timedOut)])
        let closed = try ClosedPort()
        let origin = try RemoteOrigin("http://127.0.0.1:\(closed.number)")
        let plain = try HTTPWorld(answers: [])
        let wrong = try RemoteOrigin("https://127.0.0.1:\(plain.server.port)")
        for (origin, fault) in [
            (origin, TransferFailure.unreachable), (try RemoteOrigin("unix:/nowhere/x"), .unreachable),
            (wrong, .unencrypted),
        ] {
            let faults = Locked<[HTTPNetworking.Fault]>([])
            let networking = HTTPNetworking(
                origin: origin, sessionStore: MemoryTokenStore(), threads: WorkerThreads(count: 1, waitingLimit: 1),
                report: { fault in faults.withLock { $0.append(fault) } })
            let response = await networking.perform(call: .login, with: Credentials([:]))
            #expect(response == .unavailable() && faults.withLock { $0 } == [.transfer(fault)])
            withExtendedLifetime(closed) {}
        }
    }
}

extension NetworkResponse {
    /// The outline of a response, in the format of the table.
    fileprivate var outline: JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        func add(_ outcome: String) {
            members += [("outcome", .string(outcome)), ("code", .string(code.rawValue))]
        }
        switch outcome {
        case .success: add("success")
        case .mustChangePassword: add("must_change_password")
        case .unavailable: add("unavailable")
        case .refused(let failures):
            add("refused")
            members.append(("failures", .array(failures.map(\.json))))
        case .throttled(let retryAfter):
            add("throttled")
            members.append(("retry_after_ms", .integer(Int(retryAfter / .milliseconds(1)))))
        }
        if let account { members.append(("account", account.json)) }
        if let failedLogins { members.append(("failed_logins", failedLogins.json)) }
        return .object(members)
    }
}
