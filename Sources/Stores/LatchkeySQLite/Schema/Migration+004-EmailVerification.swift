extension Migration {
    /// Adds accounts with unverified addresses and codes for new addresses, and also: the source of a session, the
    /// failures that owners see, wrong codes, and repeated deliveries.
    static let emailVerification = Migration(
        number: 4,
        sql: """
            ALTER TABLE session ADD COLUMN source TEXT NOT NULL DEFAULT ''
                CHECK (length(CAST(source AS BLOB)) <= 255);

            ALTER TABLE throttle ADD COLUMN total INTEGER NOT NULL DEFAULT 0 CHECK (total >= 0);
            UPDATE throttle SET total = failures;

            ALTER TABLE store ADD COLUMN wrong_codes INTEGER NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0);
            ALTER TABLE store ADD COLUMN wrong_codes_since INTEGER NOT NULL DEFAULT 0;

            ALTER TABLE outbox ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0);
            ALTER TABLE outbox ADD COLUMN next_attempt_at INTEGER NOT NULL DEFAULT 0;

            ALTER TABLE account ADD COLUMN verify_by INTEGER;
            CREATE INDEX account_unverified ON account (verify_by) WHERE verify_by IS NOT NULL;

            ALTER TABLE recovery_request ADD COLUMN new_email TEXT
                CHECK (length(CAST(new_email AS BLOB)) BETWEEN 1 AND 1024);
            ALTER TABLE recovery_request ADD COLUMN new_email_typed TEXT
                CHECK (length(CAST(new_email_typed AS BLOB)) BETWEEN 1 AND 1024);

            PRAGMA user_version = 4;
            """)
}
