/// One row of the audit trail.
public struct AuditRecord: Equatable, Sendable {
    /// Counted from 1, without gaps.
    public let sequence: Int64
    public let time: Timestamp
    public let event: AuditEvent
    public let account: AccountID?
    public let actor: AuditActor
    /// Random; what one call of the service wrote shares it.
    public let requestID: String
    /// The real reason, which no answer tells; empty where there is nothing to add.
    public let reason: String

    package init(
        sequence: Int64, time: Timestamp, event: AuditEvent, account: AccountID?, actor: AuditActor, requestID: String,
        reason: String
    ) {
        self.sequence = sequence
        self.time = time
        self.event = event
        self.account = account
        self.actor = actor
        self.requestID = requestID
        self.reason = reason
    }
}

/// The end of the chain: the newest record's number and hash (32 bytes).
public struct AuditHead: Equatable, Sendable {
    public let sequence: Int64
    public let hash: [UInt8]

    package init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }
}
