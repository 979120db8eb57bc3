import LatchkeyForms

/// A username that an account has released. Programs behind a proxy may still know its former holder by it, so no other
/// account can take it for a while.
public struct ReservedName: Equatable, Sendable {
    /// The time for which a released name stays reserved.
    package static let lifetime = Duration.seconds(90 * 86400)
    /// The maximum number of names that one account reserves, so that its owner cannot collect them.
    static let perAccount = 5

    /// The username, prepared for comparison.
    public let name: String
    /// The account that released the name and may take it back. It may be deleted.
    public let account: AccountID
    /// The time from which any account can have the name.
    public let expiresAt: Timestamp

    /// Creates a reservation.
    package init(name: String, account: AccountID, expiresAt: Timestamp) {
        self.name = name
        self.account = account
        self.expiresAt = expiresAt
    }

    /// Whether the account cannot have the name at `now`.
    ///
    /// - Parameter account: nil for a new account.
    package func isHeld(from account: AccountID?, at now: Timestamp) -> Bool {
        now < expiresAt && self.account != account
    }
}

/// Reads and writes the usernames that accounts have released.
public protocol ReservedNameRows {
    /// Whether the store has any reservation, expired or not.
    var hasReservedNames: Bool { get throws(AccountError) }
    /// The reservation of a prepared username, expired or not; nil if there is none.
    func reservedName(_ name: String) throws(AccountError) -> ReservedName?
    /// Stores a reservation, replacing that of the same name.
    func reserve(_ name: ReservedName) throws(AccountError)
    /// Deletes the reservation of a prepared username.
    func deleteReservedName(_ name: String) throws(AccountError)
    /// Deletes the reservations of an account except for the `count` that expire last.
    func deleteReservedNames(of account: AccountID, keeping count: Int) throws(AccountError)
    /// Deletes the reservations that expired at or before `time`.
    func deleteReservedNames(expiredBy time: Timestamp) throws(AccountError)
}

extension AccountService {
    /// Whether another account has released the username recently.
    ///
    /// - Parameter account: nil for a new account.
    func isReserved(
        _ username: Username, for account: AccountID?, at now: Timestamp, in transaction: any ReservedNameRows
    ) throws(AccountError) -> Bool {
        try transaction.reservedName(username.prepared)?.isHeld(from: account, at: now) ?? false
    }

    /// Sets an account's username and reserves the previous one. Every transaction that changes a username calls this.
    ///
    /// - Parameters:
    ///   - old: nil for a new account.
    ///   - takesReserved: whether the account may take a name that another one has released.
    /// - Throws: ``AccountError/taken(field:)`` for a reserved username.
    package func moveName(
        of account: Account, from old: Username?, takesReserved: Bool = false, at now: Timestamp,
        in transaction: any ReservedNameRows
    ) throws(AccountError) {
        guard account.username != old else { return }
        if let new = account.username {
            if !takesReserved, try isReserved(new, for: account.id, at: now, in: transaction) {
                throw .taken(field: .username)
            }
            try transaction.deleteReservedName(new.prepared)
        }
        if let old { try reserve(old, of: account.id, at: now, in: transaction) }
    }

    /// Reserves the username of a deleted account.
    package func reserve(
        _ username: Username, of account: AccountID, at now: Timestamp, in transaction: any ReservedNameRows
    ) throws(AccountError) {
        try transaction.reserve(
            ReservedName(
                name: username.prepared, account: account, expiresAt: now.advanced(by: ReservedName.lifetime)))
        try transaction.deleteReservedNames(of: account, keeping: ReservedName.perAccount)
    }

    /// The reservation of a username that another account has released; nil if it is free or belongs to an account.
    package func reservation(of username: Username) async throws(AccountError) -> ReservedName? {
        try await store.read { [clock] (transaction) throws(AccountError) in
            guard let reserved = try transaction.reservedName(username.prepared) else { return nil }
            return clock.now() < reserved.expiresAt ? reserved : nil
        }
    }
}
