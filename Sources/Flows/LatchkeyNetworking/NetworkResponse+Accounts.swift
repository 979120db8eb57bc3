public import LatchkeyAccounts
public import LatchkeyFlows
package import LatchkeyForms

extension NetworkResponse {
    /// The response for an error of the service.
    public init(_ error: AccountError) {
        self =
            switch error {
            case .wrongCredentials: .refused(.invalidCredentials)
            case .throttled(let retryAfter): .throttled(retryAfter: retryAfter)
            case .refused(let failures): .refused(.validationFailed, failures)
            case .taken(let field): .refused(.taken, [RuleFailure(code: .taken, field: field)])
            case .noSession: .refused(.noSession)
            case .mustChangePassword: .changeRequired()
            case .reauthenticationNeeded: .refused(.reauthenticationRequired)
            case .factorRequired: .refused(.factorRequired)
            case .enrolmentRequired: .refused(.enrolmentRequired)
            case .factorExists: .refused(.factorExists)
            // Only operators name accounts, and they call the service directly.
            case .noSuchAccount, .accountDisabled, .accountUnverified, .takeoverRefused, .group: .unavailable(.internal)
            case .blocklist: .unavailable(.blocklistUnusable)
            case .overloaded: .throttled(retryAfter: .seconds(1))
            case .outOfMemory, .store(.outOfMemory): .unavailable(.noMemory)
            case .noRandomness: .unavailable(.noRandomness)
            case .store(.busy), .store(.unreachable), .store(.outcomeUnknown): .unavailable()
            // The store is intact: an operator has to provide the key.
            case .store(.sealingKeysMissing), .store(.noSealingKey): .unavailable()
            case .store(.full): .unavailable(.storeFull)
            case .store(.readOnly): .unavailable(.storeReadOnly)
            case .store(.corrupt): .unavailable(.storeCorrupt)
            case .store(.settingRefused): .unavailable(.internal)
            case .store: .unavailable(.storageFailed)
            }
    }
}

extension Account {
    /// The account in the `--json` of commands for operators and in their API.
    ///
    /// - Parameter groups: the account's groups.
    package func operatorJSON(groups: [GroupName]) -> JSONValue {
        guard case .object(let members) = AccountSummary(self, groups: groups).json else { return .null }
        return .object(members + [("last_login_at", lastLoginAt.map { .string($0.rfc3339) } ?? .null)])
    }
}

extension AccountSummary {
    /// The parts of `account` that its owner may see.
    ///
    /// - Parameter groups: nil if they were not read.
    public init(_ account: Account, groups: [GroupName]? = nil) {
        self.init(
            id: account.id.text, username: account.username?.typed, email: account.email.typed,
            attributes: account.attributes, state: account.verifyBy == nil ? account.state.rawValue : "unverified",
            createdAt: account.createdAt.rfc3339, groups: groups?.map(\.text))
    }
}
