/// A row that a transaction will probably read: see ``ExpectedRows/expect(_:)`` and ``AccountStore/write(about:_:)``.
public enum ExpectedRow: Hashable, Sendable {
    /// The account that a lookup finds.
    case account(AccountLookup)
    /// The failures of a throttle.
    case throttle(Throttle)
    /// The failures of ``Throttle/account(_:)`` of the account that a lookup finds.
    case throttleOfAccount(AccountLookup)
    /// The failures of one of the 65,536 rows for sources.
    case source(UInt16)
    /// The device with this digest, and all devices of its account.
    case device(digest: [UInt8])
    /// The known devices of an account.
    case devices(AccountID)
    /// The session with this digest, and its account.
    case session(SessionDigest)
    /// The sessions of an account.
    case sessions(AccountID)
    /// The authenticator and the passkeys of an account.
    case factors(AccountID)
    /// The login with this digest that waits for its second factor, and its account.
    case pendingLogin(digest: [UInt8])
    /// The costs of the hashes in the store.
    case hashCosts
    /// The newest time in the store.
    case clock
}
