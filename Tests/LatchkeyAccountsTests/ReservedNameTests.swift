import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// Usernames that accounts have released.
@Suite(.timeLimit(.minutes(60)))
struct ReservedNameTests {
    private static let admin = AuditActor.operatingSystemUser(7)
    private static let quarter = Duration.seconds(90 * 86400)

    /// The ways in which an account releases its username.
    enum Release: CaseIterable {
        case renameByOwner, renameByOperator, removal, deletionByOwner, deletionByOperator
    }

    private func release(_ way: Release, in world: World) async throws {
        let ada = try #require(AccountLookup("ada"))
        let token = try await world.signIn("ada").token
        switch way {
        case .renameByOwner: _ = try await world.service.updateProfile(token: token, ProfileDraft(username: "countess"))
        case .renameByOperator:
            _ = try await world.service.update(ada, ProfileDraft(username: "countess"), by: Self.admin)
        case .removal: _ = try await world.service.update(ada, ProfileDraft(username: ""), by: Self.admin)
        case .deletionByOwner:
            try await world.service.deleteOwnAccount(token: token, current: Secret(World.password))
        case .deletionByOperator: try await world.service.delete(ada, by: Self.admin)
        }
    }

    private func create(
        _ name: String, takesReserved: Bool = false, by actor: AuditActor = admin, in world: World
    ) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            let draft = AccountDraft(username: name, email: "eve@example.org", password: Secret(World.password))
            _ = try await world.service.create(draft, by: actor, takesReserved: takesReserved)
        }
    }

    @Test(arguments: Release.allCases)
    func `a released username stays reserved for 90 days`(way: Release) async throws {
        let world = try World()
        try await world.create("ada")
        try await world.create("grace")
        try await release(way, in: world)
        for actor in [AuditActor.owner, Self.admin] {
            #expect(await create("ADA", by: actor, in: world) == .taken(field: .username))
        }
        let grace = try await world.signIn("grace").token
        let change = await world.failure { () async throws(AccountError) in
            _ = try await world.service.updateProfile(token: grace, ProfileDraft(username: "ada"))
        }
        #expect(change == .taken(field: .username))
        world.clock.advance(by: Self.quarter - .milliseconds(1))
        #expect(await create("ada", in: world) == .taken(field: .username))
        world.clock.advance(by: .milliseconds(1))
        #expect(await create("ada", in: world) == nil)
    }

    @Test func `an operator can take a reserved username`() async throws {
        let world = try World()
        try await world.create("ada")
        try await world.create("grace")
        try await release(.deletionByOperator, in: world)
        let username = try Username("ada")
        #expect(try await world.service.reservation(of: username) != nil)
        #expect(await create("ada", takesReserved: true, in: world) == nil)
        #expect(try await world.service.reservation(of: username) == nil)
        try await world.service.delete(try #require(AccountLookup("ada")), by: Self.admin)
        let grace = try #require(AccountLookup("grace"))
        let refused = await world.failure { () async throws(AccountError) in
            _ = try await world.service.update(grace, ProfileDraft(username: "ada"), by: Self.admin)
        }
        #expect(refused == .taken(field: .username))
        _ = try await world.service.update(grace, ProfileDraft(username: "ada"), by: Self.admin, takesReserved: true)
        _ = try await world.signIn("ada")
    }

    @Test func `an account can take back its own username, and a change in case reserves nothing`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        for name in ["Ada", "countess", "ada"] {
            _ = try await world.service.updateProfile(token: token, ProfileDraft(username: name))
        }
        #expect(try await world.service.reservation(of: Username("ada")) == nil)
        #expect(try await world.service.reservation(of: Username("countess")) != nil)
    }

    @Test func `an account reserves only its last five usernames`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        for number in 1...7 {
            world.clock.advance(by: .seconds(1))
            _ = try await world.service.updateProfile(token: token, ProfileDraft(username: "ada\(number)"))
        }
        var reserved: [Bool] = []
        for name in ["ada"] + (1...6).map({ "ada\($0)" }) {
            reserved.append(try await world.service.reservation(of: Username(name)) != nil)
        }
        #expect(reserved == [false, false, true, true, true, true, true])
    }

    @Test func `a sign-up cannot have a reserved username`() async throws {
        let world = try World(settings: AccountSettings(verifiesEmail: true))
        _ = await create("ada", in: world)
        try await world.service.delete(try #require(AccountLookup("ada")), by: Self.admin)
        let draft = AccountDraft(username: "Ada", email: "eve@example.org", password: nil)
        let refused = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(draft, by: .owner)
        }
        #expect(refused == .taken(field: .username))
    }

    @Test func `maintenance deletes expired reservations`() async throws {
        let world = try World()
        try await world.create("ada")
        try await release(.deletionByOperator, in: world)
        world.clock.advance(by: Self.quarter)
        _ = try await world.service.maintain(by: Self.admin)
        let isStored = try await world.store.read { (transaction) throws(AccountError) in
            try transaction.hasReservedNames
        }
        #expect(!isStored)
    }
}
