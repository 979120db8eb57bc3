import LatchkeySecrets

/// The maximum size and age of the audit trail. When a limit is exceeded, whole segments are dropped from its start.
public struct AuditLimits: Equatable, Sendable {
    /// The approximate size of the trail in the store.
    public var bytes: Int64
    /// The maximum age of a segment, based on its newest record.
    public var age: Duration

    /// - Parameters:
    ///   - bytes: the maximum size; by default 100 MiB, some 400,000 records.
    ///   - age: the maximum age; by default 365 days.
    public init(bytes: Int64 = 100 << 20, age: Duration = .seconds(365 * 86400)) {
        self.bytes = bytes
        self.age = age
    }
}

/// A closed segment, as described in the first record of the next segment with the reason `closed:COUNT:BYTES:HASH`.
///
/// When older segments are dropped, the trail begins with that record. The hash in it continues the chain.
struct AuditRotation: Equatable, Sendable {
    /// The maximum count and size, so that their sums cannot overflow.
    private static let greatest: Int64 = 1 << 40

    /// The number of records in the closed segment.
    let count: Int64
    /// The approximate size of these records in the store, in bytes.
    let bytes: Int64
    /// The hash of the last record of the closed segment.
    let lastHash: [UInt8]

    /// A segment begins at every record whose number is a multiple of this. Finding a segment needs no search, and
    /// dropping one is cheap.
    static let interval: Int64 = 1024

    /// `store maintain` also closes a segment when its first record reaches this age.
    static let longestSpan = Duration.seconds(31 * 86400)
}

extension AuditRotation {
    init?(_ reason: String) {
        let parts = reason.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].utf8.elementsEqual("closed".utf8),
            let count = Int64(parts[1]), let bytes = Int64(parts[2]), 0...Self.greatest ~= count,
            0...Self.greatest ~= bytes,
            let hash = Hexadecimal.bytes(of: parts[3]), hash.count == 32
        else { return nil }
        self.init(count: count, bytes: bytes, lastHash: hash)
        // Rejects alternative encodings of the same value.
        guard text.utf8.elementsEqual(reason.utf8) else { return nil }
    }

    var text: String { "closed:\(count):\(bytes):\(Hexadecimal.text(of: lastHash))" }
}

extension AuditSealer {
    /// Closes the open segment. The closing record is the first record of the next segment.
    ///
    /// - Parameter record: a record of the call that closes it.
    func rotate(
        _ chain: inout AuditChain, with record: AuditRecord, in transaction: any AuditRows
    ) throws(AccountError) {
        let first = try Self.startOfOpenSegment(in: transaction)?.sequence ?? 1
        let rotation = AuditRotation(
            count: chain.sequence - first + 1, bytes: try transaction.auditSize(from: first), lastHash: chain.last)
        try add(record.companion(.auditRotated, .closed(rotation)), to: &chain, in: transaction)
    }

    /// Closes the open segment if its first record is old, so that old records are dropped even in a store with few
    /// events.
    func rotateByAge(
        _ chain: inout AuditChain, with record: AuditRecord, in transaction: any AuditRows
    ) throws(AccountError) {
        guard let start = try Self.startOfOpenSegment(in: transaction), let began = start.record?.time,
            // A segment with only a closing record stays open.
            record.time.since(began) >= AuditRotation.longestSpan, chain.sequence > start.sequence
        else { return }
        try rotate(&chain, with: record, in: transaction)
    }

    /// Drops closed segments from the start while the trail is too large or too old.
    ///
    /// - Returns: the number of deleted records.
    @discardableResult
    func dropSegments(
        atMost count: Int, at time: Timestamp, in transaction: any AuditRows
    ) throws(AccountError) -> Int {
        guard let first = try transaction.auditRows(after: 0, limit: 1).first else { return 0 }
        // The first record may begin a segment whose predecessor was already deleted.
        let closings = try transaction.auditRotations().filter { $0.sequence > first.sequence }
        var size = closings.reduce(0) { $0 + ($1.rotation?.bytes ?? 0) }
        var end: Int64?
        for closing in closings.prefix(count) {
            let isOld = closing.record.map { time.since($0.time) > limits.age } ?? false
            guard size > limits.bytes || isOld else { break }
            size -= closing.rotation?.bytes ?? 0
            end = closing.sequence
        }
        guard let end else { return 0 }
        return try transaction.dropAuditRecords(before: end)
    }

    private static func startOfOpenSegment(in transaction: any AuditRows) throws(AccountError) -> AuditRow? {
        if let last = try transaction.auditRotations().last { return last }
        return try transaction.auditRows(after: 0, limit: 1).first
    }
}

extension AuditRow {
    /// The segment that this row closed; nil if it does not begin a segment.
    var rotation: AuditRotation? {
        guard let record, record.event == .auditRotated else { return nil }
        return AuditRotation(record.reason)
    }
}
