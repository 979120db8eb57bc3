/// Selects audit records; an empty filter selects all.
public struct AuditFilter: Sendable {
    /// Only records about this account.
    public var account: AccountID?
    /// Only records of events with these stored names; nil for all events.
    public var events: Set<String>?
    /// Whether to select only what operators did: system users, programs with a token, and administrators.
    public var isByOperators = false
    /// Only records from this time on.
    public var since: Timestamp?
    /// Only records of requests from this address, in the format of ``RequestSource/text``.
    public var source: String?

    /// Whether the filter selects everything.
    package var isEmpty: Bool { account == nil && events == nil && !isByOperators && since == nil && source == nil }

    /// Creates a filter; nil selects everything.
    public init(account: AccountID? = nil, events: Set<String>? = nil, since: Timestamp? = nil, source: String? = nil) {
        self.account = account
        self.events = events
        self.since = since
        self.source = source
    }

    /// An unreadable row only matches an empty filter.
    package func admits(_ row: AuditRow) -> Bool {
        guard let record = row.record else { return isEmpty }
        if let account, record.account != account { return false }
        if let events, !events.contains(record.name) { return false }
        if isByOperators, !record.actor.isOperator { return false }
        if let since, record.time < since { return false }
        if let source, record.context?.source.utf8.elementsEqual(source.utf8) != true { return false }
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

/// The newest records, for a page that people read.
public struct RecentAudit: Sendable {
    /// The selected rows, newest first.
    public let rows: [AuditRow]
    /// The number before which the next page continues; nil at the beginning of the trail.
    public let next: Int64?
    /// Whether the search stopped before it had enough rows, because it had looked at ``AccountService/auditScan``
    /// records.
    public let stoppedEarly: Bool
}
