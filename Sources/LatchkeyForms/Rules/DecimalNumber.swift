/// A decimal number of any length, kept as its digits: no `Int` that overflows, no `Double` that rounds.
public struct DecimalNumber: Comparable, Sendable {
    /// As it was written.
    public let text: String
    private let bytes: [UInt8]
    private let parts: DecimalParts

    /// - Parameter text: an optional sign, digits, and a point that has a digit after it; no exponent.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let parts = DecimalParts(bytes.span, allowsPoint: true) else { return nil }
        self.text = text
        self.bytes = bytes
        self.parts = parts
    }

    /// Equal numbers, however many zeros they are written with.
    public static func == (left: DecimalNumber, right: DecimalNumber) -> Bool {
        left.order(of: right.bytes.span, right.parts) == 0
    }

    public static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        left.order(of: right.bytes.span, right.parts) > 0
    }

    /// Where `other` stands: negative below this number, 0 equal to it, positive above it.
    func order(of other: Span<UInt8>, _ otherParts: DecimalParts) -> Int {
        otherParts.order(in: other, against: parts, in: bytes.span)
    }
}
