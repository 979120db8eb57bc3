package import LatchkeyAccounts

extension SQLTransaction {
    package func enqueue(_ message: OutboxMessage) throws(AccountError) {
        try write(
            """
            INSERT INTO outbox (id, recipient, recipient_typed, subject, body, created_at, expires_at, client)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """, .text(message.id), .text(message.recipient?.folded), .text(message.recipient?.typed),
            .text(message.subject), .text(message.body), .time(message.createdAt),
            .integer(message.expiresAt?.milliseconds), .text(message.notice?.client))
    }

    package func waitingMessages(limit: Int) throws(AccountError) -> [OutboxMessage] {
        try rows(
            """
            SELECT id, recipient, recipient_typed, subject, body, created_at, expires_at, attempts, failure, client
                FROM outbox ORDER BY number LIMIT ?1
            """, .integer(Int64(max(limit, 0))), make: message)
    }

    package func waitingMessage(_ id: String) throws(AccountError) -> OutboxMessage? {
        try row(
            """
            SELECT id, recipient, recipient_typed, subject, body, created_at, expires_at, attempts, failure, client
                FROM outbox WHERE id = ?1
            """, .text(id), make: message)
    }

    package func dueMessages(
        _ kind: OutboxMessage.Kind, at time: Timestamp, limit: Int
    ) throws(AccountError) -> [OutboxMessage] {
        try rows(
            """
            SELECT id, recipient, recipient_typed, subject, body, created_at, expires_at, attempts, failure, client
                FROM outbox
                WHERE (next_attempt_at <= ?1 OR next_attempt_at - ?1 > 21600000 OR expires_at <= ?1)
                    AND CASE WHEN client IS NULL THEN 0 ELSE 1 END = CAST(?3 AS bigint)
                ORDER BY number LIMIT ?2
            """, .time(time), .integer(Int64(max(limit, 0))), .integer(kind == .mail ? 0 : 1), make: message)
    }

    package func postponeMessage(_ id: String, until time: Timestamp) throws(AccountError) {
        try write(
            "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?2 WHERE id = ?1", .text(id),
            .time(time))
    }

    package func postponeNotices(to client: String, until time: Timestamp) throws(AccountError) {
        try write(
            "UPDATE outbox SET next_attempt_at = ?2 WHERE client = ?1 AND next_attempt_at < ?2", .text(client),
            .time(time))
    }

    package func setFailure(_ reason: String, of message: String, isLast: Bool) throws(AccountError) {
        try write("UPDATE outbox SET failure = ?2 WHERE id = ?1", .text(message), .text(reason))
        if isLast { try write("UPDATE outbox SET expires_at = next_attempt_at WHERE id = ?1", .text(message)) }
    }

    package func deleteMessage(_ id: String) throws(AccountError) {
        try write("DELETE FROM outbox WHERE id = ?1", .text(id))
    }

    private func message(_ row: Engine.Row) throws(Failure) -> OutboxMessage {
        if !row.isNull(9) {
            guard let notice = LogoutNotice(client: try row.text(9), text: try row.text(4)) else { throw .corrupt }
            return OutboxMessage(
                notice, id: try row.text(0), at: try row.time(5), expiresAt: try row.optionalTime(6),
                attempts: try row.count(7), failure: row.isNull(8) ? nil : try row.text(8))
        }
        let recipient: EmailAddress? =
            row.isNull(1) ? nil : EmailAddress(storedAs: try row.text(2), folded: try row.text(1))
        return OutboxMessage(
            id: try row.text(0), recipient: recipient, subject: try row.text(3), body: try row.text(4),
            createdAt: try row.time(5), expiresAt: try row.optionalTime(6),
            attempts: try row.count(7), failure: row.isNull(8) ? nil : try row.text(8))
    }
}
