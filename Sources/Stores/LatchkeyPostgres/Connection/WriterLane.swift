import LatchkeyAccounts
import LatchkeySQL

/// The row of the table `writer` that a ``PostgresWorker`` holds: its lane of audit records, and the fence of its commits.
///
/// The last statement of a transaction changes the row if the worker still holds it, and fails otherwise. After a lost
/// connection, a new one first takes the row over. If the lost transaction has sent its last statement, this waits until it
/// has ended. If not, that statement will fail. In both cases, the row shows whether the transaction was committed.
struct WriterLane {
    /// The random ID of the holder, 16 bytes.
    let owner: [UInt8]
    /// The number of the last write that was committed.
    var lastWrite: Int64
    /// The end of the lane after that write.
    var end: AuditLane

    private init(owner: [UInt8], _ row: PostgresRow) throws(PostgresError) {
        self.owner = owner
        end = AuditLane(id: try row.integer(0), number: try row.integer(1), head: try row.bytes(2))
        lastWrite = try row.integer(3)
    }

    /// Takes a free lane, or adds a new one.
    ///
    /// A lane is free after ten minutes without a write, or half a minute after its connection was closed. A worker that
    /// lost its connection during a commit needs its lane for at most ten seconds.
    static func free(for owner: [UInt8], on connection: PostgresConnection) throws(PostgresError) -> WriterLane {
        let free = try connection.row(
            """
            UPDATE writer SET owner = $1, backend = pg_backend_pid(), written_at = now()
                WHERE lane = (
                    SELECT lane FROM writer
                        WHERE written_at < now() - interval '10 minutes' OR (written_at < now() - interval '30 seconds'
                            AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = backend))
                        ORDER BY lane LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING lane, number, head, last_write
            """, .bytes(owner)
        ) { (row) throws(PostgresError) in try WriterLane(owner: owner, row) }
        if let free { return free }
        let added = try connection.row(
            """
            INSERT INTO writer (owner, backend) VALUES ($1, pg_backend_pid())
                RETURNING lane, number, head, last_write
            """, .bytes(owner)
        ) { (row) throws(PostgresError) in try WriterLane(owner: owner, row) }
        guard let added else { throw .corrupt }
        return added
    }

    /// The lane, taken over by the new connection of its worker; nil if another process has taken it.
    ///
    /// - Parameter owner: the new ID.
    func takenOver(
        by owner: [UInt8], on connection: PostgresConnection
    ) throws(PostgresError) -> WriterLane? {
        // The answer to an earlier attempt may have been lost.
        try connection.row(
            """
            UPDATE writer SET owner = $3, backend = pg_backend_pid(), written_at = now()
                WHERE lane = $1 AND owner IN ($2, $3) RETURNING lane, number, head, last_write
            """, .integer(end.id), .bytes(self.owner), .bytes(owner)
        ) { (row) throws(PostgresError) in try WriterLane(owner: owner, row) }
    }

    /// The failure of a transaction whose last statement found the row changed.
    ///
    /// - Returns: ``PostgresError/corrupt`` if this worker still holds the row: another program has written to it.
    func failure(on connection: PostgresConnection) throws(PostgresError) -> PostgresError {
        let holder = try connection.row("SELECT owner FROM writer WHERE lane = $1", .integer(end.id)) {
            (row) throws(PostgresError) in try row.bytes(0)
        }
        return holder == nil || holder == owner ? .corrupt : .laneTaken
    }
}

extension PostgresTransaction {
    /// Adds the last statement of a transaction. It stores the new end of the lane, and fails if the row was changed meanwhile.
    ///
    /// - Returns: the lane after the commit.
    func advance(_ lane: WriterLane) throws(AccountError) -> WriterLane {
        var next = lane
        next.lastWrite += 1
        next.end = connection.lane ?? lane.end
        try writing { (database) throws(PostgresError) in
            try database.write(
                """
                WITH kept AS (
                    UPDATE writer SET last_write = $3, number = $4, head = $5, clock = coalesce($6, clock),
                            written_at = now()
                        WHERE lane = $1 AND owner = $2 AND last_write = $7 AND number = $8 AND head = $9 RETURNING 1)
                SELECT CAST(CASE count(*) WHEN 1 THEN '1' ELSE 'taken' END AS bigint) FROM kept
                """, .integer(lane.end.id), .bytes(lane.owner), .integer(next.lastWrite), .integer(next.end.number),
                .bytes(next.end.head), .integer(database.laneClock?.milliseconds), .integer(lane.lastWrite),
                .integer(lane.end.number), .bytes(lane.end.head))
        }
        return next
    }
}
