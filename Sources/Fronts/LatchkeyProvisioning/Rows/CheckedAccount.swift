public import LatchkeyAccounts
public import LatchkeyForms
import LatchkeySecrets

/// The account of one row, after every check that does not depend on other accounts.
///
/// A class, because an import passes millions of them through arrays, and copying a struct would retain each property.
public final class CheckedAccount: Sendable {
    /// Nil if the row has no id.
    public let id: AccountID?
    /// Prepared for comparison; nil if the row gives none.
    public let username: Username?
    /// Whether an existing account loses its username.
    let removesUsername: Bool
    /// Prepared for comparison.
    public let email: EmailAddress
    /// Values by the fields' `apiKey`; an empty value removes the stored one.
    public let attributes: [String: FieldValue]
    /// Values by the fields' `apiKey` that only a new account gets.
    let defaults: [String: FieldValue]
    /// Nil if the row does not say.
    public let state: AccountState?
    /// Nil if the row does not say.
    public let mustChangePassword: Bool?
    /// Nil if the row does not say.
    public let createdAt: Timestamp?
    let password: PasswordChoice
    /// The secret of the owner's authenticator app; nil if the row does not say.
    let totpSecret: Secret?
    /// Why the username is unsafe; nil if it is safe. Only the account that has it already may keep it.
    let nameFailure: RuleFailure?

    /// The password that the row gives.
    enum PasswordChoice: Sendable {
        /// The row says nothing about a password.
        case unspecified
        /// The account has no password.
        case none
        /// A password that is prepared and satisfies the policy.
        case plain(Secret)
        /// A hash that can be verified; its ``PasswordHash/milliseconds`` are known.
        case hash(PasswordHash)
    }

    /// The username or, without one, the e-mail address as typed.
    public var name: String { username?.typed ?? email.typed }

    /// Whether a password must be hashed, which takes longer than everything else.
    public var needsHashing: Bool { if case .plain = password { true } else { false } }

    /// Whether the row gives a password or a hash. The owner of a new account without one has to recover it.
    public var hasPassword: Bool {
        switch password {
        case .unspecified, .none: false
        case .plain, .hash: true
        }
    }

    fileprivate init(_ row: borrowing ProvisionedAccount, _ draft: borrowing CheckedDraft) {
        id = row.id
        nameFailure = draft.nameFailure
        username = draft.username
        removesUsername = row.username?.isEmpty == true
        email = draft.email
        attributes = draft.attributes
        defaults = row.defaults
        state = row.state
        mustChangePassword = row.mustChangePassword
        createdAt = row.createdAt
        totpSecret = row.totpSecret
        password =
            switch (draft.password, draft.passwordHash, row.passwordHash) {
            case (let plain?, _, _): .plain(plain)
            case (_, let hash?, _): .hash(hash)
            case (_, _, .some): .none
            case (nil, nil, nil): .unspecified
            }
    }
}

extension AccountService {
    /// Checks a row like ``create(_:by:)``, without comparing it with other accounts.
    ///
    /// Whether its username must be safe is decided when it is compared, because an account that has it may keep it.
    ///
    /// - Throws: ``AccountError/refused(_:)`` with one failure for each wrong field;
    ///   ``AccountError/blocklist(_:)``, ``AccountError/outOfMemory``.
    public func check(_ row: borrowing ProvisionedAccount) throws(AccountError) -> CheckedAccount {
        var draft = AccountDraft(
            username: row.username?.isEmpty == true ? nil : row.username, email: row.email, attributes: row.attributes,
            password: row.password)
        draft.passwordHash = row.passwordHash
        var failures: [RuleFailure] = []
        var checked: CheckedDraft?
        do throws(AccountError) {
            checked = try CheckedDraft(
                draft, allowsUnsafeName: true, policy: policy, hasher: hasher,
                international: settings.internationalAddresses)
        } catch .refused(let refused) {
            failures = refused.map { failure in
                var failure = failure
                if failure.isAboutHash { failure.field = .passwordHash }
                return failure
            }
        }
        if row.password != nil, row.passwordHash != nil, !failures.contains(where: { $0.field == .passwordHash }) {
            failures.append(RuleFailure(code: .passwordAndHash, field: .passwordHash))
        }
        if let secret = row.totpSecret, TOTP(secret) == nil {
            failures.append(RuleFailure(code: .notTOTPSecret, field: .totpSecret))
        }
        if let createdAt = row.createdAt {
            let latest = clock.now().advanced(by: SessionLimits.clockTolerance)
            if createdAt > latest {
                let values = ["latest": RuleFailure.Value.text(latest.rfc3339)]
                failures.append(RuleFailure(code: .tooLate, values: values, field: .createdAt))
            }
        }
        guard let checked, failures.isEmpty else { throw .refused(failures) }
        return CheckedAccount(row, checked)
    }
}

extension CheckedAccount {
    /// A new account from this row.
    ///
    /// - Parameters:
    ///   - id: for a row without an id of its own.
    ///   - hash: the hash of the row's plain password, if it has one.
    ///   - seal: the current seal in the transaction that stores the account.
    func newAccount(
        _ id: AccountID, _ hash: BareHash?, at now: Timestamp, sealedWith seal: Seal?, by service: AccountService
    ) throws(AccountError) -> Account {
        let id = self.id ?? id
        let passwordHash = try newHash(hash, for: id, sealedWith: seal, by: service)
        let isDemanded = passwordHash != nil && service.settings.preset.operatorPasswordsMustChange
        var account = Account(
            id: id, username: username, email: email,
            attributes: newAttributes, state: state ?? .active, createdAt: createdAt ?? now,
            mustChangePassword: isDemanded || mustChangePassword == true, passwordHash: passwordHash)
        account.updatedAt = now
        account.vouchForLoginName(at: now)
        return account
    }

    private var newAttributes: [String: FieldValue] {
        if attributes.isEmpty { return defaults }
        return defaults.merging(attributes) { $1 }.filter { !$0.value.isEmpty }
    }

    /// The hash to store for the row's password; nil if it has none.
    func newHash(
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

extension RuleFailure {
    fileprivate var isAboutHash: Bool { code == .hashUnsupported || code == .hashTooCostly }
}
