public import LatchkeyForms
package import LatchkeySecrets
import LatchkeyText

/// The account of a draft after all checks that do not depend on other accounts.
///
/// This is a class because an import passes millions of instances through arrays, and copying a struct would retain
/// each property (docs/decisions/0023-importing.md).
public final class CheckedAccount: Sendable {
    /// The ID from the draft; nil if it has none.
    public let id: AccountID?
    /// Prepared for comparison; nil if the draft contains none.
    public let username: Username?
    /// Whether to remove the username of an existing account.
    package let removesUsername: Bool
    /// Prepared for comparison.
    public let email: EmailAddress
    /// Values by the fields' `apiKey`; an empty value removes the stored one.
    public let attributes: [String: FieldValue]
    /// Values for new accounts only, by the fields' `apiKey`.
    package let defaults: [String: FieldValue]
    /// Nil if not given.
    public let state: AccountState?
    /// Nil if not given.
    public let mustChangePassword: Bool?
    /// Nil if not given.
    public let createdAt: Timestamp?
    /// All groups of the account, in order; nil if not given.
    package let groups: [GroupName]?
    /// The password from the draft.
    package let password: PasswordChoice
    let isPasswordGenerated: Bool
    /// The secret of the owner's authenticator app; nil if the draft does not specify it.
    package let totpSecret: Secret?
    /// The reason why the username of a row is unsafe; nil if it is safe. Only an account that already has the name may
    /// keep it.
    package let nameFailure: RuleFailure?

    /// The password that a draft specifies.
    package enum PasswordChoice: Sendable {
        /// The draft does not specify a password.
        case unspecified
        /// The account has no password.
        case none
        /// A prepared password that satisfies the policy.
        case plain(Secret)
        /// A hash that can be verified; its ``PasswordHash/milliseconds`` are known.
        case hash(PasswordHash)
    }

    /// The longest attribute, in bytes.
    static let maximumAttributeBytes = 4096
    /// The maximum size of all attributes with their keys, in bytes. The store accepts 524,288 bytes of JSON, where
    /// escapes can double the length of a string.
    static let maximumAttributesBytes = 200_000

    /// - Parameters:
    ///   - stored: the account's current username. The account may keep it even if the rules would refuse it for a new
    ///     account.
    ///   - isRow: whether the draft is an import row. A row has a column for the hash, and an unsafe username is
    ///     refused later, because an account that already has it may keep it.
    /// - Throws: ``AccountError/refused(_:)`` with a failure for each invalid field; ``AccountError/blocklist(_:)``,
    ///   ``AccountError/outOfMemory``.
    init(
        _ draft: borrowing AccountDraft, keeping stored: Username? = nil, isRow: Bool = false,
        by service: borrowing AccountService
    ) throws(AccountError) {
        var failures: [RuleFailure] = []
        let international = service.settings.internationalAddresses
        let email = Self.checked(.email, &failures) { () throws(RuleFailure) in
            try EmailAddress(draft.email, international: international)
        }
        removesUsername = draft.username?.isEmpty == true
        let typedName = removesUsername ? nil : draft.username
        var nameFailure: RuleFailure?
        username = typedName.flatMap { typed in
            Self.checked(.username, &failures) { () throws(RuleFailure) in
                let username = try Username(typed)
                if username != stored, let failure = username.unsafety {
                    guard isRow else { throw failure }
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
        var password = PasswordChoice.unspecified
        do {
            if let typed = draft.password {
                let context = PasswordContext(username: typedName, email: draft.email, attributes: draft.attributes)
                password = .plain(try service.policy.prepare(typed, for: .password, of: context))
            }
        } catch {
            guard case .refused(let refused) = error else { throw error }
            failures += refused
        }
        if let hash = draft.passwordHash {
            let field = isRow ? FieldKey.passwordHash : .password
            do throws(RuleFailure) {
                let choice = hash.isNone ? .none : PasswordChoice.hash(try Self.examined(hash, by: service.hasher))
                if draft.password == nil { password = choice } else { throw RuleFailure(code: .passwordAndHash) }
            } catch {
                failures.append(error.of(field))
            }
        }
        if let secret = draft.totpSecret, TOTP(secret) == nil {
            failures.append(RuleFailure(code: .notTOTPSecret, field: .totpSecret))
        }
        if let createdAt = draft.createdAt {
            let latest = service.clock.now().advanced(by: SessionLimits.clockTolerance)
            if createdAt > latest {
                let values = ["latest": RuleFailure.Value.text(latest.rfc3339)]
                failures.append(RuleFailure(code: .tooLate, values: values, field: .createdAt))
            }
        }
        guard let email, failures.isEmpty else { throw .refused(failures) }
        id = draft.id
        self.nameFailure = nameFailure
        self.email = email
        attributes = draft.attributes
        defaults = draft.defaults
        state = draft.state
        mustChangePassword = draft.mustChangePassword
        createdAt = draft.createdAt
        groups = draft.groups?.canonical
        self.password = password
        isPasswordGenerated = draft.isPasswordGenerated && draft.password != nil
        totpSecret = draft.totpSecret
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

    /// Adds the verification cost to an imported hash. Refuses a hash that can never be verified, including a sealed
    /// one.
    private static func examined(
        _ hash: PasswordHash, by hasher: borrowing any PasswordHasher
    ) throws(RuleFailure) -> PasswordHash {
        do throws(HashError) {
            return PasswordHash(phc: hash.phc, milliseconds: try hasher.milliseconds(of: hash))
        } catch {
            throw RuleFailure(code: error == .costTooHigh ? .hashTooCostly : .hashUnsupported)
        }
    }

    /// The failure if all attributes together are too long, reported at the longest one.
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
        // The form decides which fields accept several lines.
        return DisplayText.violation(in: text.utf8Span, allowsLineFeeds: true) == nil
            ? nil : RuleFailure(code: .unprintable)
    }
}

extension CheckedAccount {
    /// The username or, if there is none, the e-mail address, as typed.
    public var name: String { username?.typed ?? email.typed }

    /// Whether a password must be hashed, by far the slowest step.
    public var needsHashing: Bool { if case .plain = password { true } else { false } }

    /// Whether the draft contains a password or a hash. Without one, the owner of a new account must use a recovery
    /// code.
    public var hasPassword: Bool {
        switch password {
        case .unspecified, .none: false
        case .plain, .hash: true
        }
    }

    /// Creates the account to insert.
    ///
    /// - Parameters:
    ///   - id: the ID to use if the draft has none.
    ///   - hash: the hash of the draft's plain password, if it has one.
    ///   - seal: the current seal, read in the transaction that stores the account.
    ///   - actor: the future owner or an operator.
    package func newAccount(
        _ id: AccountID, _ hash: BareHash?, at now: Timestamp, sealedWith seal: Seal?, for actor: AuditActor,
        by service: AccountService
    ) throws(AccountError) -> Account {
        let id = self.id ?? id
        let passwordHash = try newHash(hash, for: id, sealedWith: seal, by: service)
        let isDemanded = passwordHash != nil && actor != .owner && service.settings.preset.operatorPasswordsMustChange
        var account = Account(
            id: id, username: username, email: email,
            attributes: newAttributes, state: state ?? .active, createdAt: createdAt ?? now,
            mustChangePassword: isDemanded || isPasswordGenerated || mustChangePassword == true,
            passwordHash: passwordHash)
        account.updatedAt = now
        if actor != .owner { account.vouchForLoginName(at: now) }
        if isPasswordGenerated { account.passwordExpiresAt = now.advanced(by: GeneratedPassword.lifetime) }
        return account
    }

    /// The attributes of a new account.
    var newAttributes: [String: FieldValue] {
        if attributes.isEmpty { return defaults }
        return defaults.merging(attributes) { $1 }.filter { !$0.value.isEmpty }
    }

    /// The hash to store for the draft's password; nil if it has none.
    package func newHash(
        _ hash: BareHash?, for id: AccountID, sealedWith seal: Seal?, by service: AccountService
    ) throws(AccountError) -> PasswordHash? {
        switch password {
        case .unspecified, .none: return nil
        case .hash(let given): return try service.sealed(given, for: id, with: seal)
        case .plain:
            return try hash.map { (hash) throws(AccountError) in
                try service.sealed(hash.hash, for: id, with: seal)
            }
        }
    }
}
