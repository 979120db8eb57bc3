/// A record that a transaction has written and that has no place in the chain yet.
public struct PendingRecord: Equatable, Sendable {
    /// The record. Its number is 0.
    public let record: AuditRecord
    /// The number of failures that the record represents.
    public let weight: Int

    /// Creates a pending record.
    package init(_ record: AuditRecord, weight: Int = 1) {
        self.record = record
        self.weight = weight
    }

    /// Whether the record may only be counted: see ``AuditFlood``.
    var canFlood: Bool { record.event?.canFlood ?? false }
}

/// The end of the records that one connection has written to a database server.
///
/// Two connections that extended one chain would have to wait for each other. Each therefore has a lane, in which every
/// record has a tag over the one before. ``AuditSealer`` moves the records into the chain.
public struct AuditLane: Equatable, Sendable {
    /// The number of the lane.
    public let id: Int64
    /// The number of its last record, counted from 1; 0 for none.
    public let number: Int64
    /// The tag of its last record, 32 bytes; zeros for none.
    public let head: [UInt8]

    /// Creates the end of a lane.
    package init(id: Int64, number: Int64 = 0, head: [UInt8] = [UInt8](repeating: 0, count: 32)) {
        (self.id, self.number, self.head) = (id, number, head)
    }

    /// The end after a record with this tag.
    func extended(by tag: [UInt8]) -> AuditLane { AuditLane(id: id, number: number + 1, head: tag) }
}

/// A record in a lane.
public struct LaneRecord: Equatable, Sendable {
    /// The end of the lane with this record: the record's number and its tag.
    public let end: AuditLane
    /// The number of the transaction that wrote it. A transaction that saw the change of another one has a greater number.
    public let transaction: Int64
    /// Nil if the row cannot be read as a record.
    public let record: PendingRecord?

    /// Creates a stored record.
    package init(_ record: PendingRecord?, end: AuditLane, transaction: Int64) {
        (self.record, self.end, self.transaction) = (record, end, transaction)
    }
}
