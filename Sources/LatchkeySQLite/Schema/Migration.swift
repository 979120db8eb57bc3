public import LatchkeyAccounts
import LatchkeySystem

/// One step from a schema to the next. A step that has shipped is never edited, only followed by another.
struct Migration {
    /// The schema that it leads to, which its last statement sets as `user_version`.
    let number: Int
    let sql: StaticString

    /// In order; the first makes the schema from nothing.
    static let all = [
        initialSchema, auditTrail, clockMark, emailVerification, sealingKeys, passwordExpiry, sourceThrottles,
    ]

    /// The schema that this version of the program reads and writes.
    static var newest: Int { all.last?.number ?? 0 }
}

/// What became of a store's schema.
public struct StoreMigration: Sendable {
    /// The schema that it had; nil where it had the newest already.
    public let from: Int?
    public let to: Int
    /// Where the store lies as it was; nil where nothing was done.
    public let copy: String?

    /// Takes the store at `path` to the newest schema. Every use of a store does so; this says it. Blocks the thread.
    public init(of path: String) throws(AccountError) {
        try self.init(of: path, options: StoreFile.Options())
    }

    init(of path: String, options: StoreFile.Options) throws(AccountError) {
        let file = try StoreFile(at: path, options: options)
        from = try file.migrate(try file.open(create: false, .asItIs))
        to = options.migrations.last?.number ?? 0
        copy = from.map { file.folder.path(of: file.copyName(ofSchema: $0)) }
    }
}
