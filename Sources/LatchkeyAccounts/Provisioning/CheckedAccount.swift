import LatchkeyForms
import LatchkeySecrets

/// A row of an import of which everything holds that does not depend on other accounts.
public struct CheckedAccount: Sendable {
    public let id: AccountID?
    public let username: Username
    public let email: EmailAddress
    public let attributes: [String: String]
    public let state: AccountState?
    public let mustChangePassword: Bool?
    public let createdAt: Timestamp?
    let password: PasswordChoice

    /// How the row says that its owner logs in.
    enum PasswordChoice: Sendable {
        /// It says nothing.
        case unsaid
        /// Not at all.
        case none
        /// With this, prepared and as the policy wants it.
        case plain(Secret)
        /// With what this is the hash of; its ``PasswordHash/milliseconds`` are known.
        case hash(PasswordHash)
    }

    /// Whether a password has to be hashed for it, which takes longer than all the rest.
    public var needsHashing: Bool { if case .plain = password { true } else { false } }

    fileprivate init(_ row: ProvisionedAccount, _ draft: CheckedDraft) {
        id = row.id
        username = draft.username
        email = draft.email
        attributes = draft.attributes
        state = row.state
        mustChangePassword = row.mustChangePassword
        createdAt = row.createdAt
        password =
            switch (draft.password, draft.passwordHash, row.passwordHash) {
            case (let plain?, _, _): .plain(plain)
            case (_, let hash?, _): .hash(hash)
            case (_, _, .some): .none
            case (nil, nil, nil): .unsaid
            }
    }
}

extension AccountService {
    /// Checks a row as ``create(_:by:)`` would, but for what other accounts have.
    ///
    /// - Throws: ``AccountError/refused(_:)`` with all that is wrong, a failure for each field;
    ///   ``AccountError/blocklist(_:)``, ``AccountError/outOfMemory``.
    public func check(_ row: ProvisionedAccount) throws(AccountError) -> CheckedAccount {
        var draft = AccountDraft(
            username: row.username, email: row.email, attributes: row.attributes, password: row.password)
        draft.passwordHash = row.passwordHash
        var failures: [RuleFailure] = []
        var checked: CheckedDraft?
        do throws(AccountError) {
            checked = try CheckedDraft(
                draft, policy: policy, hasher: hasher, international: settings.internationalAddresses)
        } catch .refused(let refused) {
            failures = refused.map { $0.isAboutHash ? $0.of(.passwordHash) : $0 }
        }
        if row.password != nil, row.passwordHash != nil, !failures.contains(where: { $0.field == .passwordHash }) {
            failures.append(RuleFailure(code: .passwordAndHash, field: .passwordHash))
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

extension RuleFailure {
    fileprivate var isAboutHash: Bool { code == .hashUnsupported || code == .hashTooCostly }
}
