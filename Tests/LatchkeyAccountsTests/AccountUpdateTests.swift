import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// Account changes by operators.
@Suite(.timeLimit(.minutes(60)))
struct AccountUpdateTests {
    private static let desk = AuditActor.operatingSystemUser(7)

    private func update(
        _ world: World, _ account: Account, _ draft: ProfileDraft
    ) async throws(AccountError) -> AccountUpdate {
        try await world.service.update(.id(account.id), draft, by: Self.desk)
    }

    @Test func `an update changes only the given fields and does not end sessions`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        try await world.edit(account.id) { $0.attributes = ["company": "Söhne", "city": "Bern"] }
        let token = try await world.signIn("ada").token
        let count = try await world.trail().count
        let draft = ProfileDraft(username: "Countess", attributes: ["company": "", "tel": "1"])
        let updated = try await update(world, account, draft)
        #expect(updated.fields == [.username, "company", "tel"])
        let stored = try await world.service.account(.id(account.id))
        for account in [stored, updated.account] {
            #expect(account.username?.typed == "Countess" && account.email.typed == "ada@example.org")
            #expect(account.attributes == ["city": "Bern", "tel": "1"])
        }
        #expect(try await world.events(after: count) == ["user_updated"])
        #expect(try await world.trail().last?.actor == Self.desk)
        #expect(world.mailer.delivered.isEmpty)
        #expect(try await world.service.session(for: token).account.username?.typed == "Countess")
    }

    /// S-64.
    @Test func `a new address takes effect immediately, notifies both addresses and invalidates codes`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        let before = world.mailer.delivered.count
        let updated = try await update(world, account, ProfileDraft(email: "ada@elsewhere.example"))
        #expect(updated.fields == [.email])
        #expect(
            world.mailer.delivered.dropFirst(before).map { $0.recipient?.typed }
                == ["ada@example.org", "ada@elsewhere.example"])
        #expect(world.mailer.delivered.dropFirst(before).allSatisfy { $0.code == nil })
        #expect(try await world.events().last == "user_updated/email_changed")
        let spent = await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret("yet another one"))
        }
        #expect(spent?.refusals == ["code: recovery_code"])
        _ = try await world.signIn("ada@elsewhere.example")
    }

    @Test func `a change in letter case sends no notification`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let updated = try await update(world, account, ProfileDraft(username: "ADA", email: "ADA@example.org"))
        #expect(updated.fields == [.username, .email])
        #expect(world.mailer.delivered.isEmpty)
        #expect(try await world.service.account(.id(account.id)).email.typed == "ADA@example.org")
    }

    @Test func `an update without changes writes nothing`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        world.clock.advance(by: .seconds(9))
        let count = try await world.trail().count
        for draft in [ProfileDraft(), ProfileDraft(username: "ada", attributes: ["company": ""])] {
            #expect(try await update(world, account, draft).fields == [])
        }
        #expect(try await world.service.account(.id(account.id)).updatedAt == account.updatedAt)
        #expect(try await world.trail().count == count)
    }

    @Test func `an invalid or taken value is refused and recorded, and changes nothing`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        try await world.create("grace")
        func refusal(_ draft: ProfileDraft) async -> AccountError? {
            await world.failure { () async throws(AccountError) in _ = try await update(world, account, draft) }
        }
        #expect(
            await refusal(ProfileDraft(username: "no good", email: "x"))?.refusals
                == ["email_field: email", "username: username"])
        #expect(await refusal(ProfileDraft(username: "Grace")) == .taken(field: .username))
        #expect(await refusal(ProfileDraft(email: "Grace@example.org")) == .taken(field: .email))
        #expect(
            try await world.events().suffix(3)
                == ["input_validation_fail/email", "input_validation_fail/taken", "input_validation_fail/taken"])
        #expect(try await world.trail().last?.account == account.id)
        #expect(try await world.service.account(.id(account.id)).updatedAt == account.updatedAt)
        #expect(world.mailer.delivered.isEmpty)
    }

    @Test func `an unknown account cannot be updated`() async throws {
        let world = try World()
        let unknown = try AccountID(from: .system)
        await #expect(throws: AccountError.noSuchAccount) {
            try await world.service.update(.id(unknown), ProfileDraft(username: "x"), by: Self.desk)
        }
    }
}
