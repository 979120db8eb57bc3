import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct GroupTests {
    private static let desk = AuditActor.operatingSystemUser(7)
    private static let (admins, staff) = (GroupName.administrators, GroupName("staff")!)

    private func world(_ settings: AccountSettings = AccountSettings()) async throws -> World {
        let world = try World(settings: settings)
        for name in [Self.admins, Self.staff] { _ = try await world.service.createGroup(name, by: Self.desk) }
        return world
    }

    private func add(_ name: String, to group: GroupName, _ isMember: Bool = true, in world: World) async throws {
        try await world.service.setMembership(
            of: #require(AccountLookup(name)), in: group, to: isMember, by: Self.desk)
    }

    private func groups(of name: String, in world: World) async throws -> [GroupName] {
        try await world.service.groups(of: try #require(AccountLookup(name)))
    }

    @Test(arguments: [
        ("a", true), ("0", true), ("a.b_c-9", true), (String(repeating: "a", count: 64), true), ("", false),
        (String(repeating: "a", count: 65), false), ("A", false), (".a", false), ("-a", false), ("_a", false),
        ("a b", false), ("é", false), ("a,b", false), ("a\n", false), ("a\0", false), ("a*", false),
    ])
    func `a name has small letters, digits and three signs`(text: String, isValid: Bool) {
        #expect((GroupName(text) != nil) == isValid)
    }

    @Test func `a change of membership is recorded once, with its actor`() async throws {
        let world = try await world()
        let ada = try await world.create("ada")
        try await add("ada", to: Self.staff, in: world)
        try await add("ada", to: Self.staff, in: world)
        try await add("ada", to: Self.admins, in: world)
        try await add("ada", to: Self.staff, false, in: world)
        try await add("ada", to: Self.staff, false, in: world)
        let records = try await world.trail().filter { $0.name.hasPrefix("group_member") }
        #expect(records.map(\.name) == ["group_member_added", "group_member_added", "group_member_removed"])
        #expect(records.map(\.reason) == ["groups:staff", "groups:admins", "groups:staff"])
        #expect(records.allSatisfy { $0.account == ada.id && $0.actor == Self.desk })
        #expect(try await groups(of: "ada", in: world) == [Self.admins])
    }

    /// S-190.
    @Test func `membership takes effect with the next request of the same session`() async throws {
        let world = try await world()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        #expect(try await world.service.membership(for: token).1 == [])
        try await add("ada", to: Self.staff, in: world)
        world.store.forgetOperations()
        #expect(try await world.service.membership(for: token).1 == [Self.staff])
        #expect(world.store.operations.count { $0 == .session || $0 == .beginRead } <= 2, "one look-up")
        try await add("ada", to: Self.staff, false, in: world)
        #expect(try await world.service.membership(for: token).1 == [])
    }

    /// S-192.
    @Test func `a group that a setting or an invitation names changes only by force`() async throws {
        let world = try await world(AccountSettings(initialGroups: [Self.staff]))
        let made = try await world.service.createToken(
            "Dee", scopes: [.signUp], groups: [Self.staff], lifetime: .seconds(60), by: Self.desk)
        let invitation = try #require(made).0
        func failure(_ name: GroupName, force: Bool = false) async -> AccountError? {
            await world.failure { () async throws(AccountError) in
                try await world.service.deleteGroup(name, force: force, by: Self.desk)
            }
        }
        let team = try #require(GroupName("team"))
        let renaming = await world.failure { () async throws(AccountError) in
            _ = try await world.service.changeGroup(Self.staff, to: team, by: Self.desk)
        }
        #expect(renaming == .group(.inUse([.invitation(id: invitation.id), .initialGroups])))
        #expect(await failure(Self.staff) == renaming)
        #expect(await failure(Self.admins) == .group(.inUse([.administrators])))
        world.clock.advance(by: .seconds(60))
        #expect(await failure(Self.staff) == .group(.inUse([.initialGroups])), "an expired invitation does not count")
        // The title is not what others name.
        let titled = try await world.service.changeGroup(Self.staff, title: "All staff", by: Self.desk)
        #expect(titled.group.title == "All staff")
        #expect(await failure(Self.staff, force: true) == nil)
        #expect(await failure(Self.staff, force: true) == .group(.missing(Self.staff)))
    }

    /// S-194.
    @Test func `only an administrator changes the group of the administrators`() async throws {
        let world = try await world()
        try await world.create("ada")
        let ada = try #require(AccountLookup("ada"))
        try await add("ada", to: Self.staff, in: world)
        var failures: [AccountError?] = []
        failures.append(
            await world.failure { () async throws(AccountError) in
                try await world.service.setMembership(
                    of: ada, in: Self.admins, to: true, mayAdminister: false, by: Self.desk)
            })
        failures.append(
            await world.failure { () async throws(AccountError) in
                try await world.service.deleteGroup(Self.admins, force: true, mayAdminister: false, by: Self.desk)
            })
        // With the name of the group, its members would get the power.
        for (old, new) in [(Self.staff, Self.admins), (Self.admins, nil)] {
            failures.append(
                await world.failure { () async throws(AccountError) in
                    _ = try await world.service.changeGroup(
                        old, to: new, title: "x", force: true, mayAdminister: false, by: Self.desk)
                })
        }
        #expect(failures == Array(repeating: .group(.adminNeeded), count: 4))
        try await world.service.setMembership(
            of: ada, in: Self.staff, to: false, mayAdminister: false, by: Self.desk)
        #expect(try await groups(of: "ada", in: world) == [])
    }

    @Test func `the last active administrator stays unless the operator insists`() async throws {
        let world = try await world()
        for name in ["ada", "bo"] {
            try await world.create(name)
            try await add(name, to: Self.admins, in: world)
        }
        let (ada, bo) = (try #require(AccountLookup("ada")), try #require(AccountLookup("bo")))
        try await world.service.set(.disabled, of: bo, by: Self.desk)
        // Bo is still a member, but cannot log in.
        for change in ["disable", "delete", "demote"] {
            let failure = await world.failure { () async throws(AccountError) in
                switch change {
                case "disable": try await world.service.set(.disabled, of: ada, by: Self.desk)
                case "delete": try await world.service.delete(ada, by: Self.desk)
                default: try await world.service.setMembership(of: ada, in: Self.admins, to: false, by: Self.desk)
                }
            }
            #expect(failure == .group(.lastAdministrator(Self.admins)), "\(change)")
        }
        // Others, and a disabled administrator, are not protected.
        try await add("bo", to: Self.admins, false, in: world)
        try await world.service.delete(bo, by: Self.desk)
        try await world.service.set(.disabled, of: ada, mayLeaveNone: true, by: Self.desk)
        try await world.service.delete(ada, by: Self.desk)
    }

    @Test func `a sign-up joins the groups of its invitation and the initial ones`() async throws {
        let world = try await world(AccountSettings(initialGroups: [Self.staff]))
        let made = try await world.service.createToken(
            "Dee", scopes: [.signUp], groups: [Self.admins], lifetime: nil, by: Self.desk)
        let service = world.service.invited(by: try #require(made).1)
        // The draft of an owner cannot name groups.
        _ = try await service.create(
            AccountDraft(
                username: "dee", email: "dee@example.org", password: Secret(World.password),
                groups: [try #require(GroupName("other"))]), by: .owner)
        #expect(try await groups(of: "dee", in: world) == [Self.admins, Self.staff])
        try await world.create("eve")
        #expect(try await groups(of: "eve", in: world) == [Self.staff])
        _ = try await world.service.create(
            AccountDraft(username: "fay", email: "fay@example.org", groups: [Self.admins]), by: Self.desk)
        #expect(try await groups(of: "fay", in: world) == [Self.admins], "an operator names all groups")
    }

    @Test func `a sign-up that waits for its code keeps its groups, without those that are missing by then`()
        async throws
    {
        let world = try await world(AccountSettings(verifiesEmail: true))
        let made = try await world.service.createToken(
            "Dee", scopes: [.signUp], groups: [Self.admins, Self.staff], lifetime: nil, by: Self.desk)
        _ = try await world.service.invited(by: try #require(made).1).create(
            AccountDraft(username: "dee", email: "dee@example.org"), by: .owner)
        try await world.service.deleteGroup(Self.admins, force: true, by: Self.desk)
        let text = try #require(world.mailer.delivered.last?.body)
        let code = try #require(text.firstMatch(of: /([0-9A-Z]{4}-){5}[0-9A-Z]{4}/)).output.0
        _ = try await world.service.finishRecovery(code: Secret(String(code)), password: Secret(World.password))
        #expect(try await groups(of: "dee", in: world) == [Self.staff])
    }

    @Test func `the number of groups is limited, in all and of an account`() async throws {
        let world = try await world()
        let names = try (0..<500).map { try #require(GroupName("g\($0)")) }
        _ = try await world.service.createGroups(names.map { ($0, nil) }, by: Self.desk)
        _ = try await world.service.create(
            AccountDraft(username: "ada", email: "ada@example.org", groups: names), by: Self.desk)
        let records = try await world.trail().filter { $0.event == .groupMemberAdded }
        #expect(records.count == 34 && records.allSatisfy { $0.reason.utf8.count <= 1024 })
        let failure = await world.failure { () async throws(AccountError) in
            try await world.service.setMembership(
                of: AccountLookup("ada")!, in: Self.staff, to: true, by: Self.desk)
        }
        #expect(failure == .group(.tooManyOfAccount))
        let many = try (0..<9_498).map { try #require(GroupName("h\($0)")) }
        _ = try await world.service.createGroups(many.map { ($0, nil) }, by: Self.desk)
        let full = await world.failure { () async throws(AccountError) in
            _ = try await world.service.createGroup(GroupName("last")!, by: Self.desk)
        }
        #expect(full == .group(.tooMany))
    }

    /// S-193.
    @Test func `a deleted account leaves its groups`() async throws {
        let world = try await world()
        try await world.create("ada")
        try await add("ada", to: Self.staff, in: world)
        try await world.service.delete(try #require(AccountLookup("ada")), by: Self.desk)
        #expect(try await world.service.group(Self.staff).members == 0)
    }
}
