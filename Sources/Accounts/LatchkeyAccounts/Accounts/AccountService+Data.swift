public import LatchkeyForms
public import LatchkeySecrets

extension AccountService {
    /// Everything stored about the owner of a session, for the owner (GDPR, articles 15 and 20). It contains no secret,
    /// no hash and no code.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded``.
    public func personalData(token: Secret) async throws(AccountError) -> JSONValue {
        guard let digest = digest(of: token) else { throw .noSession }
        let (members, account) = try await store.read { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try recentSession(digest, at: now, in: transaction).account
            let waiting = try transaction.waitingAddress(of: account.id, at: now)
            return (
                [
                    ("account", account.personalData),
                    ("groups", .texts(try transaction.groups(of: account.id).map(\.text))),
                    ("waiting_email", waiting.map { .string($0.typed) } ?? .null),
                    ("second_factors", try factorData(of: account.id, in: transaction)),
                    ("sessions", .array(try transaction.sessions(of: account.id).map(\.personalData))),
                    ("known_devices", .array(try transaction.devices(of: account.id).map(\.personalData))),
                    ("app_passwords", .array(try transaction.appPasswords(of: account.id).map(\.personalData))),
                    ("applications", .array(try transaction.consents(of: account.id).map(\.personalData))),
                ] as [(key: String, value: JSONValue)], account.id
            )
        }
        var records: [JSONValue] = []
        var before: Int64?
        repeat {
            let page = try await recentAudit(before: before, matching: AuditFilter(account: account), limit: 500)
            records += page.rows.map(\.json)
            before = page.next
        } while before != nil
        return .object(members + [("audit", .array(records))])
    }

    private func factorData(
        of account: AccountID, in transaction: any FactorRows & PasskeyRows
    ) throws(AccountError) -> JSONValue {
        let app = try transaction.authenticator(of: account)
        return .object([
            (
                "authenticator_app",
                app?.isConfirmed == true ? .object([("created_at", .time(app?.createdAt))]) : .null
            ), ("passkeys", .array(try passkeys(of: account, in: transaction).map(\.personalData))),
            ("saved_codes_left", .integer(try transaction.savedCodes(of: account))),
        ])
    }
}

extension JSONValue {
    fileprivate static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    fileprivate static func time(_ time: Timestamp?) -> JSONValue { time.map { .string($0.rfc3339) } ?? .null }
}

extension Account {
    fileprivate var personalData: JSONValue {
        let attributes = attributes.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.json) }
        return .object([
            ("id", .string(id.text)), ("username", username.map { .string($0.typed) } ?? .null),
            ("email", .string(email.typed)), ("email_verified_at", .time(emailVerifiedAt)),
            ("attributes", .object(attributes)), ("state", .string(state.rawValue)), ("created_at", .time(createdAt)),
            ("updated_at", .time(updatedAt)), ("last_login_at", .time(lastLoginAt)),
            ("has_password", .bool(passwordHash != nil)), ("must_change_password", .bool(mustChangePassword)),
        ])
    }
}

extension Session {
    fileprivate var personalData: JSONValue {
        .object([
            ("id", .string(shortID)), ("created_at", .time(createdAt)), ("last_used_at", .time(lastUsedAt)),
            ("source", .string(source)), ("methods", .texts(methods.names)),
        ])
    }
}

extension KnownDevice {
    fileprivate var personalData: JSONValue { .object([("last_used_at", .time(lastUsedAt))]) }
}

extension AppPassword {
    fileprivate var personalData: JSONValue {
        .object([
            ("id", .string(id)), ("name", .string(name)), ("created_at", .time(createdAt)),
            ("last_used_at", .time(lastUsedAt)),
        ])
    }
}

extension Passkey {
    fileprivate var personalData: JSONValue {
        .object([
            ("id", .string(id)), ("name", .string(name)), ("created_at", .time(createdAt)),
            ("last_used_at", .time(lastUsedAt)),
        ])
    }
}

extension Consent {
    fileprivate var personalData: JSONValue {
        .object([("client_id", .string(client)), ("scopes", .texts(scopes)), ("given_at", .time(givenAt))])
    }
}
