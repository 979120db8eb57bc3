import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import TestSupport
import Testing

/// Groups in the API.
@Suite(.timeLimit(.minutes(60)))
struct GroupRoutesTests {
    private func token(_ scopes: Set<OperatorToken.Scope>, in world: ServiceWorld) async throws -> String {
        let made = try await world.world.service.createToken(
            "ci", scopes: scopes, lifetime: nil, by: .operatingSystemUser(7))
        return try #require(made).1.text
    }

    @Test func `a program creates a group, changes it and its members, and deletes it`() async throws {
        let world = try ServiceWorld()
        for name in ["ada", "bob"] { try await world.world.create(name) }
        let token = try await token([.readGroups, .writeGroups, .readAccounts], in: world)
        let created = try await world.send(
            "POST", "/api/v1/groups", #"{"values":{"name":"staff","title":"Staff"}}"#, token: token)
        #expect(try created.json["group"]?["title"]?.string == "Staff", "\(created.text)")
        for (method, name, changed) in [
            ("PUT", "ada", true), ("PUT", "ADA", false), ("PUT", "bob%40example.org", true), ("DELETE", "bob", true),
            ("DELETE", "bob", false),
        ] {
            let response = try await world.send(method, "/api/v1/groups/staff/members/" + name, token: token)
            #expect(try response.json["changed"] == .bool(changed), "\(method) \(name): \(response.text)")
        }
        let renamed = try await world.send(
            "PATCH", "/api/v1/groups/staff", #"{"values":{"name":"team"}}"#, token: token)
        #expect(try renamed.json["group"]?["members"]?.integer == 1, "\(renamed.text)")
        #expect(try renamed.json["group"]?["title"]?.string == "Staff", "a value that is not given stays")
        let account = try await world.send("GET", "/api/v1/accounts/ada", token: token)
        #expect(try account.json["account"]?["groups"] == .array([.string("team")]))
        let members = try await world.send("GET", "/api/v1/accounts?group=team", token: token)
        #expect(try members.json["accounts"]?.elements?.map { $0["username"]?.string } == ["ada"])
        #expect(try await world.send("DELETE", "/api/v1/groups/team", token: token).status == 200)
        #expect(try await world.send("GET", "/api/v1/groups", token: token).json["groups"] == .array([]))
    }

    /// S-191.
    @Test func `an owner reads their groups and cannot change them`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let staff = try await world.world.service.createGroup(GroupName("staff")!, by: .owner).name
        try await world.world.service.setMembership(
            of: AccountLookup("ada")!, in: staff, to: true, by: .operatingSystemUser(7))
        let session = try await world.logIn("ada")
        let own = try await world.send("GET", "/api/v1/session", token: session)
        #expect(try own.json["account"]?["groups"] == .array([.string("staff")]))
        for (method, path, body) in [
            ("GET", "/groups", ""), ("POST", "/groups", #"{"values":{"name":"x"}}"#),
            ("PUT", "/groups/staff/members/ada", ""), ("DELETE", "/groups/staff/members/ada", ""),
            ("PATCH", "/groups/staff", #"{"values":{"name":"x"}}"#), ("DELETE", "/groups/staff", ""),
        ] {
            let response = try await world.send(method, "/api/v1" + path, body, token: session)
            #expect(response.status == 401, "\(method) \(path)")
        }
        for flow in ["profile", "setup"] {
            let response = try await world.send(
                "POST", "/api/v1/flows/" + flow, #"{"values":{"groups":["admins"]}}"#, token: session)
            #expect(response.status == 400, "\(flow): \(response.text)")
        }
        #expect(try await world.world.service.groups(of: AccountLookup("ada")!) == [staff])
        // A program without the scope for groups cannot change them with the account.
        let token = try await token([.writeAccounts], in: world)
        let changed = try await world.send(
            "PATCH", "/api/v1/accounts/ada", #"{"values":{"groups":["admins"]}}"#, token: token)
        #expect(changed.status == 400)
    }

    /// S-192, S-194.
    @Test func `a group in use and the group of the administrators are protected`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let admins = try await world.world.service.createGroup(.administrators, by: .owner).name
        let writer = try await token([.writeGroups], in: world)
        let admin = try await token([.writeGroups, .admin], in: world)
        let member = "/api/v1/groups/\(admins)/members/ada"
        for (method, path) in [("PUT", member), ("DELETE", member), ("DELETE", "/api/v1/groups/\(admins)?force=1")] {
            let refused = try await world.send(method, path, token: writer)
            #expect(refused.status == 403, "\(method) \(path)")
            #expect(try refused.json["code"]?.string == "wrong_scope")
        }
        #expect(try await world.send("PUT", member, token: admin).status == 200)
        let manager = try await token([.writeAccounts, .recoverAccounts], in: world)
        for (method, path, token) in [
            ("DELETE", member, admin), ("POST", "/api/v1/accounts/ada/disable", manager),
            ("DELETE", "/api/v1/accounts/ada", manager),
        ] {
            let refused = try await world.send(method, path, token: token)
            #expect(try refused.status == 409 && refused.json["code"]?.string == "last_administrator", "\(path)")
        }
        let used = try await world.send("DELETE", "/api/v1/groups/\(admins)", token: admin)
        #expect(try used.status == 409 && used.json["code"]?.string == "group_in_use")
        #expect(try await world.send("DELETE", "/api/v1/groups/\(admins)?force=1", token: admin).status == 200)
    }
}
