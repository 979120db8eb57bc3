/// A day of ISO 8601's calendar, written as `2026-01-31`; years from 0001 to 9999.
public struct CalendarDate: Comparable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int

    /// Nil for what is not written so, and for a day that the calendar does not have.
    public init?(_ text: String) { self.init(text.utf8Span.span) }

    init?(_ bytes: Span<UInt8>) {
        guard bytes.count == 10 else { return nil }
        for index in 0..<10 {
            let isHyphen = bytes[index] == UInt8(ascii: "-")
            guard index == 4 || index == 7 ? isHyphen : bytes[index].isASCIIDigit else { return nil }
        }
        year = Self.number(bytes.extracting(0..<4))
        month = Self.number(bytes.extracting(5..<7))
        day = Self.number(bytes.extracting(8..<10))
        guard year >= 1, 1...12 ~= month, day >= 1, day <= Self.days(ofMonth: month, in: year) else { return nil }
    }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// As it is written.
    public var text: String {
        [(year, 4), (month, 2), (day, 2)].map { number, width in
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits
        }.joined(separator: "-")
    }

    private static func number(_ digits: Span<UInt8>) -> Int {
        digits.indices.reduce(0) { $0 * 10 + digits[$1].digitValue }
    }

    private static func days(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
