package import LatchkeyAccounts
package import LatchkeySecrets
import Testing

/// Rows that a store of schema 13 has under plain digests, for tests of the migration to schema 14.
package struct OlderRows: Sendable {
    package let session: Secret
    package let device: Secret
    package let token: (OperatorToken, Secret)
    package let passkey: Passkey

    /// The tables whose digests the migration replaces, with the SHA-256 of their tokens.
    package var digests: [(table: String, digest: [UInt8])] {
        [("session", session), ("device", device), ("operator_token", token.1)].map { table, token in
            (table, token.withBytes { SHA256Digest.of($0) })
        }
    }

    /// Signs an account in on a new device, and creates an operator token and a passkey.
    package init(in service: AccountService) async throws {
        let password = Secret("correct horse battery")
        let account = try await service.create(
            AccountDraft(username: "ada", email: "ada@example.org", password: password), by: .owner)
        let signIn = try await service.on(.new).authenticate(identifier: "ada", password: password)
        session = signIn.token
        device = try #require(signIn.device)
        token = try #require(try await service.createToken("ci", scopes: [.readAccounts], lifetime: nil, by: .owner))
        let credential = PasskeyCredential(
            id: [1, 2], publicKey: [3, 4], signCount: 7, isBackupEligible: true, isBackedUp: true,
            transports: ["internal"])
        let passkey = Passkey(credential, of: account.id, named: "Phone", createdAt: service.clock.now())
        self.passkey = passkey
        try await service.store.write { (transaction) throws(AccountError) in try transaction.insert(passkey) }
    }

    /// The statement that gives a row its plain digest.
    package static func sqlite(_ table: String) -> StaticString {
        switch table {
        case "session": "UPDATE session SET digest = ?2 WHERE digest = ?1"
        case "device": "UPDATE device SET digest = ?2 WHERE digest = ?1"
        default: "UPDATE operator_token SET digest = ?2 WHERE digest = ?1"
        }
    }

    /// Removes what schema 17 has added, and adds what it has removed.
    package static let schema16: (sqlite: [StaticString], postgres: [StaticString]) = (
        shared + ["CREATE TRIGGER recovery_request_over AFTER INSERT ON audit BEGIN SELECT 1; END"],
        shared + [
            "DROP TABLE audit_pending", "DROP TABLE lane_sealed", "DROP FUNCTION audit_pending_check_drop()",
            "DROP TRIGGER account_throttle ON account", "DROP FUNCTION account_add_throttle()",
            """
            CREATE FUNCTION recovery_request_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER recovery_request_over AFTER INSERT ON audit FOR EACH ROW
                EXECUTE FUNCTION recovery_request_end()
            """,
        ]
    )

    private static let shared: [StaticString] = [
        "ALTER TABLE store DROP COLUMN seal", "ALTER TABLE store ADD COLUMN wrong_codes INT NOT NULL DEFAULT 0",
        "ALTER TABLE store ADD COLUMN wrong_codes_since INT NOT NULL DEFAULT 0", "DROP TABLE code_failures",
        "ALTER TABLE hash_kind ADD COLUMN accounts INT NOT NULL DEFAULT 0", "UPDATE hash_kind SET accounts = 1",
        "DROP TABLE hash_kind_count",
    ]

    /// Removes what schemas 14 to 16 have added, in either kind of store.
    package static let schema13: [StaticString] = [
        "DROP VIEW stored_account", "ALTER TABLE account DROP COLUMN last_login_at",
        """
        CREATE VIEW stored_account AS
            SELECT account.number, id, login_name, username_typed, email, email_typed, state, created_at,
                updated_at, email_verified_at, verify_by, must_change_password, password_generation,
                password_expires_at, hash_kind, prefix, milliseconds, password_hash, attributes
            FROM account LEFT JOIN hash_kind ON hash_kind.number = hash_kind
        """,
        "DROP TABLE group_member", "DROP TABLE user_group", "ALTER TABLE operator_token DROP COLUMN group_names",
        "ALTER TABLE session DROP COLUMN tag", "ALTER TABLE device DROP COLUMN tag",
        "ALTER TABLE operator_token DROP COLUMN tag", "ALTER TABLE operator_token DROP COLUMN id",
        "ALTER TABLE passkey DROP COLUMN tag", "ALTER TABLE pending_login DROP COLUMN tag",
        "DROP INDEX recovery_request_by_sign_up", "DROP INDEX recovery_request_by_new_email",
        "ALTER TABLE recovery_request DROP COLUMN sign_up", "DROP TABLE sign_up", "DROP TABLE reserved_name",
        "ALTER TABLE throttle_code DROP COLUMN extra_at", "ALTER TABLE throttle_code DROP COLUMN flood_since",
        "ALTER TABLE throttle_code DROP COLUMN flood_recorded", "ALTER TABLE throttle_code DROP COLUMN flood_counted",
        "DROP TABLE throttle_code_network", "ALTER TABLE outbox DROP COLUMN failure",
        "ALTER TABLE outbox DROP COLUMN client",
        "DROP TABLE device_request", "DROP TABLE grant_token", "DROP TABLE access_grant", "DROP TABLE consent",
        "DROP TABLE authorization_request",
        "DROP TABLE signing_key", "DROP TABLE client", "ALTER TABLE session DROP COLUMN sid",
        "ALTER TABLE audit DROP COLUMN actor_client",
    ]

    /// Checks that a service over the migrated store accepts everything.
    package func check(_ service: AccountService) async throws {
        #expect(try await service.session(for: session).account.id == passkey.account)
        #expect(try await service.on(.token(device)).accountOfDevice() == passkey.account)
        let found = try await service.operatorToken(for: token.1)
        #expect(found.scopes == token.0.scopes)
        let digest = token.1.withBytes { SHA256Digest.of($0) }
        #expect(found.id == Hexadecimal.text(of: digest.prefix(4)), "the audit trail names it so")
        let passkey = try await service.store.read { [passkey] (transaction) throws(AccountError) in
            try transaction.passkey(passkey.credential.id)
        }
        #expect(try World.key.hasTagged(#require(passkey)))
        #expect(passkey?.credential == self.passkey.credential)
        try await service.store.read { (transaction) throws(AccountError) in
            #expect(try transaction.auditRows(after: 0, limit: 1000).allSatisfy { $0.record?.event != .rowRefused })
        }
    }
}
