/// How many there are of what a store holds.
public struct StoreCounts: Equatable, Sendable {
    public let activeAccounts: Int
    public let disabledAccounts: Int
    /// The address is not proved yet, in whichever state the account is.
    public let unverifiedAccounts: Int
    /// Another password is demanded, in whichever state the account is.
    public let accountsToChangePassword: Int
    public let liveSessions: Int
    /// For somebody, and not too old.
    public let waitingMessages: Int

    package init(
        activeAccounts: Int, disabledAccounts: Int, unverifiedAccounts: Int, accountsToChangePassword: Int,
        liveSessions: Int, waitingMessages: Int
    ) {
        self.activeAccounts = activeAccounts
        self.disabledAccounts = disabledAccounts
        self.unverifiedAccounts = unverifiedAccounts
        self.accountsToChangePassword = accountsToChangePassword
        self.liveSessions = liveSessions
        self.waitingMessages = waitingMessages
    }
}

/// A piece of the audit trail, counted.
public struct AuditCounts: Equatable, Sendable {
    /// By the name of the event, as it is written.
    public let byName: [String: Int]
    /// The number of the last record that was counted; nil where there are no more.
    public let last: Int64?

    package init(byName: [String: Int], last: Int64?) {
        self.byName = byName
        self.last = last
    }
}
