package import LatchkeyAccounts
package import LatchkeyForms

/// The treatment of a row whose account exists.
package enum ConflictChoice: String, Sendable, CaseIterable {
    /// Refuse the row.
    case fail
    /// Leave the account unchanged, even if only the e-mail address matches.
    case skip
    /// Update the account with the row's ID, otherwise with its username, otherwise with its address.
    case update
}

/// The conflict between a row and the accounts in the store, if there is one.
package enum RowConflict: Sendable {
    /// No account matches, so the row creates an account.
    case new
    /// The account that the row describes.
    case existing(Account)
    /// Another account already has the row's value of this field.
    case taken(FieldKey)
    /// The row names a group that does not exist, or too many groups.
    case groups(RuleFailure)
    /// The row would give an account a username that is unsafe for programs.
    case unsafeName(RuleFailure)

    /// The reason why the row cannot be imported; nil if it can.
    var failure: RuleFailure? {
        switch self {
        case .new, .existing: nil
        case .taken(let field): RuleFailure(code: .taken, field: field)
        case .unsafeName(let failure), .groups(let failure): failure
        }
    }

    init(of row: CheckedAccount, _ match: AccountMatch, _ choice: ConflictChoice) {
        self.init(match, choice)
        if match.isReserved {
            switch self {
            case .existing(let account) where choice == .skip || account.username == row.username: break
            case .existing, .new: self = .taken(.username)
            case .taken, .unsafeName, .groups: break
            }
        }
        guard let failure = row.nameFailure else { return }
        switch self {
        case .existing(let account) where choice == .skip || account.username == row.username: break
        case .existing, .new: self = .unsafeName(failure)
        case .taken, .unsafeName, .groups: break
        }
    }

    /// The conflict of a row whose groups are refused, unless the row is skipped or has another conflict.
    func refusing(_ groups: RuleFailure?, _ choice: ConflictChoice) -> RowConflict {
        guard let groups else { return self }
        switch self {
        case .new: return .groups(groups)
        case .existing: return choice == .skip ? self : .groups(groups)
        case .taken, .unsafeName, .groups: return self
        }
    }

    private init(_ match: AccountMatch, _ choice: ConflictChoice) {
        switch choice {
        case .fail:
            let taken: FieldKey? =
                match.byID != nil
                ? .accountID : match.byUsername != nil ? .username : match.byEmail != nil ? .email : nil
            self = taken.map { .taken($0) } ?? .new
        case .skip:
            self = (match.byID ?? match.byUsername ?? match.byEmail).map { .existing($0) } ?? .new
        case .update:
            if let rival = match.rivals.first {
                self = .taken(rival.field)
            } else {
                self = match.target.map { .existing($0) } ?? .new
            }
        }
    }
}

/// The accounts that have the ID, the username or the address of a row.
struct AccountMatch: Sendable {
    let byID: Account?
    let byUsername: Account?
    let byEmail: Account?
    /// The account that the row describes: the account with its ID, otherwise with its username. If the row or the
    /// account has no username, the account with its address.
    let target: Account?
    /// Whether the row's username was released by another account and is still reserved.
    let isReserved: Bool

    /// - Parameter hasReservedNames: whether the store has released usernames, so that the row's must be looked up.
    init(
        of row: CheckedAccount, at now: Timestamp, hasReservedNames: Bool,
        in transaction: any AccountRows & ReservedNameRows
    ) throws(AccountError) {
        var reserved: ReservedName?
        if hasReservedNames, let username = row.username {
            reserved = try transaction.reservedName(username.prepared)
        }
        // Most rows are new.
        guard try transaction.hasAccount(row.username, row.email, row.id) else {
            (byID, byUsername, byEmail, target) = (nil, nil, nil, nil)
            isReserved = reserved?.isHeld(from: row.id, at: now) ?? false
            return
        }
        func account(_ lookup: AccountLookup?) throws(AccountError) -> Account? {
            guard let lookup, let found = try transaction.account(lookup) else { return nil }
            // An unverified account past its deadline does not block a new one.
            return now < found.verifyBy ?? Timestamp(milliseconds: .max) ? found : nil
        }
        byUsername = try account(row.username.map { .username($0) })
        byEmail = try account(.email(row.email))
        byID = try account(row.id.map { .id($0) })
        target =
            row.id != nil
            ? byID : row.username == nil ? byEmail : byUsername ?? (byEmail?.username == nil ? byEmail : nil)
        isReserved = reserved?.isHeld(from: target?.id ?? row.id, at: now) ?? false
    }

    private init() { (byID, byUsername, byEmail, target, isReserved) = (nil, nil, nil, nil, false) }

    /// The match of every row in a store without accounts and released usernames.
    static let none = AccountMatch()

    /// The other accounts that have the row's username or address.
    var rivals: [(field: FieldKey, id: AccountID)] {
        var rivals: [(field: FieldKey, id: AccountID)] = []
        if let byUsername, byUsername.id != target?.id { rivals.append((.username, byUsername.id)) }
        if let byEmail, byEmail.id != target?.id { rivals.append((.email, byEmail.id)) }
        return rivals
    }
}

/// The names of all accounts, if there are only a few. This is the case in most stores that receive an import.
///
/// Looking up each row in the database would take ten times as long.
struct FewAccounts {
    private static let limit = 16
    // For so few accounts, comparing is faster than hashing.
    private let usernames: [Username]
    private let emails: [EmailAddress]
    private let ids: [AccountID]

    /// Nil if the store has more accounts, or released usernames, which must be looked up.
    init?(in transaction: any AccountRows & ReservedNameRows) throws(AccountError) {
        guard try !transaction.hasReservedNames else { return nil }
        let accounts = try transaction.accounts(after: nil, limit: Self.limit + 1)
        guard accounts.count <= Self.limit else { return nil }
        usernames = accounts.compactMap(\.username)
        emails = accounts.map(\.email)
        ids = accounts.map(\.id)
    }

    /// Whether an account has the ID, the username or the address of `row`.
    func matches(_ row: CheckedAccount) -> Bool {
        row.username.map(usernames.contains) == true || emails.contains(row.email)
            || row.id.map(ids.contains) == true
    }
}
