/// One row of `Tests/Fixtures/validate`: a line and its verdict.
public struct LineCase: Decodable, Sendable, CustomStringConvertible {
    private let line: String?
    /// Bytes that a JSON Lines file cannot contain.
    private let hex: String?
    public let answer: String
    public let why: String

    public var bytes: [UInt8] {
        guard let hex else { return Array((line ?? "").utf8) }
        let digits = hex.compactMap(\.hexDigitValue).map(UInt8.init)
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    public var description: String { why }
}
