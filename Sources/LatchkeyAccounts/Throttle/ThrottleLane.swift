/// The row in which failures are counted: an account's own, or one of 65,536 that names nobody has share.
public enum ThrottleLane: Hashable, Sendable {
    case account(AccountID)
    case nobody(row: UInt16)
}
