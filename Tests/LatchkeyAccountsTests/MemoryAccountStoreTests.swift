import LatchkeyAccounts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct MemoryAccountStoreTests {
    @Test(arguments: StoreContract.clauses)
    func `the in-memory store fulfils the contract`(clause: StoreContract.Clause) async throws {
        try await clause.check(in: MemoryAccountStore())
    }

    @Test(arguments: StoreContract.clauses)
    func `the in-memory store fulfils the contract with repeated writes`(clause: StoreContract.Clause) async throws {
        try await clause.check(in: RehearsingStore(MemoryAccountStore()))
    }

    @Test func `a failed commit leaves the in-memory store unchanged`() async throws {
        let store = MemoryAccountStore()
        store.fail { $0 == .commit ? .full : nil }
        await #expect(throws: AccountError.store(.full)) {
            try await store.write { (store) throws(AccountError) in
                try store.setFailures(
                    ThrottleFailures(count: 1, lastAt: .init(milliseconds: 1)), in: .unknownName(row: 1))
            }
        }
        store.fail(nil)
        let failures = try await store.read { (store) throws(AccountError) in
            try store.failures(in: .unknownName(row: 1))
        }
        #expect(failures == nil)
        #expect(store.operations == [.beginWrite, .setFailures, .commit, .beginRead, .failures])
    }
}
