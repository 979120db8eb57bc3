import Foundation
import LatchkeyAccounts
import LatchkeyPostgres
import TestSupport
import Testing

/// A server that accepts connections and requests but does not respond: a stopped pgbouncer in front of a real one.
@Suite(
    .enabled(if: PostgresServer.isInstalled, PostgresServer.reason),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/pgbouncer"), "pgbouncer is not installed"),
    .serialized,
    .timeLimit(.minutes(60)))
struct FrozenServerTests {
    /// Whether the error names a server that does not answer, or a connection attempt that has timed out.
    private static func isSilence(_ error: any Error) -> Bool {
        if case .store(.unreachable)? = error as? AccountError { true } else { false }
    }

    /// Runs `body` while the server is frozen. Resumes the server after 300 s, so that a store without a limit fails the test.
    private func whileFrozen(
        _ body: @Sendable (PostgresAccountStore) async -> Void
    ) async throws {
        let server = try PostgresServer.shared.get()
        let name = server.newDatabaseName()
        try server.run("createdb", ["--template=template0", name])
        let (pooler, folder) = try server.startPooler()
        defer { pooler.terminate() }
        let store = try await PostgresAccountStore.open(
            "postgresql://latchkey@/\(name)?host=\(folder)&port=6432", creating: .random(), connections: 2)
        try await count(in: store)
        let process = pooler.processIdentifier
        kill(process, SIGSTOP)
        let rescue = Task {
            try await Task.sleep(for: .seconds(300))
            kill(process, SIGCONT)
        }
        await body(store)
        rescue.cancel()
        kill(process, SIGCONT)
        try await count(in: store)
    }

    private func count(in store: PostgresAccountStore) async throws(AccountError) {
        _ = try await store.read { (transaction) throws(AccountError) in try transaction.storeID }
        try await store.write { (transaction) throws(AccountError) in _ = try transaction.auditHead }
    }

    @Test func `running and queued transactions fail in time if the server is frozen`() async throws {
        try await whileFrozen { store in
            await withTaskGroup { group in
                for number in 0..<6 {
                    group.addTask {
                        await StorePatience.$current.withValue(StorePatience(.milliseconds(300))) {
                            await #expect {
                                if number % 2 == 0 {
                                    _ = try await store.read { (transaction) throws(AccountError) in
                                        try transaction.storeID
                                    }
                                } else {
                                    try await store.write { (transaction) throws(AccountError) in
                                        _ = try transaction.auditHead
                                    }
                                }
                            } throws: { Self.isSilence($0) }
                        }
                    }
                }
            }
        }
    }

    @Test func `all transactions of a request share one time limit`() async throws {
        try await whileFrozen { store in
            let patience = StorePatience(.milliseconds(300))
            await StorePatience.$current.withValue(patience) {
                for _ in 0..<20 {
                    await #expect {
                        _ = try await store.read { (transaction) throws(AccountError) in try transaction.storeID }
                    } throws: { Self.isSilence($0) }
                }
            }
            #expect(patience.rest == .zero)
        }
    }
}
