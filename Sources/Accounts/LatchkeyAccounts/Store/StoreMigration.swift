/// The result of migrating a store to the newest schema.
public struct StoreMigration: Equatable, Sendable {
    /// The schema before.
    public let from: Int
    /// The schema after. It equals ``from`` if there was nothing to do.
    public let to: Int
    /// The names of the migrations that ran, oldest first.
    public let names: [String]
    /// The path of the copy made before the migration; nil if there was nothing to do, and for a database.
    public let copy: String?

    package init(from: Int, to: Int, names: [String], copy: String?) {
        (self.from, self.to, self.names, self.copy) = (from, to, names, copy)
    }
}
