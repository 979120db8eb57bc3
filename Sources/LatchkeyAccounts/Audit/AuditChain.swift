import LatchkeySecrets

/// The chain of hashes over the audit trail: `h(n) = SHA-256(0x01 ‖ length ‖ row(n) ‖ h(n-1))`, where `h(0)` is the
/// store's id, so that no row can be changed, dropped, moved or put in without every later hash showing it.
package struct AuditChain {
    /// What the next hash is over; the store's id at first.
    private var last: [UInt8]
    private(set) var sequence: Int64

    /// Before the first record.
    package init(storeID: [UInt8]) {
        last = storeID
        sequence = 0
    }

    /// Goes on after `head`.
    init(after head: AuditHead) {
        last = head.hash
        sequence = head.sequence
    }

    /// Adds `record` and gives its hash, 32 bytes.
    package mutating func add(_ record: AuditRecord) -> [UInt8] {
        let row = Self.canonical(record)
        last = SHA256Digest.of(([1] + Self.lengthPrefixed(row) + last).span)
        sequence = record.sequence
        return last
    }

    /// The number of the first record at which the chain is broken: changed, missing, moved or put in there; nil where it
    /// holds. What is missing at the end does not show, but against a head that was kept elsewhere.
    package mutating func firstBreak(
        in rows: some Sequence<(record: AuditRecord, hash: [UInt8])>
    ) -> Int64? {
        for (record, hash) in rows {
            let expected = sequence + 1
            guard record.sequence == expected, add(record) == hash else { return expected }
        }
        return nil
    }

    /// Every field with its length before it, so that no two records have the same bytes; the first byte is the version
    /// of this layout.
    private static func canonical(_ record: AuditRecord) -> [UInt8] {
        let actor =
            switch record.actor {
            case .owner: "owner"
            case .operatingSystemUser(let number): "uid:\(number)"
            }
        let texts = [record.event.rawValue, record.account?.text ?? "", actor, record.requestID, record.reason]
        return [1] + bigEndian(record.sequence) + bigEndian(record.time.milliseconds)
            + texts.flatMap { lengthPrefixed(Array($0.utf8)) }
    }

    private static func lengthPrefixed(_ bytes: [UInt8]) -> [UInt8] { bigEndian(Int64(bytes.count)) + bytes }

    private static func bigEndian(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
