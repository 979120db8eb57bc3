import LatchkeyText

/// Selects accounts for a list.
public struct AccountFilter: Sendable {
    /// The state of an account in a list.
    public enum State: String, CaseIterable, Sendable {
        /// Accounts that can log in.
        case active
        /// Accounts that an operator has disabled.
        case disabled
        /// Accounts whose e-mail address is not verified yet.
        case unverified
        /// Accounts whose owner must choose a new password, enabled or not.
        case mustChange = "must-change"
        /// Accounts whose next login must wait because of failures.
        case locked
    }

    /// Nil for accounts with any groups or none.
    public let group: GroupName?
    /// Nil for all states.
    public let state: State?
    /// Whether to select only accounts without an authenticator app and passkeys.
    public let hasNoFactor: Bool
    /// The search text, prepared like a username; nil matches every name.
    package let partOfName: String?
    /// The search text, folded like an e-mail address. An account is selected if either form matches.
    package let partOfAddress: String?
    /// Whether the name or the address must begin with the text, which indexes find.
    package let isBeginning: Bool

    /// - Parameters:
    ///   - text: a part of the username or e-mail address. The comparison ignores case.
    ///   - isBeginning: whether the username or the address must begin with `text`.
    ///   - group: the group whose members to select.
    ///   - hasNoFactor: whether to select only accounts without an authenticator app and passkeys.
    ///   - state: the state of the accounts; nil for any.
    public init(
        state: State? = nil, matching text: String? = nil, isBeginning: Bool = false, in group: GroupName? = nil,
        hasNoFactor: Bool = false
    ) {
        self.isBeginning = isBeginning && text != nil
        self.hasNoFactor = hasNoFactor
        self.group = group
        self.state = state
        partOfName = text.map { UsernameCaseMapped.mapped($0.utf8Span) }
        partOfAddress = text.map { Normalization.nfcInSmallASCII($0.utf8Span) }
    }

    /// Whether the filter selects every account.
    public var isAll: Bool { state == nil && partOfName == nil && group == nil && !hasNoFactor }
}

/// One page of the list of accounts.
public struct AccountPage: Sendable {
    /// The selected accounts, ordered by their login names.
    public let accounts: [Account]
    /// The last account that was read, even if the filter excluded it; nil on the last page.
    public let last: LoginName?
    /// Whether a search left accounts out, because too many addresses begin with its text.
    public let isIncomplete: Bool

    /// The number of names, and of addresses, that a search for a beginning reads at most.
    package static let searchLimit = 5000

    /// Creates a page.
    package init(accounts: [Account], last: LoginName?, isIncomplete: Bool = false) {
        self.accounts = accounts
        self.last = last
        self.isIncomplete = isIncomplete
    }
}
