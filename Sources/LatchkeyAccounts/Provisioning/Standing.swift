public import LatchkeyForms

/// How a row stands to the accounts that there are.
public enum Standing: Sendable {
    case new
    /// The account that it is about.
    case existing(Account)
    /// Its value of this field is another account's.
    case refused(FieldKey)

    init(
        of row: CheckedAccount, _ choice: ConflictChoice, at now: Timestamp, in transaction: any StoreTransaction
    ) throws(AccountError) {
        func account(_ lookup: AccountLookup?) throws(AccountError) -> Account? {
            guard let lookup, let found = try transaction.account(lookup) else { return nil }
            // One that nobody has proved in time goes when a new one comes.
            return now < found.verifyBy ?? Timestamp(milliseconds: .max) ? found : nil
        }
        let named = try account(.username(row.username))
        let addressed = try account(.email(row.email))
        let numbered = try account(row.id.map { .id($0) })
        switch choice {
        case .fail:
            let taken: FieldKey? =
                numbered != nil ? .accountID : named != nil ? .username : addressed != nil ? .email : nil
            self = taken.map { .refused($0) } ?? .new
        case .skip:
            self = (numbered ?? named ?? addressed).map { .existing($0) } ?? .new
        case .update:
            let target = row.id == nil ? named : numbered
            if let named, named.id != target?.id {
                self = .refused(.username)
            } else if let addressed, addressed.id != target?.id {
                self = .refused(.email)
            } else {
                self = target.map { .existing($0) } ?? .new
            }
        }
    }
}
