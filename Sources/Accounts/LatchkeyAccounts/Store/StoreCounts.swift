/// The number of accounts, sessions and messages in a store.
public struct StoreCounts: Equatable, Sendable {
    /// Verified and enabled accounts.
    public let activeAccounts: Int
    /// Verified and disabled accounts.
    public let disabledAccounts: Int
    /// Accounts whose address is not verified, whether enabled or disabled.
    public let unverifiedAccounts: Int
    /// Accounts whose owner must choose a new password, whether enabled or disabled.
    public let accountsToChangePassword: Int
    /// All accounts.
    public var allAccounts: Int { activeAccounts + disabledAccounts + unverifiedAccounts }
    /// Sessions that have not expired.
    public let liveSessions: Int
    /// Waiting messages, excluding decoys and expired ones.
    public let waitingMessages: Int
    /// The time when the oldest of these messages was written; nil if there are none.
    public let oldestMessage: Timestamp?

    /// Creates the counts.
    package init(
        activeAccounts: Int, disabledAccounts: Int, unverifiedAccounts: Int, accountsToChangePassword: Int,
        liveSessions: Int, waitingMessages: Int, oldestMessage: Timestamp? = nil
    ) {
        self.activeAccounts = activeAccounts
        self.disabledAccounts = disabledAccounts
        self.unverifiedAccounts = unverifiedAccounts
        self.accountsToChangePassword = accountsToChangePassword
        self.liveSessions = liveSessions
        self.waitingMessages = waitingMessages
        self.oldestMessage = oldestMessage
    }
}

/// The transactions that a store on another machine has repeated.
public struct StoreActivity: Equatable, Sendable {
    /// Repetitions because of a concurrent transaction.
    public var conflicts: Int
    /// Repetitions because of a lost connection.
    public var lostConnections: Int
    /// Transactions that ran without any other writer after several conflicts.
    public var exclusiveTransactions: Int

    /// Creates the counts.
    public init(conflicts: Int = 0, lostConnections: Int = 0, exclusiveTransactions: Int = 0) {
        self.conflicts = conflicts
        self.lostConnections = lostConnections
        self.exclusiveTransactions = exclusiveTransactions
    }
}

/// The audit records that wait in lanes.
public struct PendingCounts: Equatable, Sendable {
    /// The number of lanes.
    public let lanes: Int
    /// The number of records that wait.
    public let records: Int
    /// The time of the oldest of them; nil if there are none.
    public let oldest: Timestamp?

    /// Creates the counts.
    package init(lanes: Int, records: Int, oldest: Timestamp?) {
        (self.lanes, self.records, self.oldest) = (lanes, records, oldest)
    }
}

/// The counts of events in one page of the audit trail.
public struct AuditCounts: Equatable, Sendable {
    /// The number of occurrences of each event, by its stored name.
    public let byName: [String: Int]
    /// The number of the last counted record; nil at the end of the trail.
    public let last: Int64?

    /// Creates the counts of a page.
    package init(byName: [String: Int], last: Int64?) {
        self.byName = byName
        self.last = last
    }
}
