package import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

extension SQLTransaction {
    package func insert(_ client: Client) throws(AccountError) {
        let count = try run(
            """
            INSERT INTO client (client_id, name, settings, secret_digest, second_digest, is_disabled, pkce_logins,
                    created_at, used_at, keys_fetched_at, tag)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING
            """, .text(client.id), .text(client.settings.name), .text(client.encodedSettings),
            .bytes(client.secretDigests.first), .bytes(client.secretDigests.dropFirst().first),
            .integer(client.isDisabled ? 1 : 0), .integer(Int64(client.pkceLogins)), .time(client.createdAt),
            .integer(client.usedAt?.milliseconds), .integer(client.keysFetchedAt?.milliseconds), .tag(client))
        guard count > 0 else { throw .taken(field: FieldKey(rawValue: "client_id")) }
    }

    package func client(_ id: String) throws(AccountError) -> Client? {
        try row(
            """
            SELECT client_id, settings, secret_digest, second_digest, is_disabled, pkce_logins, created_at, used_at,
                    keys_fetched_at, tag
                FROM client WHERE client_id = ?1
            """, .text(id), make: client)
    }

    package func clientOrNeighbor(_ id: String) throws(AccountError) -> Client? {
        try row(
            """
            SELECT client_id, settings, secret_digest, second_digest, is_disabled, pkce_logins, created_at, used_at,
                    keys_fetched_at, tag
                FROM client
                WHERE client_id >= CASE WHEN ?1 > (SELECT max(client_id) FROM client)
                    THEN (SELECT max(client_id) FROM client) ELSE ?1 END
                ORDER BY client_id LIMIT 1
            """, .text(id), make: client)
    }

    package var hasClients: Bool {
        get throws(AccountError) { try integer("SELECT 1 FROM client LIMIT 1") != nil }
    }

    package var clients: [Client] {
        get throws(AccountError) {
            try rows(
                """
                SELECT client_id, settings, secret_digest, second_digest, is_disabled, pkce_logins, created_at, used_at,
                        keys_fetched_at, tag
                    FROM client ORDER BY client_id
                """, make: client)
        }
    }

    package func update(_ client: Client) throws(AccountError) {
        try write(
            """
            UPDATE client SET name = ?2, settings = ?3, secret_digest = ?4, second_digest = ?5, is_disabled = ?6,
                    pkce_logins = ?7, used_at = ?8, keys_fetched_at = ?9, tag = ?10
                WHERE client_id = ?1
            """, .text(client.id), .text(client.settings.name), .text(client.encodedSettings),
            .bytes(client.secretDigests.first), .bytes(client.secretDigests.dropFirst().first),
            .integer(client.isDisabled ? 1 : 0), .integer(Int64(client.pkceLogins)),
            .integer(client.usedAt?.milliseconds), .integer(client.keysFetchedAt?.milliseconds), .tag(client))
    }

    package func deleteClient(_ id: String) throws(AccountError) -> Bool {
        try run("DELETE FROM client WHERE client_id = ?1", .text(id)) > 0
    }

    private func client(_ row: Engine.Row) throws(Failure) -> Client {
        var digests: [[UInt8]] = []
        for column in [2 as Int32, 3] where !row.isNull(column) { digests.append(try row.bytes(column)) }
        let stored = Client(
            id: try row.text(0), storedSettings: try row.text(1), secretDigests: digests,
            isDisabled: try row.integer(4, in: .flag) == 1, pkceLogins: Int(try row.integer(5, in: .count)),
            createdAt: try row.time(6), usedAt: try row.optionalTime(7))
        guard var client = stored else { throw .corrupt }
        client.keysFetchedAt = try row.optionalTime(8)
        client.tag = try row.tag(9)
        return client
    }
}

// MARK: Signing keys

extension SQLTransaction {
    package func insert(_ key: SigningKeyRecord) throws(AccountError) {
        try write(
            """
            INSERT INTO signing_key (kid, algorithm, public, sealed_private, sealing_key, created_at, active_at,
                    retired_at, tag)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """, .text(key.id), .text(key.algorithm.rawValue), .bytes(key.publicKey), .bytes(key.privateKey.bytes),
            .text(key.privateKey.key?.text), .time(key.createdAt), .time(key.activeAt),
            .integer(key.retiredAt?.milliseconds), .tag(key))
    }

    package var signingKeys: [SigningKeyRecord] {
        get throws(AccountError) {
            try rows(
                """
                SELECT kid, algorithm, public, sealed_private, sealing_key, created_at, active_at, retired_at, tag
                    FROM signing_key ORDER BY number
                """
            ) { (row) throws(Failure) in
                guard let algorithm = SigningAlgorithm(rawValue: try row.text(1)) else { throw .corrupt }
                var key = SigningKeyRecord(
                    id: try row.text(0), algorithm: algorithm, publicKey: try row.bytes(2),
                    privateKey: SealedSecret(key: try row.sealingKey(4), bytes: try row.bytes(3)),
                    createdAt: try row.time(5), activeAt: try row.time(6), retiredAt: try row.optionalTime(7))
                key.tag = try row.tag(8)
                return key
            }
        }
    }

    package func update(_ key: SigningKeyRecord) throws(AccountError) {
        try write(
            """
            UPDATE signing_key SET sealed_private = ?2, sealing_key = ?3, active_at = ?4, retired_at = ?5, tag = ?6
                WHERE kid = ?1
            """, .text(key.id), .bytes(key.privateKey.bytes), .text(key.privateKey.key?.text), .time(key.activeAt),
            .integer(key.retiredAt?.milliseconds), .tag(key))
    }

    package func deleteSigningKeys(retiredBy time: Timestamp) throws(AccountError) {
        try write("DELETE FROM signing_key WHERE retired_at <= ?1", .time(time))
    }
}
