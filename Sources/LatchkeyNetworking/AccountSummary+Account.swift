public import LatchkeyAccounts
public import LatchkeyFlows

extension AccountSummary {
    /// What may be told of `account` to its owner.
    public init(_ account: Account) {
        self.init(
            id: account.id.text, username: account.username.typed, email: account.email.typed,
            attributes: account.attributes, state: account.verifyBy == nil ? account.state.rawValue : "unverified",
            createdAt: account.createdAt.rfc3339)
    }
}
