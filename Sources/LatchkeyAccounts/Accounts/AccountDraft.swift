import LatchkeyForms
public import LatchkeySecrets
import LatchkeyText

/// What somebody asks to be made an account of: nothing in it is checked yet.
public struct AccountDraft: Sendable {
    /// Nil for a random one.
    public var id: AccountID?
    public var username: String
    public var email: String
    /// By the fields' `apiKey`.
    public var attributes: [String: String]
    /// Nil for an account whose owner first has to recover it.
    public var password: Secret?
    /// Whether the password is one that ``AccountService/newPassword()`` gave: it has to be changed at the first login, and
    /// opens the account for a day.
    public var isPasswordGenerated = false
    /// In the place of a password, its hash as another program has made it.
    public var passwordHash: PasswordHash?
    /// Whether the owner must choose another password at the first login.
    public var mustChangePassword: Bool

    public init(
        username: String, email: String, attributes: [String: String] = [:], password: Secret?,
        mustChangePassword: Bool = false
    ) {
        self.username = username
        self.email = email
        self.attributes = attributes
        self.password = password
        self.mustChangePassword = mustChangePassword
    }
}

/// A draft of which everything holds that does not depend on other accounts.
struct CheckedDraft: Sendable {
    let id: AccountID?
    let username: Username
    let email: EmailAddress
    let attributes: [String: String]
    /// Prepared, and as the policy wants it.
    let password: Secret?
    /// Of a scheme that is verified here, where there is one, with what it costs.
    let passwordHash: PasswordHash?
    let mustChangePassword: Bool
    let isPasswordGenerated: Bool

    /// The most bytes of one attribute.
    static let maximumAttributeBytes = 1024

    /// - Parameter international: whether the address may go beyond ASCII.
    /// - Throws: ``AccountError/refused(_:)`` with all that is wrong, a failure for each field;
    ///   ``AccountError/blocklist(_:)``, ``AccountError/outOfMemory``.
    init(
        _ draft: AccountDraft, policy: PasswordPolicy, hasher: any PasswordHasher, international: Bool
    ) throws(AccountError) {
        var failures: [RuleFailure] = []
        let email = Self.checked(.email, &failures) { () throws(RuleFailure) in
            try EmailAddress(draft.email, international: international)
        }
        let username = Self.checked(.username, &failures) { () throws(RuleFailure) in try Username(draft.username) }
        for (key, text) in draft.attributes.sorted(by: { $0.key < $1.key }) {
            if let failure = Self.failure(ofAttribute: text) {
                failures.append(failure.of(FieldKey(rawValue: key)))
            }
        }
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
        var madeElsewhere = draft.passwordHash.flatMap { $0.isNone ? nil : $0 }
        if let hash = madeElsewhere {
            do throws(RuleFailure) {
                madeElsewhere = try Self.examined(hash, by: hasher)
            } catch {
                failures.append(error)
            }
        }
        guard let email, let username, failures.isEmpty else { throw .refused(failures) }
        id = draft.id
        self.username = username
        self.email = email
        self.attributes = draft.attributes
        self.password = password
        passwordHash = madeElsewhere
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

    /// With what it costs. A hash that could never be verified would be no password, and a sealed one is nobody's but the
    /// store's.
    private static func examined(
        _ hash: PasswordHash, by hasher: any PasswordHasher
    ) throws(RuleFailure) -> PasswordHash {
        do throws(HashError) {
            return PasswordHash(phc: hash.phc, milliseconds: try hasher.examine(hash).milliseconds)
        } catch {
            let code: RuleFailure.Code = error == .costTooHigh ? .hashTooCostly : .hashUnsupported
            throw RuleFailure(code: code, field: .password)
        }
    }

    private static func failure(ofAttribute text: String) -> RuleFailure? {
        guard text.utf8.count <= maximumAttributeBytes else {
            return RuleFailure(code: .tooLong, values: ["maximum": .integer(maximumAttributeBytes)])
        }
        if text.utf8.contains(0) { return RuleFailure(code: .nul) }
        return DisplayText.violation(in: text.utf8Span) == nil ? nil : RuleFailure(code: .unprintable)
    }
}
