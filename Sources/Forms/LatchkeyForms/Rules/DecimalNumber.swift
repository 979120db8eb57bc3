/// A decimal number of any length. It is stored as digits, so that nothing overflows or is rounded.
public struct DecimalNumber: Comparable, Sendable {
    /// The number as written.
    public let text: String
    private let bytes: [UInt8]
    private let parts: DecimalParts

    /// Parses a number: an optional sign, digits, and an optional point followed by a digit. Exponents are not allowed.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let parts = DecimalParts(bytes.span, allowsPoint: true) else { return nil }
        self.text = text
        self.bytes = bytes
        self.parts = parts
    }

    /// Whether the numbers are equal, ignoring leading and trailing zeros.
    public static func == (left: DecimalNumber, right: DecimalNumber) -> Bool {
        left.order(of: right.bytes.span, right.parts) == 0
    }

    /// Whether `left` is less than `right`.
    public static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        left.order(of: right.bytes.span, right.parts) > 0
    }

    /// The order of the numbers: negative if `other` is less than this number, 0 if they are equal, positive if it is
    /// greater.
    func order(of other: Span<UInt8>, _ otherParts: DecimalParts) -> Int {
        otherParts.order(in: other, against: parts, in: bytes.span)
    }
}

/// The ranges of the digits in the text of a decimal number. Comparing them needs no copy of a secret.
struct DecimalParts: Sendable {
    private let isNegative: Bool
    /// The digits before the point, without leading zeros.
    private let whole: Range<Int>
    /// The digits after the point, without trailing zeros.
    private let fraction: Range<Int>

    /// Nil unless `bytes` consist of an optional sign and digits. With `allowsPoint`, a point followed by a digit is
    /// allowed.
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

    /// The order of the numbers: negative if this number is less than `other`, 0 if they are equal, positive if it is
    /// greater.
    func order(in bytes: Span<UInt8>, against other: DecimalParts, in otherBytes: Span<UInt8>) -> Int {
        guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
        // Without leading zeros, a number with more digits before the point is greater.
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

/// The inclusive bounds of a number, both optional.
public struct DecimalBounds: Sendable {
    /// The minimum; nil for no bound.
    public let minimum: DecimalNumber?
    /// The maximum; nil for no bound.
    public let maximum: DecimalNumber?

    /// Creates bounds.
    public init(minimum: DecimalNumber? = nil, maximum: DecimalNumber? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The bounds, as values for a sentence.
    var values: [String: RuleFailure.Value] {
        var values: [String: RuleFailure.Value] = [:]
        values["minimum"] = minimum.map { .text($0.text) }
        values["maximum"] = maximum.map { .text($0.text) }
        return values
    }

    /// The failure if the number `text`, with its digits at `parts`, is out of bounds; otherwise nil.
    func failure(of text: Span<UInt8>, _ parts: DecimalParts) -> RuleFailure? {
        if let minimum, minimum.order(of: text, parts) < 0 { return RuleFailure(code: .tooSmall, values: values) }
        if let maximum, maximum.order(of: text, parts) > 0 { return RuleFailure(code: .tooLarge, values: values) }
        return nil
    }
}
