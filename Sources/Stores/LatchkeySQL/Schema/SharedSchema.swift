/// The part of schema 13 that is created with the same statements in all types of stores, after their tables.
enum SharedSchema {
    static let statements: StaticString = """
        CREATE INDEX audit_rotation ON audit (sequence) WHERE event = 'audit_rotate';
        CREATE INDEX account_unverified ON account (verify_by) WHERE verify_by IS NOT NULL;
        CREATE INDEX session_by_account ON session (account, last_used_at);
        CREATE INDEX session_by_creation ON session (created_at);
        CREATE INDEX session_by_use ON session (last_used_at);
        CREATE INDEX recovery_request_by_account ON recovery_request (account, created_at);
        CREATE INDEX recovery_request_by_unknown_name ON recovery_request (unknown_name, created_at);
        CREATE INDEX recovery_request_by_end ON recovery_request (expires_at);
        CREATE INDEX recovery_request_unused ON recovery_request (expires_at) WHERE used_at IS NULL;
        CREATE INDEX device_by_account ON device (account, last_used_at);
        CREATE INDEX device_by_use ON device (last_used_at);
        CREATE INDEX saved_code_by_account ON saved_code (account);
        CREATE INDEX pending_login_by_account ON pending_login (account, created_at);
        CREATE INDEX pending_login_by_end ON pending_login (expires_at);
        CREATE INDEX app_password_by_account ON app_password (account, created_at);
        CREATE INDEX passkey_by_account ON passkey (account, created_at);
        CREATE INDEX passkey_challenge_by_end ON passkey_challenge (expires_at);
        CREATE INDEX passkey_challenge_by_account ON passkey_challenge (account);

        CREATE VIEW stored_account AS
            SELECT account.number, id, login_name, username_typed, email, email_typed, state, created_at,
                updated_at, email_verified_at, verify_by, must_change_password, password_generation,
                password_expires_at, hash_kind, prefix, milliseconds, password_hash, attributes
            FROM account LEFT JOIN hash_kind ON hash_kind.number = hash_kind;
        """
}
