import LatchkeyAccounts
import LatchkeySQL

/// Determines the schema of a database, and creates and migrates its tables.
enum PostgresSchema {
    /// The number of the database's schema; nil if it has no store.
    static func number(in database: PostgresConnection) throws(PostgresError) -> Int? {
        guard try database.integer("SELECT 1 WHERE to_regclass('store_lock') IS NOT NULL") != nil else { return nil }
        do throws(PostgresError) {
            let store = try database.row("SELECT schema, copy_of IS NOT NULL FROM store") {
                (row) throws(PostgresError) in (Int(try row.integer(0)), try row.integer(1) == 1)
            }
            guard let (number, isCopying) = store else { throw .corrupt }
            if isCopying { throw .refused(.incomplete) }
            return number
        } catch .server(let state) where state == .undefinedTable || state == .undefinedColumn {
            // Another program has a table with this name.
            throw .refused(.notAStore)
        }
    }

    /// Refuses a database without a store, or with a schema other than the newest.
    static func check(_ database: PostgresConnection) throws(PostgresError) {
        guard let number = try number(in: database) else { throw .refused(.missing) }
        if let refusal = Migration.all.refusal(of: number) { throw .refused(refusal) }
    }

    /// The store's ID and the tag of its key.
    static func identity(in database: PostgresConnection) throws(PostgresError) -> StoreIdentity {
        let identity = try database.row("SELECT id, key_tag FROM store") { (row) throws(PostgresError) in
            StoreIdentity(id: try row.bytes(0), keyTag: try row.bytes(1))
        }
        guard let identity else { throw .corrupt }
        return identity
    }

    /// Creates an empty store in one transaction. Does nothing if another process creates it at the same time.
    ///
    /// - Parameter state: the state of the store to copy; nil for a store that is complete.
    static func create(
        _ identity: StoreIdentity, copying state: String? = nil, in database: PostgresConnection
    ) throws(PostgresError) {
        // Names and addresses are always UTF-8, but the server would convert strings.
        let encoding = try database.row("SELECT current_setting('server_encoding')") {
            (row) throws(PostgresError) in try row.text(0)
        }
        guard encoding == "UTF8" else { throw .refused(.encoding) }
        do throws(PostgresError) {
            try database.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
            try database.createTables()
            try database.write(
                "INSERT INTO store (number, id, key_tag, schema, copy_of) VALUES (1, $1, $2, $3, $4)",
                .bytes(identity.id), .bytes(identity.keyTag), .integer(Int64(Migration.firstSchema)), .text(state))
            try database.run(Migration.all, after: Migration.firstSchema, key: nil)
            try database.commit()
        } catch {
            try database.rollBack()
            // The other process has committed, because the name of a table stays locked until then.
            let states = [SQLState.duplicateTable, .duplicateObject, .uniqueViolation]
            guard case .server(let state) = error, states.contains(state) else { throw error }
        }
    }

    /// Migrates an older store to the newest schema in one transaction, which excludes all other writers.
    static func migrate(
        _ database: PostgresConnection, key: (StoreIdentity) throws(AccountError) -> StoreKey,
        mayContinue: MigrationProgress
    ) throws(PostgresError) -> StoreMigration {
        let nothing = StoreMigration(by: Migration.all, after: Migration.all.newestSchema)
        guard let older = try olderSchema(of: database) else { return nothing }
        var storeKey: StoreKey?
        if Migration.all.needsKey(after: older) {
            let identity = try identity(in: database)
            do throws(AccountError) { storeKey = try key(identity) } catch .store(let error) {
                throw .refused(error)
            } catch {
                throw .refused(.missing)
            }
        }
        try database.begin(.alone)
        do throws(PostgresError) {
            // Another process may have migrated the store in the meantime.
            let schema = try olderSchema(of: database)
            if let schema { try database.run(Migration.all, after: schema, key: storeKey, mayContinue: mayContinue) }
            try database.commit()
            return schema.map { StoreMigration(by: Migration.all, after: $0) } ?? nothing
        } catch {
            try? database.rollBack()
            throw error
        }
    }

    /// The number of an older schema; nil for the newest one.
    private static func olderSchema(of database: PostgresConnection) throws(PostgresError) -> Int? {
        do throws(PostgresError) {
            try check(database)
            return nil
        } catch .refused(.older(let schema)) {
            return schema
        }
    }
}
