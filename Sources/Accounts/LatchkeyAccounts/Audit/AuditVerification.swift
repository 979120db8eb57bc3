import LatchkeySecrets

/// The result of verifying the audit trail.
public struct AuditVerification: Equatable, Sendable {
    /// The number of the first verified record. It is greater than 1 if older segments were dropped or the caller
    /// requested a later start.
    public let first: Int64
    /// The newest verified record; nil if there was none.
    public let head: AuditHead?
    /// The verdict: whether the trail is intact, and the first problem.
    public let finding: Finding

    /// The verdict on the trail.
    public enum Finding: Equatable, Sendable {
        case intact
        /// This record was changed, removed or replaced.
        case broken(sequence: Int64)
        /// This record's hash differs from the anchor.
        case anchorDiffers(sequence: Int64)
        /// The trail ends before the record of the anchor.
        case anchorAfterEnd(sequence: Int64)
        /// The anchor's record comes before the first verified record, so the anchor was not used.
        case anchorBeforeStart(sequence: Int64)
        /// The hash of the anchor matches no verified record.
        case anchorUnknown
        /// The trail ends with this record, before the first record to verify.
        case endsEarlier(sequence: Int64)
        /// The trail ends with this record, but the store's key has sealed another end: records after it were removed, or
        /// the last ones were added.
        case endDiffers(sequence: Int64)
        /// This record tells that the trail before it did not end where it was sealed.
        case endWasChanged(sequence: Int64)
        /// Records that wait for their place in the trail were changed, removed or added in the lane with this number.
        case laneBroken(number: Int64)
    }
}

extension AuditVerification.Finding {
    /// The number of the record that the finding concerns; nil if it concerns none.
    package var sequence: Int64? {
        switch self {
        case .intact, .anchorUnknown, .laneBroken: nil
        case .broken(let sequence), .anchorDiffers(let sequence), .anchorAfterEnd(let sequence),
            .anchorBeforeStart(let sequence), .endsEarlier(let sequence), .endDiffers(let sequence),
            .endWasChanged(let sequence):
            sequence
        }
    }
}

extension AuditVerification {
    /// Verifies the whole trail in one transaction, for a store without concurrent writers.
    ///
    /// - Parameter key: of the store; nil to verify only the chain and not its end.
    package init(in transaction: any StoreTransaction, sealedWith key: StoreKey? = nil) throws(AccountError) {
        var verifier = try AuditVerifier(from: nil, anchors: [], in: transaction)
        while verifier.finding == nil {
            let rows = try transaction.auditRows(after: verifier.chain.sequence, limit: 512)
            if rows.isEmpty {
                if let key { try verifier.checkEnd(sealedWith: key, in: transaction) }
                break
            }
            verifier.take(rows)
        }
        self = verifier.result
    }
}

/// Verifies the trail in pages, so that no transaction stays open for long.
struct AuditVerifier {
    private(set) var chain: AuditChain
    private let first: Int64
    private var anchors: [AuditAnchor]
    private(set) var finding: AuditVerification.Finding?
    /// The number of a row that was inserted before the first record and belongs to no chain.
    private let stray: Int64?
    /// The first problem of the end of the trail; nil if its end is sealed.
    private var end: AuditVerification.Finding?
    /// The number of the first record of a changed end.
    private var endChange: Int64?

    /// Finds the first record to verify.
    ///
    /// - Parameter from: the number of the first record to verify; earlier records are trusted.
    init(from: Int64?, anchors: [AuditAnchor], in transaction: any AuditRows) throws(AccountError) {
        self.anchors = anchors
        chain = AuditChain(storeID: try transaction.storeID)
        let least = try transaction.auditRows(after: .min, limit: 1).first?.sequence
        stray = least.flatMap { $0 < 1 ? $0 : nil }
        if let row = try transaction.auditRows(after: 0, limit: 1).first, row.sequence != 1 {
            // Older segments were dropped. The first remaining record contains the hash before it.
            if row.sequence > 1, let rotation = row.rotation {
                chain = AuditChain(after: AuditHead(sequence: row.sequence - 1, hash: rotation.lastHash))
            } else {
                finding = .broken(sequence: 1)
            }
        }
        if let from, from > chain.sequence + 1, finding == nil {
            if let before = try transaction.auditRows(after: from - 2, limit: 1).first, before.sequence == from - 1 {
                chain = AuditChain(after: AuditHead(sequence: before.sequence, hash: before.hash))
            } else {
                let end = try transaction.auditHead?.sequence ?? 0
                finding = end < from - 1 ? .endsEarlier(sequence: end) : .broken(sequence: from - 1)
            }
        }
        first = chain.sequence + 1
        // An anchor can also match the hash that precedes the first record.
        if chain.sequence > 0 { compare(chain.sequence, chain.last) }
    }

    /// Verifies the next page, which must not be empty.
    mutating func take(_ rows: [AuditRow]) {
        for row in rows where finding == nil {
            if let number = chain.firstBreak(adding: row) {
                finding = .broken(sequence: number)
            } else {
                compare(row.sequence, row.hash)
                if row.record?.event == .auditEndChanged { endChange = endChange ?? row.sequence }
            }
        }
    }

    /// Compares the end of the chain with its seal, and the lanes with the records that wait in them. Call it in the
    /// transaction that has read the last page.
    mutating func checkEnd(
        sealedWith key: StoreKey, in transaction: any StoreTransaction
    ) throws(AccountError) {
        let sealed = try transaction.sealedLanes
        guard key.hasSealed(chain.head, sealed, with: try transaction.seal) else {
            end = .endDiffers(sequence: chain.sequence)
            return
        }
        let ends = Dictionary(try transaction.lanes.map { ($0.id, $0) }) { first, _ in first }
        let starts = Dictionary(sealed.map { ($0.id, $0) }) { first, _ in first }
        let rows = Dictionary(
            grouping: try transaction.pendingRecords(limit: Self.mostPendingRecords), by: \.end.id)
        for id in Set(ends.keys).union(starts.keys).sorted() {
            var lane = starts[id] ?? AuditLane(id: id)
            for row in (rows[id] ?? []).sorted(by: { $0.end.number < $1.end.number }) {
                guard let next = key.next(row, after: lane) else {
                    end = .laneBroken(number: id)
                    return
                }
                lane = next
            }
            guard lane == ends[id] else {
                end = .laneBroken(number: id)
                return
            }
        }
    }

    /// The sealer never leaves so many records in a lane.
    private static let mostPendingRecords = 100_000

    private mutating func compare(_ sequence: Int64, _ hash: [UInt8]) {
        for anchor in anchors where anchor.sequence == sequence && anchor.hash != hash && finding == nil {
            finding = .anchorDiffers(sequence: sequence)
        }
        anchors.removeAll { $0.sequence == sequence || ($0.sequence == nil && $0.hash == hash) }
    }

    /// The result, after the last page.
    var result: AuditVerification {
        let head = chain.sequence < first ? nil : AuditHead(sequence: chain.sequence, hash: chain.last)
        let left: AuditVerification.Finding? = anchors.first.map { anchor in
            guard let sequence = anchor.sequence else { return .anchorUnknown }
            return sequence < first ? .anchorBeforeStart(sequence: sequence) : .anchorAfterEnd(sequence: sequence)
        }
        let changed = endChange.map { AuditVerification.Finding.endWasChanged(sequence: $0) }
        let early = stray.map { AuditVerification.Finding.broken(sequence: $0) }
        return AuditVerification(
            first: first, head: head, finding: finding ?? early ?? left ?? end ?? changed ?? .intact)
    }
}

/// A head of the trail that was stored separately.
public struct AuditAnchor: Equatable, Sendable {
    /// The number of the record; nil if only the hash was stored.
    public let sequence: Int64?
    /// The hash of the record, 32 bytes.
    public let hash: [UInt8]

    /// Parses a line of `audit head` (`NUMBER HASH TIME`), or only a hash (64 hexadecimal digits). Returns nil for
    /// anything else.
    public init?(_ line: String) {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        switch words.count {
        case 1: sequence = nil
        case 2, 3:
            guard let number = Int64(words[0]), number > 0 else { return nil }
            sequence = number
        default: return nil
        }
        guard let hash = Hexadecimal.bytes(of: words[words.count == 1 ? 0 : 1]), hash.count == 32 else { return nil }
        self.hash = hash
    }

    /// Creates an anchor from the number and hash of `head`.
    public init(_ head: AuditHead) {
        sequence = head.sequence
        hash = head.hash
    }
}
