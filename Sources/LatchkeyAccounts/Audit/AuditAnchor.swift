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
