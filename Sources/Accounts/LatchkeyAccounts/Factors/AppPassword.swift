public import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// A generated password for one program that cannot ask for a second factor, such as a mail client.
///
/// It is good only in ``AccountService/verifyAppLogin(identifier:password:)``. It has the 120 random bits and the text of a
/// ``RecoveryCode``. With so many it needs no slow hash (ASVS 5.0, 6.5.2): no attacker can try enough of them, with or
/// without the store. Because the tag is keyed and covers the account, an intruder who can write to the database, but has
/// no key, can neither add one nor move one to another account.
public struct AppPassword: Equatable, Sendable {
    /// The most app passwords of an account.
    public static let perAccount = 50
    /// The most characters (Unicode scalars) of a name.
    public static let maximumNameLength = 64

    /// The HMAC-SHA-256 of account and text under the store's key, 32 bytes.
    package let tag: [UInt8]
    /// Whose login it is good for.
    public let account: AccountID
    /// What the owner calls it, such as `Phone mail`.
    public let name: String
    /// When it was created.
    public let createdAt: Timestamp
    /// When a program last logged in with it; nil if none has.
    public internal(set) var lastUsedAt: Timestamp?

    /// Creates an app password.
    package init(tag: [UInt8], account: AccountID, name: String, createdAt: Timestamp, lastUsedAt: Timestamp? = nil) {
        self.tag = tag
        self.account = account
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    /// The ID for people and for the audit trail: the first 8 hexadecimal digits of the tag.
    public var id: String { Hexadecimal.text(of: tag.prefix(4)) }

    /// Why `name` cannot be a name; nil if it can. Lists show it to the owner and to operators.
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
    /// - Throws: ``AccountError/noSuchAccount`` if its account is gone.
    func insert(_ password: AppPassword) throws(AccountError)
    /// The app password with this tag; nil if there is none.
    func appPassword(_ tag: [UInt8]) throws(AccountError) -> AppPassword?
    /// All app passwords of the account, in the order of creation.
    func appPasswords(of account: AccountID) throws(AccountError) -> [AppPassword]
    /// Updates the time of last use.
    func touchAppPassword(_ tag: [UInt8], at time: Timestamp) throws(AccountError)
    /// Deletes an app password; false if there is none.
    func deleteAppPassword(_ tag: [UInt8]) throws(AccountError) -> Bool
    /// Deletes all app passwords of the account.
    func deleteAppPasswords(of account: AccountID) throws(AccountError)
}
