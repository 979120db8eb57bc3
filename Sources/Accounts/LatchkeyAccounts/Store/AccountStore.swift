/// Stores accounts, sessions, recovery requests, throttles, messages and the audit trail, in transactions.
public protocol AccountStore: Sendable {
    /// Runs `body` in a separate transaction and commits it: all of it is durable when the call returns, or nothing
    /// happened.
    ///
    /// `body` is synchronous, so that nothing slow, above all no hash, holds a transaction open.
    ///
    /// - Parameter body: may run more than once, because a store on another machine repeats a transaction that the
    ///   database undid. It changes nothing outside the transaction.
    /// - Throws: what `body` throws, after undoing the transaction; ``AccountError/store(_:)`` if the store itself
    ///   fails; ``AccountError/taken(field:)`` if a unique value is taken.
    func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result

    /// Like ``write(_:)``, but on a full disk it uses the reserved space, if the store has any.
    ///
    /// Use it to end sessions and delete accounts, which must work on a full disk too.
    ///
    /// - Parameter body: may run more than once, as in ``write(_:)``.
    func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result

    /// Runs `body` on a snapshot of the store, without changing anything.
    func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result
}

extension AccountStore {
    /// By default a store has no reserved space.
    public func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await write(body)
    }
}

/// The ID of a remote store, and the tag that identifies its key.
public struct StoreIdentity: Equatable, Sendable {
    /// 16 random bytes.
    public let id: [UInt8]
    /// ``StoreKey/tag(ofStore:)``, 32 bytes.
    public let keyTag: [UInt8]

    /// Describes a store to create.
    public init(id: [UInt8], keyTag: [UInt8]) {
        self.id = id
        self.keyTag = keyTag
    }
}

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
