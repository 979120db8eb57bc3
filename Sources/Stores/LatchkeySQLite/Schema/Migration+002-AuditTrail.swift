extension Migration {
    /// Adds the second format of audit records, segments of the trail, and the counts of floods.
    ///
    /// Rows of the first format stay, because their hashes cover exactly the old columns: `version` is the format, and
    /// the new columns are null in old rows. From now on the trail can be shortened, but only by closed segments at its
    /// start.
    static let auditTrail = Migration(
        number: 2,
        sql: """
            ALTER TABLE audit ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1);
            ALTER TABLE audit ADD COLUMN since_boot INTEGER;
            ALTER TABLE audit ADD COLUMN boot_id TEXT CHECK (length(CAST(boot_id AS BLOB)) <= 64);
            ALTER TABLE audit ADD COLUMN acting_account_id TEXT
                CHECK (length(CAST(acting_account_id AS BLOB)) = 36);
            ALTER TABLE audit ADD COLUMN process_uid INTEGER CHECK (process_uid BETWEEN 0 AND 4294967295);
            ALTER TABLE audit ADD COLUMN source TEXT CHECK (length(CAST(source AS BLOB)) <= 255);
            ALTER TABLE audit ADD COLUMN app_version TEXT CHECK (length(CAST(app_version AS BLOB)) <= 64);
            CREATE INDEX audit_rotation ON audit (sequence) WHERE event = 'audit_rotate';

            DROP TRIGGER audit_undeleted;
            CREATE TRIGGER audit_dropped_from_its_start BEFORE DELETE ON audit
                WHEN OLD.sequence IS NOT (SELECT min(sequence) FROM audit)
                    OR NOT EXISTS (SELECT 1 FROM audit WHERE event = 'audit_rotate' AND sequence > OLD.sequence)
                BEGIN SELECT raise(ABORT, 'append only'); END;

            ALTER TABLE throttle ADD COLUMN flood_since INTEGER;
            ALTER TABLE throttle ADD COLUMN flood_recorded INTEGER CHECK (flood_recorded >= 0);
            ALTER TABLE throttle ADD COLUMN flood_counted INTEGER CHECK (flood_counted >= 0);
            ALTER TABLE store ADD COLUMN flood_since INTEGER;
            ALTER TABLE store ADD COLUMN flood_recorded INTEGER CHECK (flood_recorded >= 0);
            ALTER TABLE store ADD COLUMN flood_counted INTEGER CHECK (flood_counted >= 0);

            PRAGMA user_version = 2;
            """)
}
