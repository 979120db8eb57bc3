import LatchkeyText

/// Which accounts are looked for.
public struct AccountFilter: Sendable {
    /// What an account is told to be, and what its owner has to do.
    public enum State: String, CaseIterable, Sendable {
        case active
        case disabled
        /// The address is not proved yet.
        case unverified
        /// Another password is demanded, in whichever state the account is.
        case mustChange = "must-change"
    }

    /// Nil for all.
    public let state: State?
    /// A part of the username, in the form in which names are compared; nil for all.
    package let partOfName: String?
    /// The same part as it would stand in an address; either is enough.
    package let partOfAddress: String?

    /// - Parameter text: of which the username or the e-mail address has a part; compared as those are.
    public init(state: State? = nil, matching text: String? = nil) {
        self.state = state
        partOfName = text.map { UsernameCaseMapped.mapped($0.utf8Span) }
        partOfAddress = text.map { Normalization.nfcInSmallASCII($0.utf8Span) }
    }

    /// Whether every account is one of them.
    public var isAll: Bool { state == nil && partOfName == nil }

    /// Whether it is one of them.
    package func admits(_ account: Account) -> Bool {
        let isInState =
            switch state {
            case nil: true
            case .active: account.verifyBy == nil && account.state == .active
            case .disabled: account.verifyBy == nil && account.state == .disabled
            case .unverified: account.verifyBy != nil
            case .mustChange: account.mustChangePassword
            }
        guard isInState, let partOfName, let partOfAddress else { return isInState }
        return Self.has(account.username.prepared, partOfName) || Self.has(account.email.folded, partOfAddress)
    }

    /// By bytes.
    private static func has(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }
}

/// A piece of the list of accounts.
public struct AccountPage: Sendable {
    /// Those that were looked for, ordered by the bytes of the prepared username.
    public let accounts: [Account]
    /// The last that was looked at, whether or not it is one of them; nil at the end of the list.
    public let last: Username?

    package init(accounts: [Account], last: Username?) {
        self.accounts = accounts
        self.last = last
    }
}
