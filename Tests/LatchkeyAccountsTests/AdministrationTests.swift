import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AdministrationTests {
    @Test func `an account is found by its ID, username or address`() async throws {
        let world = try World()
        #expect(try await world.service.hasAccounts() == false)
        let account = try await world.create("ada")
        #expect(try await world.service.hasAccounts())
        let username = try #require(account.username)
        for lookup in [AccountLookup.id(account.id), .username(username), .email(account.email)] {
            #expect(try await world.service.account(lookup).id == account.id)
        }
        let grace = try Username("grace")
        await #expect(throws: AccountError.noSuchAccount) { try await world.service.account(.username(grace)) }
    }

    @Test func `accounts are listed in pages`() async throws {
        let world = try World()
        for name in ["cy", "Ada", "bo"] { try await world.create(name) }
        let first = try await world.service.accounts(after: nil, limit: 2)
        #expect(first.map(\.loginName.text) == ["ada", "bo"])
        let rest = try await world.service.accounts(after: first.last?.loginName, limit: 2)
        #expect(rest.map(\.loginName.text) == ["cy"])
    }

    /// S-75.
    @Test func `deleting an account deletes its sessions, codes and failures`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let code = try await world.recoveryCode(for: "ada@example.org")
        _ = await world.failure(signingIn: "ada", "wrong password")
        try await world.service.delete(.username(#require(account.username)), by: .operatingSystemUser(0))
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: token) }
        let failure = await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret(World.password))
        }
        #expect(failure?.refusals == ["code: recovery_code"])
        #expect(try await world.failures(in: .account(account.id)) == nil)
        let record = try #require(try await world.trail().first { $0.event == .userDeleted })
        #expect(record.account == account.id)
        #expect(record.actor == .operatingSystemUser(0))
        await #expect(throws: AccountError.noSuchAccount) {
            try await world.service.delete(.id(account.id), by: .owner)
        }
        let again = AccountDraft(username: "ada", email: "ada@example.org", password: nil)
        _ = try await world.service.create(again, by: .operatingSystemUser(0), takesReserved: true)
    }
}
