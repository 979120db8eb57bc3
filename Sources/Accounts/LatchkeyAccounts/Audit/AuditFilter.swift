/// Selects audit records; an empty filter selects all.
public struct AuditFilter: Sendable {
    /// Only records about this account.
    public var account: AccountID?
    /// Only records of the event with this stored name.
    public var event: String?
    /// Only records from this time on.
    public var since: Timestamp?
    /// Only records of requests from this address, in the format of ``RequestSource/text``.
    public var source: String?

    /// Whether the filter selects everything.
    private var isEmpty: Bool { account == nil && event == nil && since == nil && source == nil }

    /// Creates a filter; nil selects everything.
    public init(account: AccountID? = nil, event: String? = nil, since: Timestamp? = nil, source: String? = nil) {
        self.account = account
        self.event = event
        self.since = since
        self.source = source
    }

    /// An unreadable row only matches an empty filter.
    func admits(_ row: AuditRow) -> Bool {
        guard let record = row.record else { return isEmpty }
        if let account, record.account != account { return false }
        if let event, !event.utf8.elementsEqual(record.name.utf8) { return false }
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
