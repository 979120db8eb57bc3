/// What the check of the trail found.
public struct AuditVerification: Equatable, Sendable {
    /// The number of the first record that was checked: 1; later where older segments have been dropped, or where it was
    /// asked for so.
    public let first: Int64
    /// The newest record that was checked; nil where there was none.
    public let head: AuditHead?
    public let finding: Finding

    public enum Finding: Equatable, Sendable {
        case intact
        /// The record of this number is not as it was written, or not there, or another is in its place.
        case broken(sequence: Int64)
        /// The record of this number is another than the one whose hash was kept elsewhere.
        case anchorDiffers(sequence: Int64)
        /// The trail ends before the record whose hash was kept elsewhere.
        case anchorAfterEnd(sequence: Int64)
        /// The record whose hash was kept elsewhere lies before the first that was checked: nothing can be said of it.
        case anchorBeforeStart(sequence: Int64)
        /// No record that was checked has the hash that was kept elsewhere.
        case anchorUnknown
    }
}

extension AuditVerification {
    /// Checks the whole trail in one transaction: of a store that nobody writes to.
    package init(in transaction: any AuditRows) throws(AccountError) {
        var verifier = try AuditVerifier(from: nil, anchors: [], in: transaction)
        while verifier.finding == nil {
            let rows = try transaction.auditRows(after: verifier.chain.sequence, limit: 512)
            if rows.isEmpty { break }
            verifier.take(rows)
        }
        self = verifier.result
    }
}

/// Checks the trail piece by piece, so that no transaction is open for long.
struct AuditVerifier {
    private(set) var chain: AuditChain
    private let first: Int64
    private var anchors: [AuditAnchor]
    private(set) var finding: AuditVerification.Finding?
    /// The number of a row that was put in before the first that can be; it is part of no chain.
    private let stray: Int64?

    /// Finds out where to begin.
    ///
    /// - Parameter from: the number of the first record to check; what stands before is believed.
    init(from: Int64?, anchors: [AuditAnchor], in transaction: any AuditRows) throws(AccountError) {
        self.anchors = anchors
        chain = AuditChain(storeID: try transaction.storeID)
        let least = try transaction.auditRows(after: .min, limit: 1).first?.sequence
        stray = least.flatMap { $0 < 1 ? $0 : nil }
        if let row = try transaction.auditRows(after: 0, limit: 1).first, row.sequence != 1 {
            // Older segments were dropped: what is left says on what it stands.
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
                finding = .broken(sequence: (try transaction.auditHead?.sequence ?? 0) + 1)
            }
        }
        first = chain.sequence + 1
        // What the first record stands on can be compared, too.
        if chain.sequence > 0 { compare(chain.sequence, chain.last) }
    }

    /// Takes the next piece, which is not empty.
    mutating func take(_ rows: [AuditRow]) {
        for row in rows where finding == nil {
            if let number = chain.firstBreak(adding: row) {
                finding = .broken(sequence: number)
            } else {
                compare(row.sequence, row.hash)
            }
        }
    }

    private mutating func compare(_ sequence: Int64, _ hash: [UInt8]) {
        for anchor in anchors where anchor.sequence == sequence && anchor.hash != hash && finding == nil {
            finding = .anchorDiffers(sequence: sequence)
        }
        anchors.removeAll { $0.sequence == sequence || ($0.sequence == nil && $0.hash == hash) }
    }

    /// What was found, when there is nothing more to take.
    var result: AuditVerification {
        let head = chain.sequence < first ? nil : AuditHead(sequence: chain.sequence, hash: chain.last)
        let left: AuditVerification.Finding? = anchors.first.map { anchor in
            guard let sequence = anchor.sequence else { return .anchorUnknown }
            return sequence < first ? .anchorBeforeStart(sequence: sequence) : .anchorAfterEnd(sequence: sequence)
        }
        let early = stray.map { AuditVerification.Finding.broken(sequence: $0) }
        return AuditVerification(first: first, head: head, finding: finding ?? early ?? left ?? .intact)
    }
}

/// A head of the trail that was kept elsewhere.
public struct AuditAnchor: Equatable, Sendable {
    /// Nil where the hash alone was kept.
    public let sequence: Int64?
    /// 32 bytes.
    public let hash: [UInt8]

    /// Reads a line of `audit head` (`NUMBER HASH TIME`), or a hash alone: 64 hexadecimal digits. Nil for anything else.
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

    public init(_ head: AuditHead) {
        sequence = head.sequence
        hash = head.hash
    }
}
