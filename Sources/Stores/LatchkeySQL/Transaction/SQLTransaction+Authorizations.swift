package import LatchkeyAccounts

extension SQLTransaction {
    package func insert(_ request: WaitingAuthorization) throws(AccountError) {
        let count = try run(
            """
            INSERT INTO authorization_request (digest, browser, network, client, parameters, created_at)
                SELECT ?1, ?2, ?3, number, ?5, ?6 FROM client WHERE client_id = ?4
            """, .bytes(request.digest), .bytes(request.browser), .bytes(request.network), .text(request.client),
            .text(request.parameters), .time(request.createdAt))
        guard count > 0 else { throw .noSession }
    }

    package func waitingAuthorization(_ digest: [UInt8]) throws(AccountError) -> WaitingAuthorization? {
        try row(
            """
            SELECT digest, browser, network, client_id, parameters, authorization_request.created_at
                FROM authorization_request JOIN client ON number = client WHERE digest = ?1
            """, .bytes(digest)
        ) { (row) throws(Failure) in
            WaitingAuthorization(
                digest: try row.bytes(0), browser: try row.bytes(1), network: try row.bytes(2),
                client: try row.text(3), parameters: try row.text(4), createdAt: try row.time(5))
        }
    }

    package func deleteWaitingAuthorization(_ digest: [UInt8]) throws(AccountError) -> Bool {
        try run("DELETE FROM authorization_request WHERE digest = ?1", .bytes(digest)) > 0
    }

    package func waitingAuthorizations(
        from network: [UInt8], after time: Timestamp
    ) throws(AccountError) -> [Timestamp] {
        try rows(
            """
            SELECT created_at FROM authorization_request WHERE network = ?1 AND created_at > ?2 ORDER BY created_at
            """, .bytes(network), .time(time)
        ) { (row) throws(Failure) in try row.time(0) }
    }

    package func deleteWaitingAuthorizations(
        of browser: [UInt8], from network: [UInt8], keeping count: Int
    ) throws(AccountError) {
        try write(
            """
            DELETE FROM authorization_request WHERE digest IN (
                SELECT digest FROM authorization_request WHERE network = ?1 AND browser = ?2
                    ORDER BY created_at DESC, digest LIMIT 9223372036854775807 OFFSET ?3)
            """, .bytes(network), .bytes(browser), .integer(Int64(max(count, 0))))
    }

    package func deleteWaitingAuthorizations(createdBy time: Timestamp) throws(AccountError) {
        try write("DELETE FROM authorization_request WHERE created_at <= ?1", .time(time))
    }
}

// MARK: Consents

extension SQLTransaction {
    package func consent(of account: AccountID, to client: String) throws(AccountError) -> Consent? {
        try row(
            """
            SELECT client_id, scopes, at FROM consent JOIN account ON account.number = account
                JOIN client ON client.number = client WHERE id = ?1 AND client_id = ?2
            """, .id(account), .text(client), make: consent)
    }

    package func consents(of account: AccountID) throws(AccountError) -> [Consent] {
        try rows(
            """
            SELECT client_id, scopes, at FROM consent JOIN account ON account.number = account
                JOIN client ON client.number = client WHERE id = ?1 ORDER BY client_id
            """, .id(account), make: consent)
    }

    package func setConsent(_ consent: Consent, of account: AccountID) throws(AccountError) {
        try writeRow(
            """
            INSERT INTO consent (account, client, scopes, at)
                SELECT account.number, client.number, ?3, ?4 FROM account, client WHERE id = ?1 AND client_id = ?2
                ON CONFLICT (account, client) DO UPDATE SET scopes = excluded.scopes, at = excluded.at
            """, .id(account), .text(consent.client), .text(consent.scopes.joined(separator: " ")),
            .time(consent.givenAt))
    }

    package func deleteConsent(of account: AccountID, to client: String) throws(AccountError) -> Bool {
        try run(
            """
            DELETE FROM consent WHERE account = (SELECT number FROM account WHERE id = ?1)
                AND client = (SELECT number FROM client WHERE client_id = ?2)
            """, .id(account), .text(client)) > 0
    }

    private func consent(_ row: Engine.Row) throws(Failure) -> Consent {
        Consent(
            client: try row.text(0), scopes: try row.text(1).split(separator: " ").map(String.init),
            givenAt: try row.time(2))
    }
}
