public import LatchkeySecrets

extension AccountService {
    /// The access of an access token or an unused refresh token, for an application that asks about it (RFC 7662), and
    /// this application, in one transaction. The caller has not verified the application's secret yet and must not
    /// reveal the access before that.
    ///
    /// - Parameters:
    ///   - id: the ID of the application that asks. It sees only the tokens that it was issued, unless it may
    ///     introspect all of them.
    ///   - token: the token of the session.
    /// - Returns: the application as by ``authenticatingClient(_:)``, and no access if the token gives none, or the
    ///   application may not see it.
    public func introspect(
        _ token: Secret, by id: String
    ) async throws(AccountError) -> (client: Client?, access: TokenAccess?) {
        let bearer = bearerDigest(of: token)
        return try await store.read {
            [self] (transaction) throws(AccountError) -> (client: Client?, access: TokenAccess?) in
            let client = try authenticatingClient(id, in: transaction)
            guard let (digest, kind) = bearer,
                case .success(let access) = try access(digest, kind, asking: client, in: transaction),
                let client, !client.settings.isPublic,
                client.settings.introspectsAll || access.client.id.utf8.elementsEqual(client.id.utf8)
            else { return (client, nil) }
            return (client, access)
        }
    }

    /// Revokes a token of an application (RFC 7009): an access token alone, or with a refresh token the whole grant.
    ///
    /// An unknown token, or one of another application, changes nothing.
    public func revoke(_ token: Secret, by client: Client) async throws(AccountError) {
        guard let (digest, kind) = bearerDigest(of: token) else { return }
        let trail = try newTrail(by: .client(id: client.id))
        try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            guard let (_, grant) = try find(digest, kind, of: client.id, in: transaction) else { return }
            guard kind == .refresh else {
                _ = try transaction.deleteGrantToken(digest)
                return
            }
            try end(grant, as: .grantEnded, at: clock.now(), trail, in: transaction)
        }
    }

    /// Ends the tokens of an application for an account, because the application has logged its user out. Tokens of other
    /// logins of the account end too.
    ///
    /// - Parameters:
    ///   - login: the ID of the login that has ended, as ID tokens contain it. The application gets a notice
    ///     only about this one. Its users stay logged in in other browsers.
    ///   - client: the application.
    ///   - account: the account.
    public func endGrants(
        of account: AccountID, to client: String, login: String? = nil
    ) async throws(AccountError) {
        let trail = try newTrail(by: .client(id: client))
        try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let grants = try transaction.grants(of: account).filter { $0.client.utf8.elementsEqual(client.utf8) }
            let ended = grants.filter { LogoutNotice($0).sessionID == login }
            try enqueueNotices(of: ended, at: now, in: transaction)
            for grant in grants { try end(grant, as: .grantEnded, at: now, trail, in: transaction) }
        }
        await deliverMessages()
    }

    /// Whether the session with this token belongs to the login with this ID, as ID tokens contain it.
    public func belongs(session: Session, toLogin sid: String) -> Bool {
        Base64URL.text(of: self.sid(of: session)).utf8.elementsEqual(sid.utf8)
    }
}
