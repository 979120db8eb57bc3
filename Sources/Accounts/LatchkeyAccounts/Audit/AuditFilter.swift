/// Selects audit records; an empty filter selects all.
public struct AuditFilter: Sendable {
    /// Only records about this account.
    public var account: AccountID?
    /// Only records of the event with this stored name.
    public var event: String?
    /// Only records from this time on.
    public var since: Timestamp?

    /// Creates a filter. Nil values match all records.
    public init(account: AccountID? = nil, event: String? = nil, since: Timestamp? = nil) {
        self.account = account
        self.event = event
        self.since = since
    }

    /// An unreadable row only matches an empty filter.
    func admits(_ row: AuditRow) -> Bool {
        guard let record = row.record else { return account == nil && event == nil && since == nil }
        if let account, record.account != account { return false }
        if let event, !event.utf8.elementsEqual(record.name.utf8) { return false }
        if let since, record.time < since { return false }
        return true
    }
}

/// One page of the audit trail.
public struct AuditPage: Sendable {
    /// The selected rows in order; may be empty, even before the end of the trail.
    public let rows: [AuditRow]
    /// The number of the last record that was read; nil at the end of the trail.
    public let last: Int64?
}
