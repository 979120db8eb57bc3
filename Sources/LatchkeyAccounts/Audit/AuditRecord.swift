/// One record of the audit trail.
public struct AuditRecord: Equatable, Sendable {
    /// Counted from 1, without gaps.
    public let sequence: Int64
    public let time: Timestamp
    /// What happened, as it is written: the name of an ``AuditEvent``, or one that a newer version knows.
    public let name: String
    public let account: AccountID?
    public let actor: AuditActor
    /// Random; what one call of the service wrote shares it.
    public let requestID: String
    /// The real reason, which no answer tells; empty where there is nothing to add.
    public let reason: String
    /// Where it was written; nil in a record of the first form, which had nothing of it.
    public let context: AuditContext?

    /// What happened; nil where only a newer version knows it.
    public var event: AuditEvent? { AuditEvent(rawValue: name) }

    package init(
        sequence: Int64, time: Timestamp, name: String, account: AccountID?, actor: AuditActor, requestID: String,
        reason: String, context: AuditContext?
    ) {
        self.sequence = sequence
        self.time = time
        self.name = name
        self.account = account
        self.actor = actor
        self.requestID = requestID
        self.reason = reason
        self.context = context
    }
}

/// A record as a store has it, with its hash. What another program has written there may be no record at all.
public struct AuditRow: Equatable, Sendable {
    public let sequence: Int64
    /// Nil where what is stored under this number can be no record.
    public let record: AuditRecord?
    /// 32 bytes, where nobody has touched them.
    public let hash: [UInt8]

    package init(_ record: AuditRecord, hash: [UInt8]) {
        sequence = record.sequence
        self.record = record
        self.hash = hash
    }

    /// What can be no record.
    package init(unreadable sequence: Int64, hash: [UInt8] = []) {
        self.sequence = sequence
        record = nil
        self.hash = hash
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

/// Who asked for what an audit record tells.
public enum AuditActor: Hashable, Sendable {
    /// Somebody who has proved to be the account's owner, or tries to.
    case owner
    /// Whoever runs the process, by the number of their user in the operating system.
    case operatingSystemUser(UInt32)
}
