import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct TemporaryStoreTests {
    @Test func `accounts of a temporary store can log in, and its clock determines the throttle`() async throws {
        let store = try await TemporaryStore()
        try await store.create("ada")
        func signIn(_ password: String) async throws(AccountError) -> SignIn {
            try await store.service.authenticate(identifier: "ada", password: Secret(password))
        }
        #expect(try await signIn(TemporaryStore.password).account.name == "ada")
        for _ in 0..<4 { await #expect(throws: AccountError.wrongCredentials) { try await signIn("wrong") } }
        await #expect(throws: AccountError.self) { try await signIn(TemporaryStore.password) }
        store.clock.advance(by: .seconds(3600))
        #expect(try await signIn(TemporaryStore.password).failedBefore?.count == 4)
        try await store.service.beginRecovery(email: "ada@example.org")
        #expect(store.mailer.delivered.count == 1)
    }

    @Test func `a database lock blocks other writers until it is released`() async throws {
        let store = try await TemporaryStore()
        let lock = try DatabaseLock(of: store.folder.path(of: "accounts.sqlite"))
        #expect(throws: (any Error).self) { try DatabaseLock(of: store.folder.path(of: "accounts.sqlite")) }
        lock.release()
        try await store.create("ada")
    }
}
