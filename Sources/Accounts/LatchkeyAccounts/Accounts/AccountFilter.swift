import LatchkeyText

/// Selects accounts for a list.
public struct AccountFilter: Sendable {
    /// The state of an account in a list.
    public enum State: String, CaseIterable, Sendable {
        case active
        case disabled
        /// The e-mail address is not verified yet.
        case unverified
        /// The owner must choose another password. This applies to accounts of any state.
        case mustChange = "must-change"
    }

    /// Nil for all states.
    public let state: State?
    /// A part of the username, prepared for comparison; nil for all names.
    package let partOfName: String?
    /// The same part, folded like e-mail addresses. Either match is enough.
    package let partOfAddress: String?

    /// - Parameter text: a part of the username or the e-mail address, compared in their folded forms.
    public init(state: State? = nil, matching text: String? = nil) {
        self.state = state
        partOfName = text.map { UsernameCaseMapped.mapped($0.utf8Span) }
        partOfAddress = text.map { Normalization.nfcInSmallASCII($0.utf8Span) }
    }

    /// Whether the filter selects every account.
    public var isAll: Bool { state == nil && partOfName == nil }
}

/// One page of the list of accounts.
public struct AccountPage: Sendable {
    /// The selected accounts, ordered by their login names.
    public let accounts: [Account]
    /// The last account that was read, selected or not; nil at the end of the list.
    public let last: LoginName?

    /// Creates a page.
    package init(accounts: [Account], last: LoginName?) {
        self.accounts = accounts
        self.last = last
    }
}
