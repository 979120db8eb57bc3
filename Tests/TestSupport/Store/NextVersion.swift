package import LatchkeySQL

/// A version that does not exist. It has one migration more than this version, so a store of this version is an older
/// one.
package enum NextVersion {
    /// The schema of this version's stores.
    package static let oldSchema = Migration.released.newestSchema
    package static let schema = oldSchema + 1

    /// Gives each account a note: its login name.
    package static let migrations =
        Migration.released + [
            Migration(
                schema, "note",
                sqlite: [
                    "ALTER TABLE account ADD COLUMN note TEXT CHECK (length(note) > 0)",
                    "UPDATE account SET note = login_name",
                ],
                postgres: [
                    "ALTER TABLE account ADD COLUMN note text CHECK (length(note) > 0)",
                    "UPDATE account SET note = convert_from(login_name, 'UTF8')",
                ])
        ]

    /// ``migrations``, followed by a migration that changes rows and then fails.
    package static let failing =
        migrations + [
            Migration(
                schema + 1, "failing", sqlite: [deletion, "DROP TABLE nothing"],
                postgres: [deletion, "DROP TABLE nothing"])
        ]

    /// A migration that changes something and then never ends.
    package static let endless =
        Migration.released + [
            Migration(
                schema, "endless",
                sqlite: [
                    deletion,
                    """
                    CREATE TABLE endless AS WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT 1 FROM number)
                        SELECT max(n) FROM number
                    """,
                ], postgres: [deletion, "SELECT pg_sleep(86400)"])
        ]

    private static let deletion: StaticString = "DELETE FROM session; DELETE FROM account"
}
