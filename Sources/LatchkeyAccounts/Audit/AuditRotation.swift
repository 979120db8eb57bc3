/// How much of the audit trail is kept. What is over is dropped from its start, a whole segment at a time.
public struct AuditLimits: Equatable, Sendable {
    /// In the store, about.
    public var bytes: Int64
    /// Since the newest record of a segment.
    public var age: Duration

    /// - Parameters:
    ///   - bytes: 100 MiB, some 400,000 records.
    ///   - age: 365 days.
    public init(bytes: Int64 = 100 << 20, age: Duration = .seconds(365 * 86400)) {
        self.bytes = bytes
        self.age = age
    }
}

/// What the record that begins a segment tells of the one before it, as its reason: `closed:COUNT:BYTES:HASH`. When older
/// segments are dropped, the trail begins with that record, and the hash in it is what its own stands on.
struct AuditRotation: Equatable, Sendable {
    /// How many records the closed segment has.
    let count: Int64
    /// About how many bytes they take in the store.
    let bytes: Int64
    /// Of the last record of the closed segment.
    let lastHash: [UInt8]

    /// Every record whose number is a multiple of this begins a segment, so that closing one is found out without looking
    /// for anything, and dropping one is little work.
    static let interval: Int64 = 1024

    /// A segment is closed by its age, too, where few records come: so long after its first one (in `store maintain`).
    static let longestSpan = Duration.seconds(31 * 86400)

    init(count: Int64, bytes: Int64, lastHash: [UInt8]) {
        self.count = count
        self.bytes = bytes
        self.lastHash = lastHash
    }

    init?(_ reason: String) {
        let parts = reason.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].utf8.elementsEqual("closed".utf8),
            let count = Int64(parts[1]), let bytes = Int64(parts[2]), count >= 0, bytes >= 0,
            let hash = Hexadecimal.bytes(of: parts[3]), hash.count == 32
        else { return nil }
        self.init(count: count, bytes: bytes, lastHash: hash)
        // One text for one meaning.
        guard text.utf8.elementsEqual(reason.utf8) else { return nil }
    }

    var text: String { "closed:\(count):\(bytes):\(Hexadecimal.text(of: lastHash))" }
}

extension AuditTrail {
    /// Closes the open segment: the record that says so begins the next.
    func rotate(
        _ chain: inout AuditChain, at time: Timestamp, in transaction: any AuditRows
    ) throws(AccountError) {
        let first = try Self.startOfOpenSegment(in: transaction)?.sequence ?? 1
        let rotation = AuditRotation(
            count: chain.sequence - first + 1, bytes: try transaction.auditSize(from: first), lastHash: chain.last)
        try add(.auditRotated, about: nil, reason: .closed(rotation), at: time, to: &chain, in: transaction)
    }

    /// Closes the open segment where its first record is old, so that a store in which little happens forgets in time too.
    func rotateByAge(at time: Timestamp, in transaction: any AuditRows) throws(AccountError) {
        guard let start = try Self.startOfOpenSegment(in: transaction), let began = start.record?.time,
            time.since(began) >= AuditRotation.longestSpan
        else { return }
        var chain = try AuditChain(in: transaction)
        // A segment of one record, which only closed the one before it, is not worth another.
        guard chain.sequence > start.sequence else { return }
        try rotate(&chain, at: time, in: transaction)
    }

    /// Drops closed segments from the start of the trail while it is larger than it may be, or they are older.
    ///
    /// - Returns: how many records there were.
    @discardableResult
    func dropSegments(
        atMost count: Int, at time: Timestamp, in transaction: any AuditRows
    ) throws(AccountError) -> Int {
        guard let first = try transaction.auditRows(after: 0, limit: 1).first else { return 0 }
        // The first record of all may begin a segment itself: what it closed is gone already.
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
    /// What it closed, where it begins a segment.
    var rotation: AuditRotation? {
        guard let record, record.event == .auditRotated else { return nil }
        return AuditRotation(record.reason)
    }
}
