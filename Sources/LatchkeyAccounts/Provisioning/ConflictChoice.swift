/// What becomes of a row whose account there is already.
public enum ConflictChoice: String, Sendable, CaseIterable {
    /// It is refused.
    case fail
    /// The account stays as it is: also where it has but the row's address.
    case skip
    /// The account with the row's id or else its username becomes what the row says.
    case update
}

/// What has become of a row.
public enum ImportVerdict: Equatable, Sendable {
    case created(AccountID)
    case updated(AccountID)
    /// There is such an account, which is as the row says.
    case unchanged(AccountID)
    /// There is such an account.
    case skipped

    /// Whether anything is other than it was.
    package var isChange: Bool {
        switch self {
        case .created, .updated: true
        case .unchanged, .skipped: false
        }
    }
}
