public import LatchkeyAccounts
import LatchkeySystem

/// One step from a schema to the next. A released step is never edited; a further one follows it.
struct Migration {
    /// The schema after this step. Its last statement sets `user_version` to it.
    let number: Int
    let sql: StaticString

    /// In order; the first step creates the schema from nothing.
    static let all = [
        initialSchema, auditTrail, clockMark, emailVerification, sealingKeys, passwordExpiry, sourceThrottles,
        identifierThrottles,
    ]
}

/// The result of migrating a store.
public struct StoreMigration: Sendable {
    /// The schema before; nil if the store already had the newest.
    public let from: Int?
    /// The schema after.
    public let to: Int
    /// The path of the copy made before the migration; nil if there was nothing to do.
    public let copy: String?

    /// Migrates the store at `path` to the newest schema, as every use of a store does, and blocks the thread.
    public init(of path: String) throws(AccountError) {
        try self.init(of: path, options: StoreFile.Options())
    }

    init(of path: String, options: StoreFile.Options) throws(AccountError) {
        let file = try StoreFile(at: path, options: options)
        from = try file.migrate(try file.open(create: false, .keepingSchema))
        to = options.newestSchema
        copy = from.map { file.folder.path(of: file.copyName(ofSchema: $0)) }
    }
}
