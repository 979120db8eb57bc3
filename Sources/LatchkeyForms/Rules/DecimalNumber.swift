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

/// Where the digits of a decimal number lie in its text, so that numbers are compared where they stand and what may be
/// secret is not copied.
struct DecimalParts: Sendable {
    private let isNegative: Bool
    /// Without leading zeros.
    private let whole: Range<Int>
    /// Without trailing zeros.
    private let fraction: Range<Int>

    /// Nil where `bytes` are not an optional sign and digits or, with `allowsPoint`, digits with one point that has a
    /// digit after it.
    init?(_ bytes: Span<UInt8>, allowsPoint: Bool) {
        let isSigned = !bytes.isEmpty && (bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+"))
        let start = isSigned ? 1 : 0
        let point = Self.endOfDigits(in: bytes, from: start)
        guard point > start || point < bytes.count else { return nil }
        if point < bytes.count {
            guard allowsPoint, bytes[point] == UInt8(ascii: "."), point + 1 < bytes.count,
                Self.endOfDigits(in: bytes, from: point + 1) == bytes.count
            else { return nil }
        }
        let zero = UInt8(ascii: "0")
        let first = (start..<point).first { bytes[$0] != zero } ?? point
        let afterPoint = min(point + 1, bytes.count)..<bytes.count
        let last = afterPoint.last { bytes[$0] != zero }
        whole = first..<point
        fraction = afterPoint.lowerBound..<(last.map { $0 + 1 } ?? afterPoint.lowerBound)
        isNegative = isSigned && bytes[0] == UInt8(ascii: "-") && !(whole.isEmpty && fraction.isEmpty)
    }

    /// Negative where this number is below `other`, 0 where they are equal, positive where it is above.
    func order(in bytes: Span<UInt8>, against other: DecimalParts, in otherBytes: Span<UInt8>) -> Int {
        guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
        // More digits before the point are more, as there are no leading zeros; behind it, what ends first is less.
        var magnitude = whole.count - other.whole.count
        if magnitude == 0 {
            magnitude = Self.order(bytes.extracting(whole), otherBytes.extracting(other.whole))
        }
        if magnitude == 0 {
            magnitude = Self.order(bytes.extracting(fraction), otherBytes.extracting(other.fraction))
        }
        return isNegative ? -magnitude : magnitude
    }

    private static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return Int(left[index]) - Int(right[index])
        }
        return left.count - right.count
    }

    private static func endOfDigits(in bytes: Span<UInt8>, from start: Int) -> Int {
        (start..<bytes.count).first { !bytes[$0].isASCIIDigit } ?? bytes.count
    }
}

/// What a number must lie between, both ends included; each may be open.
public struct DecimalBounds: Sendable {
    public let minimum: DecimalNumber?
    public let maximum: DecimalNumber?

    public init(minimum: DecimalNumber? = nil, maximum: DecimalNumber? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// What a sentence may show.
    var values: [String: RuleFailure.Value] {
        var values: [String: RuleFailure.Value] = [:]
        values["minimum"] = minimum.map { .text($0.text) }
        values["maximum"] = maximum.map { .text($0.text) }
        return values
    }

    /// Why the number `text`, whose digits lie at `parts`, is not between them; nil where it is.
    func failure(of text: Span<UInt8>, _ parts: DecimalParts) -> RuleFailure? {
        if let minimum, minimum.order(of: text, parts) < 0 { return RuleFailure(code: .tooSmall, values: values) }
        if let maximum, maximum.order(of: text, parts) > 0 { return RuleFailure(code: .tooLarge, values: values) }
        return nil
    }
}
