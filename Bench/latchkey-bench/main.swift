import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyPostgres

await CommandLineTool.main(
    with: [.benchmarks, .hashBenchmark, .lookupBenchmark, .loginBenchmark, .checkBenchmark],
    parts: ServiceParts(
        serve: { (_) throws(ToolFailure) in throw .internal },
        connect: { (_, _, _) throws(ToolFailure) in throw .internal },
        mailer: { (_, _) throws(ToolFailure) in throw .internal },
        database: { (address, connections, new) async throws(AccountError) in
            let store = try await PostgresAccountStore.open(address, creating: new, connections: connections)
            return DatabaseStore(store, identity: store.identity)
        },
        migrate: { (address, key, mayContinue) throws(AccountError) in
            try PostgresAccountStore.migrate(address, key: key, mayContinue: mayContinue)
        },
        tables: { (address) throws(AccountError) in try PostgresTables(at: address) }))

extension CommandSpec {
    /// `latchkey-bench` without a command, which only lists the benchmarks.
    static let benchmarks = benchmark(
        [], summary: "Measure hashes, look-ups and logins",
        about: "Measures password hashes, account look-ups and logins with the current settings.",
        statuses: [.usage], examples: ["latchkey-bench --help"]
    ) { (_) async throws(ToolFailure) in
        throw .commandMissing(group: "latchkey-bench", known: "checks, hash, logins, lookup")
    }
}
