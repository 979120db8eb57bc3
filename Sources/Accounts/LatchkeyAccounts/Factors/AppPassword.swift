public import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// A generated password for one program that cannot ask for a second factor, such as a mail client.
///
/// It works only in ``AccountService/verifyAppLogin(identifier:password:)``. It has 120 random bits and the format of a
/// `RecoveryCode`. Guessing is infeasible with or without the store, so it needs no slow hash (ASVS 5.0, 6.5.2). The
/// tag is keyed and covers the account. An intruder who can write to the database but lacks the key can neither add an
/// app password nor move one to another account.
public struct AppPassword: Equatable, Sendable {
    /// The maximum number of app passwords per account.
    public static let perAccount = 50
    /// The maximum length of a name in characters (Unicode scalars).
    public static let maximumNameLength = 64

    /// The HMAC-SHA-256 of the account and the password with the store's key, 32 bytes.
    package let tag: [UInt8]
    /// The account to which the app password belongs.
    public let account: AccountID
    /// The owner's name for the app password, such as `Phone mail`.
    public let name: String
    /// The time of creation.
    public let createdAt: Timestamp
    /// The time of the last login with it; nil if there was none.
    public internal(set) var lastUsedAt: Timestamp?

    /// Creates an app password.
    package init(tag: [UInt8], account: AccountID, name: String, createdAt: Timestamp, lastUsedAt: Timestamp? = nil) {
        self.tag = tag
        self.account = account
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    /// The ID shown to people and written to the audit trail: the first 8 hexadecimal digits of the tag.
    public var id: String { Hexadecimal.text(of: tag.prefix(4)) }

    /// The reason why `name` is invalid; nil if it is valid. The name must be displayable, because owners and operators
    /// see it in lists.
    public static func failure(ofName name: String) -> RuleFailure? {
        func failure(_ code: RuleFailure.Code, _ values: [String: RuleFailure.Value] = [:]) -> RuleFailure {
            RuleFailure(code: code, values: values, field: .appPasswordName)
        }
        if name.unicodeScalars.allSatisfy(\.properties.isWhitespace) { return failure(.required) }
        guard name.unicodeScalars.count <= maximumNameLength else {
            return failure(.maxLength, ["maximum": .integer(maximumNameLength)])
        }
        return DisplayText.violation(in: name.utf8Span) == nil ? nil : failure(.unprintable)
    }
}

/// Reads and writes app passwords.
public protocol AppPasswordRows {
    /// Stores a new app password.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if the account no longer exists.
    func insert(_ password: AppPassword) throws(AccountError)
    /// The app password with this tag; nil if there is none.
    func appPassword(_ tag: [UInt8]) throws(AccountError) -> AppPassword?
    /// All app passwords of the account, in the order of creation.
    func appPasswords(of account: AccountID) throws(AccountError) -> [AppPassword]
    /// Updates the time of last use.
    func touchAppPassword(_ tag: [UInt8], at time: Timestamp) throws(AccountError)
    /// Deletes an app password; false if it does not exist.
    func deleteAppPassword(_ tag: [UInt8]) throws(AccountError) -> Bool
    /// Deletes all app passwords of the account.
    func deleteAppPasswords(of account: AccountID) throws(AccountError)
}
