/// The bytes of a record that the chain is over. Each field has its length before it, so that no two records have the
/// same bytes, and the first byte is the number of the form: a form that has shipped is never changed, only followed by
/// another.
enum AuditForm {
    /// The form in which a record is kept: 1 for those of schema 1, which have no context, 2 for all others.
    static func number(of record: AuditRecord) -> UInt8 { record.context == nil ? 1 : 2 }

    static func bytes(of record: AuditRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(320)
        bytes.append(number(of: record))
        append(record.sequence, to: &bytes)
        append(record.time.milliseconds, to: &bytes)
        append(record.name, to: &bytes)
        append(record.account?.text ?? "", to: &bytes)
        switch record.actor {
        case .owner: append("owner", to: &bytes)
        case .operatingSystemUser(let number): append("uid:\(number)", to: &bytes)
        }
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

    /// Length-prefixed.
    static func append(_ field: [UInt8], to bytes: inout [UInt8]) {
        append(Int64(field.count), to: &bytes)
        bytes += field
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(Int64(text.utf8.count), to: &bytes)
        bytes += text.utf8
    }

    /// Big-endian.
    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
