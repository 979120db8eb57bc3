import LatchkeyAccounts
import LatchkeySecrets

/// The part of the migration to schema 14 that needs the store's key, the same for every kind of store. It has its own
/// statements, because those of ``SQLTransaction`` follow the newest schema.
extension SQLEngine {
    /// Replaces the digests of tokens by look-up keys, and tags the rows of sessions, devices, operator tokens and
    /// passkeys.
    func tagRows(with key: StoreKey, mayContinue: () -> Bool) throws(Failure) {
        try tag(
            """
            SELECT digest, id, scope, session.created_at, last_used_at, authenticated_at, methods
                FROM session JOIN account ON number = account
            """, "UPDATE session SET digest = ?2, tag = ?3 WHERE digest = ?1", mayContinue
        ) { (row) throws(Failure) in
            let digest = try row.bytes(0)
            let session = key.tagged(
                Session(
                    digest: SessionDigest(bytes: key.lookupKey(of: digest)), account: try row.accountID(1),
                    scope: try row.value(2, in: [.full, .changePassword]), createdAt: try row.time(3),
                    lastUsedAt: try row.time(4), authenticatedAt: try row.optionalTime(5),
                    methods: AuthenticationMethods(
                        rawValue: UInt8(truncatingIfNeeded: try row.integer(6, in: .methods)))))
            return [.bytes(digest), .bytes(session.digest.bytes), .tag(session)]
        }
        try tag(
            "SELECT digest, id, last_used_at FROM device JOIN account ON number = account",
            "UPDATE device SET digest = ?2, tag = ?3 WHERE digest = ?1", mayContinue
        ) { (row) throws(Failure) in
            let digest = try row.bytes(0)
            let device = key.tagged(
                KnownDevice(
                    digest: key.lookupKey(of: digest), account: try row.accountID(1), lastUsedAt: try row.time(2)))
            return [.bytes(digest), .bytes(device.digest), .tag(device)]
        }
        try tag(
            "SELECT digest, name, scopes, created_at, expires_at FROM operator_token",
            "UPDATE operator_token SET digest = ?2, tag = ?3, id = ?4 WHERE digest = ?1", mayContinue
        ) { (row) throws(Failure) in
            let digest = try row.bytes(0)
            // The audit trail has this ID, so it stays.
            let token = key.tagged(
                OperatorToken(
                    digest: key.lookupKey(of: digest), id: Hexadecimal.text(of: digest.prefix(4)),
                    name: try row.text(1), scopes: OperatorToken.Scope.set(try row.integer(2, in: .scopes)),
                    createdAt: try row.time(3), expiresAt: try row.optionalTime(4)))
            return [.bytes(digest), .bytes(token.digest), .tag(token), .text(token.id)]
        }
        try tag(
            """
            SELECT credential, id, public_key, sign_count, is_backup_eligible, passkey.created_at
                FROM passkey JOIN account ON account.number = account
            """, "UPDATE passkey SET tag = ?2 WHERE credential = ?1", mayContinue
        ) { (row) throws(Failure) in
            let credential = PasskeyCredential(
                id: try row.bytes(0), publicKey: try row.bytes(2), signCount: UInt32(try row.integer(3, in: .count)),
                isBackupEligible: try row.integer(4, in: .flag) == 1, isBackedUp: false, transports: [])
            let passkey = key.tagged(
                Passkey(credential, of: try row.accountID(1), named: "", createdAt: try row.time(5)))
            return [.bytes(credential.id), .tag(passkey)]
        }
    }

    /// Updates each row of a table.
    ///
    /// - Parameter values: the parameters of `update` for a row of `selection`.
    private func tag(
        _ selection: StaticString, _ update: StaticString, _ mayContinue: () -> Bool,
        values: (Row) throws(Failure) -> [Value]
    ) throws(Failure) {
        for (index, values) in try rows(selection, values: [], make: values).enumerated() {
            if index % 256 == 0, !mayContinue() { throw .interrupted }
            try write(update, values: values)
        }
    }
}

extension OperatorToken.Scope {
    /// The scopes of a stored number, which has a bit for each scope in their order.
    static func set(_ bits: Int64) -> Set<OperatorToken.Scope> {
        Set(allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
    }
}
