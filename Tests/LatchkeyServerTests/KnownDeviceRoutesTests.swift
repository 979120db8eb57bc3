import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import TestSupport
import Testing

/// S-44: the device token that a browser or a program stores.
@Suite(.timeLimit(.minutes(60)))
struct KnownDeviceRoutesTests {
    private static let login = #"{"values":{"username":"ada","password":"\#(World.password)"}}"#
    private static let wrong = #"{"values":{"username":"ada","password":"not the password"}}"#

    private static func world() async throws -> ServiceWorld {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        return world
    }

    private static func logIn(
        _ world: ServiceWorld, _ body: String = login, device: String? = nil, from peer: String = "192.0.2.1"
    ) async throws -> HTTPResponse {
        try await world.send(
            "POST", "/api/v1/flows/login", body, headers: device.map { ["Latchkey-Device: " + $0] } ?? [], from: peer)
    }

    @Test func `a program gets a device token on request, and strangers then never delay it`() async throws {
        let world = try await Self.world()
        #expect(try await Self.logIn(world).json["device"] == nil, "nobody asked")
        let device = try #require(try await Self.logIn(world, device: "new").json["device"]?.string)
        #expect(device.hasPrefix("lkd_"))
        for _ in 0..<8 { _ = try await Self.logIn(world, Self.wrong, from: "198.51.100.1") }
        for stranger in [nil, "new", "lkd_", device + "x", "lkd_" + String(repeating: "A", count: 43)] {
            #expect(try await Self.logIn(world, device: stranger).status == 429, "\(stranger ?? "none")")
        }
        let response = try await Self.logIn(world, device: device)
        #expect(response.status == 200)
        #expect(try response.json["device"]?.string == device)
    }

    @Test func `others at the same network address do not use up the budget of a known device`() async throws {
        let world = try ServiceWorld { $0.budgets.changes = 3 }
        try await world.world.create("ada")
        let device = try #require(try await Self.logIn(world, device: "new").json["device"]?.string)
        for _ in 0..<5 { _ = try await Self.logIn(world, #"{"values":{}}"#) }
        #expect(try await Self.logIn(world).status == 429)
        #expect(try await Self.logIn(world, device: "lkd_" + String(repeating: "A", count: 43)).status == 429)
        for status in [200, 200, 200, 429] {
            #expect(try await Self.logIn(world, device: device).status == status)
        }
    }

    @Test func `a device adds no requests about another account, and several devices add no more`() async throws {
        let world = try ServiceWorld { $0.budgets.changes = 3 }
        try await world.world.create("ada")
        try await world.world.create("eve")
        func body(_ name: String) -> String { Self.login.replacing("ada", with: name) }
        var devices: [String] = []
        for number in 0..<3 {
            let response = try await Self.logIn(world, body("eve"), device: "new", from: "198.51.100.\(number)")
            devices.append(try #require(try response.json["device"]?.string))
        }
        let token = try await world.logIn("eve", from: "198.51.100.9")
        while try await Self.logIn(world, #"{"values":{}}"#).status != 429 {}
        for device in devices {
            #expect(try await Self.logIn(world, device: device).status == 429, "it is not ada's")
            let recovery = try await world.send(
                "POST", "/api/v1/flows/forgotPassword", #"{"values":{"email_field":"ada@example.org"}}"#,
                token: token, headers: ["Latchkey-Device: " + device])
            #expect(recovery.status == 429, "it is not about eve")
        }
        var statuses: [Int] = []
        for device in devices + devices {
            statuses.append(try await Self.logIn(world, body("eve"), device: device).status)
        }
        #expect(statuses == [200, 200, 200, 429, 429, 429])
    }

    @Test func `a known device has requests left for the second factor of its account`() async throws {
        let world = try ServiceWorld { $0.budgets.changes = 4 }
        let (_, phone, _) = try await world.world.createWithFactor("ada")
        func code(_ token: String, device: String) async throws -> HTTPResponse {
            try await world.send(
                "POST", "/api/v1/flows/secondFactor",
                #"{"values":{"code":"\#(phone.code(world.world.clock).text)"}}"#, token: token,
                headers: ["Latchkey-Device: " + device])
        }
        func pending(_ device: String) async throws -> String {
            try #require(try await Self.logIn(world, device: device).json["pending"]?.string)
        }
        let first = try await code(try await pending("new"), device: "new")
        let device = try #require(try first.json["device"]?.string, "\(first.text)")
        world.world.clock.advance(by: .seconds(30))
        while try await Self.logIn(world, #"{"values":{}}"#).status != 429 {}
        let waiting = try await pending(device)
        #expect(try await code(waiting, device: "new").status == 429)
        #expect(try await code(waiting, device: device).status == 200)
    }

    @Test func `a browser keeps a cookie for its device, also after the session`() async throws {
        let world = try await Self.world()
        func logIn(_ password: String, cookies: String) async throws -> HTTPResponse {
            try await world.submit(
                "/login", [("username", "ada"), ("password", password)], headers: ["Cookie: " + cookies])
        }
        let first = try await logIn(World.password, cookies: "")
        let header = try #require(
            first.headers.first { $0.name == "Set-Cookie" && $0.value.hasPrefix("latchkey-device=lkd_") }?.value)
        #expect(header.hasSuffix("; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax"))
        let cookie = String(header.prefix { $0 != ";" })
        for _ in 0..<8 { _ = try await Self.logIn(world, Self.wrong, from: "198.51.100.1") }
        #expect(try await logIn(World.password, cookies: "").status == 429)
        let again = try await logIn(World.password, cookies: cookie)
        #expect(again.status == 303)
        #expect(again.headers.contains { $0.value.hasPrefix(cookie + ";") }, "it lives on")
        let session = try #require(again.cookie)
        let end = try await world.submit("/logout", [], headers: ["Cookie: latchkey=\(session); \(cookie)"])
        #expect(!end.headers.contains { $0.value.hasPrefix("latchkey-device") })
        #expect(
            try await Self.logIn(world, device: String(cookie.dropFirst(16))).status == 200,
            "and works in the API, if a program may read it")
    }

    @Test func `the response does not contain the device token of a cookie`() async throws {
        let world = try await Self.world()
        let device = try #require(try await Self.logIn(world, device: "new").json["device"]?.string)
        let response = try await world.send(
            "POST", "/api/v1/flows/login", Self.login, headers: ["Cookie: latchkey-device=" + device])
        #expect(try response.json["device"] == nil)
    }
}
