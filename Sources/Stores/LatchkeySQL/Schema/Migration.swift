package import LatchkeyAccounts

/// One step from a schema to the next, with the same effect in every type of store. A released migration never changes;
/// add a new one instead.
package struct Migration: Sendable {
    /// The schema of the tables that an engine creates. Older stores cannot be opened or migrated.
    package static let firstSchema = 13

    /// Every migration since ``firstSchema``, in order and without gaps. A new store runs all of them.
    package static let released: [Migration] = [faults, applications, administration, lanes]

    /// The migrations that stores use. The default is ``released``. A test adds one for the tasks that it runs, so that
    /// a store of this version becomes an older one.
    @TaskLocal package static var all = released

    /// The schema after this step.
    package let number: Int
    package let name: StaticString
    package let sqlite: [StaticString]
    package let postgres: [StaticString]
    /// What only a holder of the store's key can compute, after the statements; nil if they do everything.
    package let keyedStep: KeyedStep?

    /// A step with the store's key.
    package enum KeyedStep: Sendable {
        /// The rows of tokens and passkeys get their tags (`RowTagging.swift`).
        case tagsRows
        /// The end of the audit trail gets its seal.
        case sealsTrail
    }

    /// - Parameters:
    ///   - sqlite: the statements for SQLite. They do not set the schema number.
    ///   - postgres: the statements for PostgreSQL.
    package init(
        _ number: Int, _ name: StaticString, sqlite: [StaticString], postgres: [StaticString],
        then keyedStep: KeyedStep? = nil
    ) {
        (self.number, self.name, self.sqlite, self.postgres) = (number, name, sqlite, postgres)
        self.keyedStep = keyedStep
    }
}

/// Called before each statement, and repeatedly while a statement runs, with the number of completed statements and the
/// total. Returns whether to continue.
package typealias MigrationProgress = (_ done: Int, _ total: Int) -> Bool

extension [Migration] {
    /// The schema that this version reads and writes.
    package var newestSchema: Int { last?.number ?? Migration.firstSchema }

    /// Whether the migrations after `schema` need the store's key.
    package func needsKey(after schema: Int) -> Bool { contains { $0.number > schema && $0.keyedStep != nil } }

    /// The error for a store with this schema; nil for the newest schema.
    package func refusal(of schema: Int) -> StoreError? {
        if schema < Migration.firstSchema { return .tooOld(schema: schema) }
        if schema < newestSchema { return .older(schema: schema) }
        return schema == newestSchema ? nil : .newer(schema: schema)
    }
}

extension SQLEngine {
    /// Creates the tables of ``Migration/firstSchema``, in the open transaction.
    package func createTables() throws(Failure) {
        for statements in Self.tables + [StoreIndexes.statements] { try execute(statements) { true } }
    }

    /// Runs the migrations after `schema`, in the open transaction.
    ///
    /// - Parameter key: of the store; nil for a new store, which has no rows to tag, and if it is lost. Rows without a
    ///   tag open nothing, and verification reports a trail without a seal.
    /// - Throws: ``SQLFailure/interrupted`` if `mayContinue` returns false.
    package func run(
        _ migrations: [Migration], after schema: Int, key: StoreKey?,
        mayContinue: MigrationProgress = { _, _ in true }
    ) throws(Failure) {
        let pending = migrations.filter { $0.number > schema }
        let total = pending.reduce(0) { $0 + Self.statements(of: $1).count + ($1.keyedStep == nil ? 0 : 1) }
        var done = 0
        func advance() throws(Failure) {
            guard mayContinue(done, total) else { throw .interrupted }
            done += 1
        }
        for migration in pending {
            for statement in Self.statements(of: migration) {
                try advance()
                try execute(statement) { mayContinue(done - 1, total) }
            }
            guard let step = migration.keyedStep else { continue }
            try advance()
            guard let key else { continue }
            switch step {
            case .tagsRows: try tagRows(with: key) { mayContinue(done - 1, total) }
            case .sealsTrail: try sealTrail(with: key)
            }
        }
        guard mayContinue(total, total) else { throw .interrupted }
        try setSchema(migrations.newestSchema)
    }
}

extension StoreMigration {
    /// The result of running the migrations after `schema`.
    package init(by migrations: [Migration], after schema: Int, copy: String? = nil) {
        let names = migrations.filter { $0.number > schema }.map { "\($0.name)" }
        self.init(from: schema, to: migrations.newestSchema, names: names, copy: copy)
    }
}
