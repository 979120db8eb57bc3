import Glibc
import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyPostgres
import LatchkeySQL
import TestSupport

// The `latchkey` of a next version. It has one more migration, which the variable NEXT_MIGRATION names.
let migration = unsafe getenv("NEXT_MIGRATION").flatMap { unsafe String(validatingCString: $0) }
let isEndless = migration == "endless"
await Migration.$all.withValue(isEndless ? NextVersion.endless : NextVersion.migrations) { () async -> Void in
    await CommandLineTool.main(
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
}
