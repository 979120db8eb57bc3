package import LatchkeyAccounts

extension SQLTransaction {
    package var auditHead: AuditHead? {
        get throws(AccountError) {
            if let knownHead { return knownHead }
            let head = try row("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1") {
                (row) throws(Failure) in
                AuditHead(sequence: try row.integer(0, in: .sequence), hash: try row.bytes(1))
            }
            knownHead = head
            return head
        }
    }

    package func collect(_ record: PendingRecord) throws(AccountError) {
        if let failure { throw .store(failure) }
        collectedRecords.append(record)
    }

    package func takeRecords() -> [PendingRecord] {
        defer { collectedRecords = [] }
        return collectedRecords
    }

    package var seal: [UInt8]? {
        get throws(AccountError) {
            let seal = try row("SELECT seal FROM store") { (row) throws(Failure) in try row.tag(0) }
            return seal.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    package func setSeal(_ seal: [UInt8]) throws(AccountError) {
        try write("UPDATE store SET seal = ?1", .bytes(seal))
    }

    package func append(_ record: AuditRecord, hash: [UInt8]) throws(AccountError) {
        let values = values(of: record, number: record.sequence, tag: hash)
        knownHead = AuditHead(sequence: record.sequence, hash: hash)
        try checkWriting()
        add(waiting: values)
        // A sealer adds hundreds of records, which a server gets in one statement.
        if !Engine.hasLanes { try sendRecords() }
    }

    /// The 17 columns that the trail and the lanes have in common.
    ///
    /// - Parameters:
    ///   - tag: the hash of the record, or its tag in a lane.
    ///   - number: the place of the record in the trail or in its lane.
    func values(of record: AuditRecord, number: Int64, tag: [UInt8]) -> [Engine.Value] {
        var user: Int64?
        var token: String?
        var client: String?
        switch record.actor {
        // An administrator is the account that the context names.
        case .owner, .account: break
        case .operatingSystemUser(let number): user = Int64(number)
        case .operatorToken(let id): token = id
        case .client(let id): client = id
        }
        let context = record.context
        return [
            .integer(number), .time(record.time), .text(record.name), .text(record.account?.text),
            .integer(user), .text(record.requestID), .text(record.reason), .bytes(tag),
            .integer(Int64(AuditEncoding.number(of: record))), .integer(context?.sinceBoot), .text(context?.bootID),
            .text(context?.actingAccount?.text), .integer(context.map { Int64($0.processUser) }),
            .text(context?.source), .text(context?.version), .text(token), .text(client),
        ]
    }

    package func auditRows(after sequence: Int64, limit: Int) throws(AccountError) -> [AuditRow] {
        try rows(
            """
            SELECT sequence, time, event, account_id, actor_uid, request_id, reason, hash,
                    version, since_boot, boot_id, acting_account_id, process_uid, source, app_version,
                    actor_token, actor_client
                FROM audit WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
            """, .integer(sequence), .integer(Int64(max(limit, 0))), make: auditRow)
    }

    package func auditRows(
        from first: Int64, before end: Int64, matching filter: AuditFilter, limit: Int
    ) throws(AccountError) -> [AuditRow] {
        // The names of events contain neither spaces nor percent signs.
        let events = filter.events.map { " " + $0.sorted().joined(separator: " ") + " " }
        return try rows(
            """
            SELECT sequence, time, event, account_id, actor_uid, request_id, reason, hash,
                    version, since_boot, boot_id, acting_account_id, process_uid, source, app_version,
                    actor_token, actor_client
                FROM audit WHERE sequence >= ?1 AND sequence < ?2
                    AND (CAST(?3 AS text) IS NULL OR account_id = CAST(?3 AS text))
                    AND (CAST(?4 AS text) IS NULL OR source = CAST(?4 AS text))
                    AND (CAST(?5 AS bigint) IS NULL OR time >= CAST(?5 AS bigint))
                    AND (CAST(?6 AS text) IS NULL OR CAST(?6 AS text) LIKE '% ' || event || ' %')
                    AND (CAST(?7 AS bigint) IS NULL OR actor_uid IS NOT NULL OR actor_token IS NOT NULL
                        OR version = 5)
                ORDER BY sequence DESC LIMIT ?8
            """, .integer(first), .integer(end), .text(filter.account?.text), .text(filter.source),
            .integer(filter.since?.milliseconds), .text(events), .integer(filter.isByOperators ? Int64(1) : nil),
            .integer(Int64(max(limit, 0))), make: auditRow)
    }

    package func auditCounts(after sequence: Int64, since time: Timestamp) throws(AccountError) -> [String: Int] {
        let counts = try rows(
            "SELECT event, COUNT(*) FROM audit WHERE sequence > ?1 AND time >= ?2 GROUP BY event", .integer(sequence),
            .time(time)
        ) { (row) throws(Failure) in (try row.text(0), Int(try row.integer(1))) }
        return Dictionary(counts) { $0 + $1 }
    }

    package func auditRotations() throws(AccountError) -> [AuditRow] {
        try rows(
            """
            SELECT sequence, time, event, account_id, actor_uid, request_id, reason, hash,
                    version, since_boot, boot_id, acting_account_id, process_uid, source, app_version,
                    actor_token, actor_client
                FROM audit WHERE event = 'audit_rotate' AND sequence > 0 ORDER BY sequence
            """, make: auditRow)
    }

    /// In addition to its strings, a row takes at most 96 bytes for its numbers, its hash and the overhead of the file.
    package func auditSize(from sequence: Int64) throws(AccountError) -> Int64 {
        try integer(
            """
            SELECT CAST(coalesce(sum(96 + length(event) + coalesce(length(account_id), 0) + length(request_id)
                    + length(reason) + coalesce(length(boot_id), 0) + coalesce(length(acting_account_id), 0)
                    + coalesce(length(source), 0) + coalesce(length(app_version), 0)), 0) AS bigint)
                FROM audit WHERE sequence >= ?1
            """, .integer(sequence)) ?? 0
    }

    package func dropAuditRecords(before sequence: Int64) throws(AccountError) -> Int {
        knownHead = nil
        return try run(
            """
            DELETE FROM audit WHERE sequence < ?1
                AND EXISTS (SELECT 1 FROM audit WHERE event = 'audit_rotate' AND sequence = ?1)
            """, .integer(sequence))
    }

    package var auditFlood: AuditFlood? {
        get throws(AccountError) {
            try reading { (database) throws(Failure) in
                let flood = try database.row("SELECT flood_since, flood_recorded, flood_counted FROM store") {
                    (row) throws(Failure) in try row.flood(0)
                }
                return flood ?? nil
            }
        }
    }

    package func setAuditFlood(_ flood: AuditFlood) throws(AccountError) {
        try write(
            "UPDATE store SET flood_since = ?1, flood_recorded = ?2, flood_counted = ?3", .time(flood.since),
            .integer(Int64(flood.recorded)), .integer(Int64(flood.counted)))
    }

    /// An unreadable row is not a failure, because verification reports its number.
    private func auditRow(_ row: Engine.Row) throws(Failure) -> AuditRow {
        let sequence = try row.integer(0)
        let hash = (try? row.bytes(7)) ?? []
        do throws(Failure) {
            return AuditRow(try auditRecord(row), hash: hash)
        } catch {
            return AuditRow(unreadable: sequence, hash: hash)
        }
    }

    func auditRecord(_ row: Engine.Row) throws(Failure) -> AuditRecord {
        let actor: AuditActor
        if let id = try row.optionalText(15) {
            guard row.isNull(4), row.isNull(16), try row.integer(8) == 3 else { throw .corrupt }
            actor = .operatorToken(id: id)
        } else if let id = try row.optionalText(16) {
            guard row.isNull(4), try row.integer(8) == 4 else { throw .corrupt }
            actor = .client(id: id)
        } else if try row.integer(8) == 5 {
            guard row.isNull(4), let administrator = try row.writtenAccountID(11) else { throw .corrupt }
            actor = .account(administrator)
        } else {
            actor = row.isNull(4) ? .owner : .operatingSystemUser(try row.userID(4))
        }
        return AuditRecord(
            sequence: try row.integer(0, in: .sequence), time: try row.time(1), name: try row.text(2),
            account: try row.writtenAccountID(3), actor: actor, requestID: try row.text(5),
            reason: try row.text(6), context: try auditContext(row))
    }

    private func auditContext(_ row: Engine.Row) throws(Failure) -> AuditContext? {
        switch try row.integer(8, in: .auditFormat) {
        case 1:
            // A record in the first format must not contain more values, because its hash does not cover them.
            guard (9...14).allSatisfy({ row.isNull($0) }) else { throw .corrupt }
            return nil
        case let format:
            // A record in the third format must contain the ID of an operator token, one in the fourth that of an
            // application.
            guard format == 2 || format == 5 || !row.isNull(format == 3 ? 15 : 16) else { throw .corrupt }
            return AuditContext(
                sinceBoot: try row.integer(9, in: .uptime), bootID: try row.text(10),
                actingAccount: try row.writtenAccountID(11), processUser: try row.userID(12),
                source: try row.text(13), version: try row.text(14))
        }
    }
}

extension SQLRow {
    /// Reads three columns, which are all null before the first failure.
    package func flood(_ column: Int32) throws(Failure) -> AuditFlood? {
        guard !isNull(column) else { return nil }
        return AuditFlood(
            since: try time(column), recorded: try count(column + 1), counted: try count(column + 2))
    }
}

extension SQLRow {
    /// Reads an ID as text, in the form that the trail's hashes cover; nil for NULL.
    fileprivate func writtenAccountID(_ column: Int32) throws(Failure) -> AccountID? {
        guard let stored = try optionalText(column) else { return nil }
        // Only the spelling that Latchkey writes is valid.
        guard let id = AccountID(stored), id.text.utf8.elementsEqual(stored.utf8) else { throw .corrupt }
        return id
    }
}
