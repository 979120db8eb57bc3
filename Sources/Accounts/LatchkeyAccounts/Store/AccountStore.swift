/// Stores accounts, sessions, recovery requests, throttles, messages and the audit trail, in transactions.
public protocol AccountStore: Sendable {
    /// Runs `body` in a separate transaction and commits it. When the call returns, either all changes are durable or
    /// nothing has changed.
    ///
    /// `body` is synchronous, so that slow work such as hashing cannot keep a transaction open.
    ///
    /// - Parameter body: must have no effects outside the transaction. It may run more than once, because a store on
    ///   another machine retries a transaction that the database rolled back.
    /// - Throws: the errors of `body`, after a rollback; ``AccountError/store(_:)`` if the store fails;
    ///   ``AccountError/taken(field:)`` if a unique value is taken; ``AccountError/noSuchAccount`` for a row of an account
    ///   that does not exist, which a store on another machine reports later than `body` writes the row.
    func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result

    /// Like ``write(_:)``, for a transaction about rows that other ones may change at the same time.
    ///
    /// A store on another machine runs transactions about the same row one after the other, instead of repeating those that
    /// conflict. The rows change only the time.
    func write<Result: Sendable>(
        about rows: [ExpectedRow], _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result

    /// Like ``write(_:)``, but if the disk is full, it uses the store's reserved space, if there is any.
    ///
    /// Use it to end sessions and delete accounts, which must work even on a full disk.
    ///
    /// - Parameter body: must have no effects outside the transaction, because it may run more than once.
    func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result

    /// Runs `body` in a transaction that extends the audit trail. No other one does so at the same time.
    func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result

    /// Whether each transaction extends the trail itself. Otherwise, records wait in lanes until they are sealed.
    var sealsAtOnce: Bool { get }

    /// The transactions that the store has repeated since it was opened; nil for a store that repeats none.
    var activity: StoreActivity? { get }

    /// Runs `body` on a read-only snapshot of the store.
    func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result
}

extension AccountStore {
    /// The default for a store on this machine.
    public var activity: StoreActivity? { nil }

    /// The default for a store on this machine: calls ``write(_:)``.
    public func write<Result: Sendable>(
        about rows: [ExpectedRow], _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await write(body)
    }

    /// The default for a store without reserved space: calls ``write(_:)``.
    public func writeWithReserve<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await write(body)
    }
}

/// The ID of a remote store, with the tag of its key.
public struct StoreIdentity: Equatable, Sendable {
    /// 16 random bytes.
    public let id: [UInt8]
    /// The tag of the store's key, ``StoreKey/tag(ofStore:)``: 32 bytes.
    public let keyTag: [UInt8]

    /// Creates the identity of a new store.
    public init(id: [UInt8], keyTag: [UInt8]) {
        self.id = id
        self.keyTag = keyTag
    }
}

/// The result of migrating a store to the newest schema.
public struct StoreMigration: Equatable, Sendable {
    /// The schema version before the migration.
    public let from: Int
    /// The schema version after the migration. It equals ``from`` if no migration was needed.
    public let to: Int
    /// The names of the migrations that ran, in order.
    public let names: [String]
    /// The path of the copy made before the migration; nil if no migration was needed, or for a database server.
    public let copy: String?

    package init(from: Int, to: Int, names: [String], copy: String?) {
        (self.from, self.to, self.names, self.copy) = (from, to, names, copy)
    }
}
