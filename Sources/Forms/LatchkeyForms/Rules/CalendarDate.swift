/// A day of the ISO 8601 calendar, written as `2026-01-31`.
public struct CalendarDate: Comparable, Sendable {
    /// The year, 1 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Parses a date; nil for any other format, and for a day that does not exist.
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

    /// Whether `left` is earlier than `right`.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The date in the format `2026-01-31`.
    public var text: String {
        [(year, 4), (month, 2), (day, 2)].map { number, width in
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits
        }.joined(separator: "-")
    }

    /// A part of a date.
    public enum Part: Sendable {
        case year, month, day
    }

    /// The date shifted by a number of years, months or days. If the day does not exist in the month, the last day of
    /// the month is used. Nil before the year 1 and after 9999.
    public func moved(by distance: Int, _ part: Part) -> CalendarDate? {
        switch part {
        case .year: return CalendarDate(year: year + distance, month: month, day: day)
        case .month:
            let months = year * 12 + month - 1 + distance
            return CalendarDate(year: months / 12, month: months % 12 + 1, day: day)
        case .day:
            var (date, left) = (self, distance)
            while left != 0 {
                let sign = left > 0 ? 1 : -1
                let next = date.day + sign
                if next >= 1, next <= Self.days(ofMonth: date.month, in: date.year) {
                    date = CalendarDate(unchecked: (date.year, date.month, next))
                } else {
                    guard let month = CalendarDate(unchecked: (date.year, date.month, 1)).moved(by: sign, .month) else {
                        return nil
                    }
                    let last = Self.days(ofMonth: month.month, in: month.year)
                    date = CalendarDate(unchecked: (month.year, month.month, sign > 0 ? 1 : last))
                }
                left -= sign
            }
            return date
        }
    }

    /// If the day does not exist in the month, the last day of the month is used. Nil if the year is out of range.
    private init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month else { return nil }
        self.init(unchecked: (year, month, min(day, Self.days(ofMonth: month, in: year))))
    }

    private init(unchecked parts: (Int, Int, Int)) { (year, month, day) = parts }

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
