import LatchkeySecrets

/// The reason why an application gets no access to an account.
public enum AccessRefusal: String, Error, Sendable, CaseIterable {
    /// There is no such application, or an operator has disabled it.
    case clientDisabled = "client_disabled"
    /// The account is disabled.
    case accountDisabled = "account_disabled"
    /// The owner has not verified the address of the account.
    case accountUnverified = "account_unverified"
    /// The owner must first change the password.
    case passwordChangeNeeded = "password_change_needed"
    /// The account is in none of the application's groups.
    case notInGroup = "not_in_group"
    /// The application requires a second factor or a passkey, and the login had none.
    case levelTooLow = "level_too_low"
    /// The application may not use this way to get tokens.
    case grantNotAllowed = "grant_not_allowed"
    /// The session of the login has ended.
    case sessionEnded = "session_ended"
}

/// What an application would get if an account logged in to it now.
public struct AccessPreview: Sendable {
    /// The application.
    public let client: Client
    /// The account.
    public let account: Account
    /// The names of the account's groups.
    public let groups: [String]
    /// The reason why the application gets nothing; nil if it gets access.
    public let refusal: AccessRefusal?
    /// The scopes that the owner has let the application have; empty before that.
    public let consented: [String]
}

extension AccountService {
    /// Finds out what an application would get if an account logged in to it with all of its factors. For operators.
    ///
    /// - Returns: nil if there is no such application.
    /// - Throws: ``AccountError/noSuchAccount``.
    public func previewAccess(
        of client: String, to lookup: AccountLookup
    ) async throws(AccountError) -> AccessPreview? {
        let factors = try await factors(of: lookup)
        return try await store.read { [self] (transaction) throws(AccountError) -> AccessPreview? in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            guard let client = try self.client(client, in: transaction) else { return nil }
            return AccessPreview(
                client: client, account: account, groups: try transaction.groups(of: account.id).map(\.text),
                refusal: try refusal(of: account, by: client, methods: factors.possibleMethods, in: transaction),
                consented: try transaction.consent(of: account.id, to: client.id)?.scopes ?? [])
        }
    }

    /// Checks whether an application may have access to an account. Every step of a login asks this again, because the
    /// account, its groups and the application can change between them.
    ///
    /// - Parameters:
    ///   - methods: the owner's authentication methods.
    ///   - grant: the way in which the application gets tokens; nil where it uses one.
    /// - Returns: nil if it may.
    func refusal(
        of account: Account, by client: Client?, methods: AuthenticationMethods, for grant: ClientSettings.Grant? = nil,
        in transaction: any StoreTransaction
    ) throws(AccountError) -> AccessRefusal? {
        guard let client, !client.isDisabled else { return .clientDisabled }
        if let grant, !client.settings.grants.contains(grant) { return .grantNotAllowed }
        guard account.state == .active else { return .accountDisabled }
        guard account.verifyBy == nil else { return .accountUnverified }
        guard !account.mustChangePassword else { return .passwordChangeNeeded }
        guard methods.assuranceLevel ?? 0 >= client.settings.level else { return .levelTooLow }
        if !client.settings.groups.isEmpty {
            let own = try transaction.groups(of: account.id).map(\.text)
            guard client.settings.groups.contains(where: own.contains) else { return .notInGroup }
        }
        return nil
    }

    /// Checks whether a grant still gives its application access.
    func refusal(
        of grant: AccessGrant, _ account: Account, by client: Client?, for kind: ClientSettings.Grant? = nil,
        at now: Timestamp, in transaction: any StoreTransaction
    ) throws(AccountError) -> AccessRefusal? {
        if let refusal = try refusal(of: account, by: client, methods: grant.methods, for: kind, in: transaction) {
            return refusal
        }
        guard !grant.outlivesSession else { return nil }
        return try hasLiveSession(grant.sid, of: account.id, at: now, in: transaction) ? nil : .sessionEnded
    }

    /// Whether the login with this ``Session/sid`` still has a session.
    private func hasLiveSession(
        _ sid: [UInt8], of account: AccountID, at now: Timestamp, in transaction: any SessionRows & ClockRows
    ) throws(AccountError) -> Bool {
        let seen = try transaction.clockMark.seen
        return try transaction.sessions(of: account).contains { session in
            self.sid(of: session) == sid && verified(session) != nil
                && settings.sessions.verdict(on: session, at: now, seen: seen) == .live
        }
    }

    /// The ID of a session's login. For a session from before schema 15, it is derived from the digest.
    func sid(of session: Session) -> [UInt8] {
        session.sid ?? Array(key.lookupKey(of: session.digest.bytes).prefix(Session.sidByteCount))
    }
}

extension FactorStatus {
    /// The methods of a login that uses every factor of the account.
    fileprivate var possibleMethods: AuthenticationMethods {
        var methods = AuthenticationMethods.password
        if authenticator != nil { methods.insert(.oneTimePassword) }
        if !passkeys.isEmpty { methods.insert(.passkey) }
        return methods
    }
}
