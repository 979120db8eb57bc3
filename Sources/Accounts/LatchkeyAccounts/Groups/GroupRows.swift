/// Reads and writes groups and their members.
public protocol GroupRows {
    /// Stores a new group. Its name must be free.
    func insert(_ group: Group) throws(AccountError)
    /// The group with this name; nil if there is none.
    func group(_ name: GroupName) throws(AccountError) -> Group?
    /// All groups with the numbers of their members, ordered by name.
    var groups: [GroupSummary] { get throws(AccountError) }
    /// The names of all groups, in order.
    var groupNames: [GroupName] { get throws(AccountError) }
    /// The number of groups.
    var groupCount: Int { get throws(AccountError) }
    /// The number of members of a group, including disabled accounts.
    func memberCount(of group: GroupName) throws(AccountError) -> Int
    /// Replaces the name and the title of the group with this ID.
    func update(_ group: Group) throws(AccountError)
    /// Deletes a group with its memberships; false if it does not exist.
    func deleteGroup(_ name: GroupName) throws(AccountError) -> Bool
    /// The groups of an account, in order; empty if the account does not exist.
    func groups(of account: AccountID) throws(AccountError) -> [GroupName]
    /// The groups of several accounts, in order. An account without groups has no entry.
    func groups(of accounts: [AccountID]) throws(AccountError) -> [AccountID: [GroupName]]
    /// Adds an account to groups. Skips groups that do not exist or already have the account.
    func add(_ account: AccountID, to groups: [GroupName]) throws(AccountError)
    /// Removes an account from groups.
    func remove(_ account: AccountID, from groups: [GroupName]) throws(AccountError)
}
