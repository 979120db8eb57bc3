import LatchkeyAccounts
import LatchkeyForms
import LatchkeyProvisioning
import LatchkeySecrets
import TestSupport
import Testing

/// Plans the changes to a desired state, and applies the plan.
@Suite(.timeLimit(.minutes(60)))
struct DesiredPlanTests {
    private static let desk = AuditActor.operatingSystemUser(7)

    private func row(_ name: String, _ edit: (inout AccountDraft) -> Void = { _ in }) -> AccountDraft {
        var row = AccountDraft(username: name, email: name.lowercased() + "@example.org")
        edit(&row)
        return row
    }

    private func plan(
        _ world: World, _ rows: [AccountDraft], groups: [DesiredGroup] = [], pruning: Bool = false
    ) async throws -> DesiredPlan {
        let checked = try rows.map { try world.service.check($0) }
        switch try await world.service.plan(checked, groups: groups, pruning: pruning) {
        case .plan(let plan): return plan
        case let other:
            Issue.record("\(other)")
            throw CancellationError()
        }
    }

    /// Formats each change as `update ada: email_field`.
    private func lines(_ changes: [DesiredChange]) -> [String] {
        changes.map { change in
            let fields = change.fields.map(\.rawValue).joined(separator: ", ")
            return change.action.rawValue + " " + change.name + (fields.isEmpty ? "" : ": " + fields)
        }
    }

    private func carryOut(_ world: World, _ plan: DesiredPlan) async throws -> [String] {
        var done: [DesiredChange] = []
        try await world.service.carryOut(plan, jobs: 2, by: Self.desk) { changes in
            done += changes
            return true
        }
        return lines(done)
    }

    @Test func `a plan creates groups and sets whole memberships, and is empty after that`() async throws {
        let world = try World()
        let names = try #require([GroupName](line: "admins guests staff"))
        for name in ["ada", "bo", "cy"] { try await world.create(name) }
        _ = try await world.service.createGroup(names[0], by: Self.desk)
        for name in ["ada", "cy"] {
            try await world.service.setMembership(
                of: try #require(AccountLookup(name)), in: names[0], to: true, by: Self.desk)
        }
        let rows = [
            row("ada") { $0.groups = [names[1], names[2]] }, row("bo") { $0.groups = [] }, row("cy"),
            row("dan") { $0.groups = [names[2], names[0]] },
        ]
        let groups = [DesiredGroup(name: names[0], title: "x"), DesiredGroup(name: names[2]), .init(name: names[1])]
        let plan = try await plan(world, rows, groups: groups)
        let expected = ["create_group staff", "create_group guests", "update ada: groups", "create dan"]
        #expect(lines(plan.changes) == expected)
        #expect(try await carryOut(world, plan) == expected)
        let found = try await world.service.groups()
        #expect(found.map(\.group.name) == names && found.map(\.members) == [2, 1, 2])
        #expect(found[0].group.title == nil, "an existing group keeps its title")
        let records = try await world.trail().suffix(6).map { "\($0.name) \($0.reason)" }
        #expect(
            records == [
                "group_created group:staff", "group_created group:guests", "group_member_added groups:guests,staff",
                "group_member_removed groups:admins", "user_created ", "group_member_added groups:admins,staff",
            ])
        #expect(try await self.plan(world, rows, groups: groups).isEmpty)
        // Pruning deletes accounts, never groups.
        let pruned = try await self.plan(world, [row("cy")], pruning: true)
        #expect(lines(pruned.changes) == ["delete ada", "delete bo", "delete dan"])
        let service = world.service
        let unknown = try service.check(row("eve") { $0.groups = [names[0], GroupName("other")!] })
        for planning in [
            try await service.plan([unknown], pruning: false),
            DesiredPlanning(creating: [unknown], groups: [DesiredGroup(name: names[0])]),
        ] {
            guard case .refused(let refused) = planning else {
                Issue.record("\(planning)")
                return
            }
            #expect(refused.map(\.failure.code) == [.groupUnknown] && refused.map(\.failure.field) == [.groups])
        }
    }

    @Test func `a plan lists the necessary changes, and is empty after they are applied`() async throws {
        let world = try World()
        for name in ["ada", "bo", "cy"] { try await world.create(name) }
        let rows = [
            row("ADA") { $0.attributes = ["company": "Söhne"] }, row("bo") { $0.state = .disabled },
            row("dan") { $0.password = Secret(World.password) },
        ]
        let expected = ["delete cy", "update ada: username, company", "disable bo", "create dan"]
        let plan = try await plan(world, rows, pruning: true)
        #expect(lines(plan.changes) == expected && plan.deletionCount == 1)
        let count = try await world.trail().count
        #expect(try await carryOut(world, plan) == expected)
        #expect(
            try await world.events(after: count) == [
                "user_deleted", "user_updated", "authz_admin/disabled", "user_created",
            ])
        #expect(try await world.trail().suffix(4).allSatisfy { $0.actor == Self.desk })
        #expect(try await self.plan(world, rows, pruning: true).isEmpty)
        _ = try await world.signIn("dan")
    }

    @Test func `a plan replaces a password that does not match, without counting a failure`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let same = row("ada") { $0.password = Secret(World.password) }
        #expect(try await plan(world, [same]).isEmpty)
        let other = row("ada") { $0.password = Secret("another good one") }
        let plan = try await plan(world, [other])
        #expect(lines(plan.changes) == ["update ada: password"])
        #expect(try await world.failures(in: .account(account.id)) == nil)
        #expect(try await carryOut(world, plan) == ["update ada: password"])
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: token) }
        #expect(world.mailer.delivered.count == 1)
        _ = try await world.signIn("ada", "another good one")
    }

    @Test func `a row is matched by ID and cannot take a value of another account`() async throws {
        let world = try World()
        let ada = try await world.create("ada")
        try await world.create("bo")
        let renamed = row("countess") { $0.id = ada.id }
        #expect(lines(try await plan(world, [renamed]).changes) == ["update ada: username, email_field"])
        for (row, field) in [
            (row("bo") { $0.id = ada.id }, FieldKey.username), (row("x") { $0.email = "BO@example.org" }, .email),
        ] {
            let checked = try world.service.check(row)
            guard case .refused(let refused) = try await world.service.plan([checked], pruning: false) else {
                Issue.record("planned")
                continue
            }
            #expect(refused.contains { $0.row == 0 && $0.failure == RuleFailure(code: .taken, field: field) })
        }
        // The values are free if their owner is deleted first.
        let heir = row("x") { $0.email = "bo@example.org" }
        #expect(lines(try await plan(world, [heir], pruning: true).changes) == ["delete ada", "delete bo", "create x"])
    }

    /// S-136.
    @Test func `an account keeps its unsafe username, but no account gets a new one`() async throws {
        let world = try World()
        let ada = try await world.create("ada")
        let unsafe = try Username("../ada")
        try await world.edit(ada.id) { $0.username = unsafe }
        let stored = row("../ada") { row in
            row.email = "ada@example.org"
            row.attributes = ["company": "Söhne"]
        }
        let plan = try await plan(world, [stored])
        #expect(try await carryOut(world, plan) == ["update ../ada: company"])
        let new = row("--help") { $0.email = "x@example.org" }
        let renamed = row("$(id)") { row in
            row.id = ada.id
            row.email = "ada@example.org"
        }
        for refused in [new, renamed] {
            let checked = try world.service.check(refused)
            for planning in [
                try await world.service.plan([checked], pruning: false), DesiredPlanning(creating: [checked]),
            ] {
                guard case .refused(let rows) = planning else {
                    Issue.record("planned")
                    continue
                }
                #expect(rows.map(\.failure) == [RuleFailure(code: .accountName, field: .username)])
            }
        }
        // Another process renames the account after the plan is made.
        let late = try await self.plan(
            world,
            [
                row("../ada") { row in
                    row.email = "ada@example.org"
                    row.attributes = ["company": "Sons"]
                }
            ])
        let safe = try Username("ada")
        try await world.edit(ada.id) { $0.username = safe }
        let failure = await world.failure { () async throws(AccountError) in
            try await world.service.carryOut(late, jobs: 1, by: Self.desk) { _ in true }
        }
        #expect(failure?.refusals == ["username: account_name"])
    }

    @Test func `a batch is rolled back if the store has changed since the plan`() async throws {
        let world = try World()
        try await world.create("ada")
        let plan = try await plan(world, [row("ada") { $0.attributes = ["company": "Söhne"] }, row("bo")])
        try await world.create("bo")
        await #expect(throws: AccountError.taken(field: .username)) { try await carryOut(world, plan) }
        let ada = try await world.service.account(.username(Username("ada")))
        #expect(ada.attributes == [:])
    }

    @Test func `a long plan is applied in several transactions`() async throws {
        let world = try World()
        let rows = (0..<250).map { row("u\($0)") }
        let plan = try await plan(world, rows)
        var batches: [Int] = []
        try await world.service.carryOut(plan, jobs: 1, by: Self.desk) { changes in
            batches.append(changes.count)
            return true
        }
        #expect(batches == [100, 100, 50])
        #expect(try await self.plan(world, rows).isEmpty)
        let passwords = (0..<20).map { number in row("u\(number)") { $0.password = Secret("correct horse battery") } }
        batches = []
        try await world.service.carryOut(try await self.plan(world, passwords), jobs: 1, by: Self.desk) { changes in
            batches.append(changes.count)
            return true
        }
        #expect(batches == [8, 8, 4], "a batch does not wait long for its hashes")
    }

    /// S-31.
    @Test func `if a run stops between two batches, the next run completes the plan`() async throws {
        let world = try World()
        let rows = (0..<250).map { row("u\($0)") }
        let first = try await plan(world, rows)
        var done = 0
        try await world.service.carryOut(first, jobs: 1, by: Self.desk) { changes in
            done += changes.count
            return false
        }
        #expect(done == 100)
        let second = try await plan(world, rows)
        #expect(second.changes.count == 150)
        #expect(try await carryOut(world, second).count == 150)
        #expect(try await plan(world, rows).isEmpty)
        #expect(try await world.chain().finding == .intact)
    }

    @Test func `cancelled planning returns no plan`() async throws {
        let world = try World()
        let rows = try ["ada", "bo"].map { try world.service.check(row($0)) }
        var looked: [Int] = []
        let planning = try await world.service.plan(rows, pruning: false) { count in
            looked.append(count)
            return count < 1
        }
        let hasEnded = if case .stopped = planning { true } else { false }
        #expect(hasEnded && looked == [0, 1])
    }
}
