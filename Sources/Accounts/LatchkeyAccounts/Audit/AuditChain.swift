import LatchkeySecrets

/// The hash chain over the audit trail: `h(n) = SHA-256(0x01 ‖ length ‖ row(n) ‖ h(n-1))`, where `h(0)` is the store's
/// ID.
///
/// Changing, dropping, moving or inserting a row changes every later hash.
package struct AuditChain {
    /// The input of the next hash: the hash of the last row, or initially the store's ID.
    private(set) var last: [UInt8]
    private(set) var sequence: Int64

    /// Starts before the first record.
    package init(storeID: [UInt8]) {
        last = storeID
        sequence = 0
    }

    /// Continues after `head`.
    package init(after head: AuditHead) {
        last = head.hash
        sequence = head.sequence
    }

    /// The end of the chain; nil before the first record.
    package var head: AuditHead? { sequence > 0 ? AuditHead(sequence: sequence, hash: last) : nil }

    /// Adds `record` and returns its hash, 32 bytes.
    package mutating func add(_ record: AuditRecord) -> [UInt8] {
        var input: [UInt8] = [1]
        AuditEncoding.append(AuditEncoding.bytes(of: record), to: &input)
        input += last
        last = SHA256Digest.of(input.span)
        sequence = record.sequence
        return last
    }

    /// Adds a stored row.
    ///
    /// - Returns: the number at which the chain is broken, because a record was changed, removed, moved or inserted
    ///   there; nil if it is intact. Records missing at the end are only detected by comparison with a separately
    ///   stored head.
    package mutating func firstBreak(adding row: AuditRow) -> Int64? {
        let expected = sequence + 1
        guard row.sequence == expected, let record = row.record, record.sequence == expected else { return expected }
        // The first record of a segment contains the previous hash, so verification can start there.
        if record.event == .auditRotated, AuditRotation(record.reason)?.lastHash != last { return expected }
        return add(record) == row.hash ? nil : expected
    }
}

/// Encodes a record into the bytes that the chain hashes.
///
/// Each field has a length prefix, so that different records never have the same bytes. The first byte is the format
/// number. A released format never changes; a new format gets the next number.
package enum AuditEncoding {
    /// The format of a record: 1 for records of schema 1, which have no context; 3 for the actions of an operator
    /// token; 4 for those of an application; 5 for those of an administrator; otherwise 2.
    package static func number(of record: AuditRecord) -> UInt8 {
        if record.context == nil { return 1 }
        return switch record.actor {
        case .owner, .operatingSystemUser: 2
        case .operatorToken: 3
        case .client: 4
        case .account: 5
        }
    }

    static func bytes(of record: AuditRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(320)
        bytes.append(number(of: record))
        append(record.sequence, to: &bytes)
        append(record.time.milliseconds, to: &bytes)
        append(record.name, to: &bytes)
        append(record.account?.text ?? "", to: &bytes)
        append(record.actor.text, to: &bytes)
        append(record.requestID, to: &bytes)
        append(record.reason, to: &bytes)
        guard let context = record.context else { return bytes }
        append(context.sinceBoot, to: &bytes)
        append(context.bootID, to: &bytes)
        append(context.actingAccount?.text ?? "", to: &bytes)
        append(Int64(context.processUser), to: &bytes)
        append(context.source, to: &bytes)
        append(context.version, to: &bytes)
        return bytes
    }

    /// Appends a field with a length prefix.
    static func append(_ field: [UInt8], to bytes: inout [UInt8]) {
        append(Int64(field.count), to: &bytes)
        bytes += field
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(Int64(text.utf8.count), to: &bytes)
        bytes += text.utf8
    }

    /// Appends a number in big-endian order.
    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
