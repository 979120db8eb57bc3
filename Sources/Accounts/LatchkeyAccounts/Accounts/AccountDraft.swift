public import LatchkeyForms
public import LatchkeySecrets
import LatchkeyText

/// The values for a new account, not yet validated.
public struct AccountDraft: Sendable {
    /// Nil for a random ID.
    public var id: AccountID?
    /// The username as typed; nil for an account by e-mail address alone.
    public var username: String?
    /// The e-mail address as typed.
    public var email: String
    /// The other fields of the sign-up form, by their `apiKey`.
    public var attributes: [String: FieldValue]
    /// Nil if the owner has to set a password with a recovery code first.
    public var password: Secret?
    /// Whether ``AccountService/newPassword()`` generated the password.
    ///
    /// Such a password works for one day and must be changed at the first login.
    public var isPasswordGenerated = false
    /// An imported password hash instead of a password.
    public var passwordHash: PasswordHash?
    /// Whether the owner must choose another password at the first login.
    public var mustChangePassword: Bool

    /// Creates a draft with a random ID and no imported hash.
    public init(
        username: String? = nil, email: String, attributes: [String: FieldValue] = [:], password: Secret?,
        mustChangePassword: Bool = false
    ) {
        self.username = username
        self.email = email
        self.attributes = attributes
        self.password = password
        self.mustChangePassword = mustChangePassword
    }
}

/// A draft that is valid as far as that does not depend on other accounts.
package struct CheckedDraft: Sendable {
    package let id: AccountID?
    package let username: Username?
    package let email: EmailAddress
    package let attributes: [String: FieldValue]
    /// Prepared for hashing and accepted by the password policy.
    package let password: Secret?
    /// An imported hash that this hasher can verify, with its cost.
    package let passwordHash: PasswordHash?
    package let mustChangePassword: Bool
    package let isPasswordGenerated: Bool
    /// Why no new account may have the username; nil unless the caller decides on that.
    package let nameFailure: RuleFailure?

    /// The longest attribute, in bytes.
    static let maximumAttributeBytes = 4096
    /// The most bytes of all attributes and their keys. The store takes 524,288 bytes of JSON, in which an escape can
    /// double a text.
    static let maximumAttributesBytes = 200_000

    /// - Parameters:
    ///   - stored: the account's current username, which may stay although it would be refused as a new one.
    ///   - allowsUnsafeName: whether the caller decides on an unsafe username, with ``nameFailure``.
    ///   - international: whether the address may contain characters beyond ASCII.
    /// - Throws: ``AccountError/refused(_:)`` with one failure for each invalid field; ``AccountError/blocklist(_:)``,
    ///   ``AccountError/outOfMemory``.
    package init(
        _ draft: borrowing AccountDraft, keeping stored: Username? = nil, allowsUnsafeName: Bool = false,
        policy: borrowing PasswordPolicy, hasher: borrowing any PasswordHasher, international: Bool
    ) throws(AccountError) {
        var failures: [RuleFailure] = []
        let email = Self.checked(.email, &failures) { () throws(RuleFailure) in
            try EmailAddress(draft.email, international: international)
        }
        var nameFailure: RuleFailure?
        let username = draft.username.flatMap { typed in
            Self.checked(.username, &failures) { () throws(RuleFailure) in
                let username = try Username(typed)
                if username != stored, let failure = username.unsafety {
                    guard allowsUnsafeName else { throw failure }
                    nameFailure = failure.of(.username)
                }
                return username
            }
        }
        for (key, value) in draft.attributes.sorted(by: { $0.key < $1.key }) {
            if let failure = Self.failure(ofAttribute: value) {
                failures.append(failure.of(FieldKey(rawValue: key)))
            }
        }
        if let failure = Self.failure(ofAll: draft.attributes) { failures.append(failure) }
        var password: Secret?
        do {
            if let typed = draft.password {
                let context = PasswordContext(
                    username: draft.username, email: draft.email, attributes: draft.attributes)
                password = try policy.prepare(typed, for: .password, of: context)
            }
        } catch {
            guard case .refused(let refused) = error else { throw error }
            failures += refused
        }
        var imported = draft.passwordHash.flatMap { $0.isNone ? nil : $0 }
        if let hash = imported {
            do throws(RuleFailure) {
                imported = try Self.examined(hash, by: hasher)
            } catch {
                failures.append(error)
            }
        }
        guard let email, failures.isEmpty else { throw .refused(failures) }
        id = draft.id
        self.nameFailure = nameFailure
        self.username = username
        self.email = email
        self.attributes = draft.attributes
        self.password = password
        passwordHash = imported
        mustChangePassword = draft.mustChangePassword
        isPasswordGenerated = draft.isPasswordGenerated && draft.password != nil
    }

    private static func checked<Value>(
        _ field: FieldKey, _ failures: inout [RuleFailure], _ make: () throws(RuleFailure) -> Value
    ) -> Value? {
        do {
            return try make()
        } catch {
            failures.append(error.of(field))
            return nil
        }
    }

    /// Adds the cost to an imported hash. Refuses a hash that can never be verified, sealed ones included.
    private static func examined(
        _ hash: PasswordHash, by hasher: borrowing any PasswordHasher
    ) throws(RuleFailure) -> PasswordHash {
        do throws(HashError) {
            return PasswordHash(phc: hash.phc, milliseconds: try hasher.milliseconds(of: hash))
        } catch {
            let code: RuleFailure.Code = error == .costTooHigh ? .hashTooCostly : .hashUnsupported
            throw RuleFailure(code: code, field: .password)
        }
    }

    /// The failure of attributes that are too long together, at the longest one.
    private static func failure(ofAll attributes: [String: FieldValue]) -> RuleFailure? {
        let byteCount = attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.text.utf8.count }
        guard byteCount > maximumAttributesBytes else { return nil }
        let longest = attributes.max { ($0.value.text.utf8.count, $1.key) < ($1.value.text.utf8.count, $0.key) }
        return RuleFailure(
            code: .tooLong, values: ["maximum": .integer(maximumAttributeBytes)],
            field: longest.map { FieldKey(rawValue: $0.key) })
    }

    private static func failure(ofAttribute value: FieldValue) -> RuleFailure? {
        if case .boolean = value { return nil }
        let text = value.text
        guard text.utf8.count <= maximumAttributeBytes else {
            return RuleFailure(code: .tooLong, values: ["maximum": .integer(maximumAttributeBytes)])
        }
        if text.utf8.contains(0) { return RuleFailure(code: .nul) }
        // The form decides which fields have several lines.
        return DisplayText.violation(in: text.utf8Span, allowsLineFeeds: true) == nil
            ? nil : RuleFailure(code: .unprintable)
    }
}
