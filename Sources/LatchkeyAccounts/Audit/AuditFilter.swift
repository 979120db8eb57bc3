/// Which records somebody wants to see; all, where it says nothing.
public struct AuditFilter: Sendable {
    public var account: AccountID?
    /// The name of an event.
    public var event: String?
    /// Those of this time and later.
    public var since: Timestamp?

    public init(account: AccountID? = nil, event: String? = nil, since: Timestamp? = nil) {
        self.account = account
        self.event = event
        self.since = since
    }

    /// What can be no record passes only where nothing in particular is wanted.
    func admits(_ row: AuditRow) -> Bool {
        guard let record = row.record else { return account == nil && event == nil && since == nil }
        if let account, record.account != account { return false }
        if let event, !event.utf8.elementsEqual(record.name.utf8) { return false }
        if let since, record.time < since { return false }
        return true
    }
}

/// A piece of the trail that was looked through.
public struct AuditPage: Sendable {
    /// In order; none where the piece had none that are wanted.
    public let rows: [AuditRow]
    /// The number of the last record that was looked at; nil where there are no more.
    public let last: Int64?
}
