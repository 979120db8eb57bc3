import LatchkeyForms

/// A point in time in UTC, with millisecond precision.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Creates a timestamp from milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Compares points in time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// The time `duration` later, clamped to the range of `Int64`.
    public func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflow) = milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        guard overflow else { return Timestamp(milliseconds: sum) }
        return Timestamp(milliseconds: duration < .zero ? .min : .max)
    }

    /// The time elapsed since `earlier`, negative if `earlier` is later; clamped to the range of `Int64`.
    public func since(_ earlier: Timestamp) -> Duration {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return .milliseconds(overflow ? (self < earlier ? Int64.min : Int64.max) : difference)
    }

    /// The time as an RFC 3339 string in UTC with whole seconds: `2026-01-02T03:04:05Z`.
    public var rfc3339: String { rfc3339(fraction: "") }

    /// The time as an RFC 3339 string in UTC with milliseconds: `2026-01-02T03:04:05.678Z`.
    public var rfc3339Milliseconds: String {
        let rest = milliseconds % 1000
        let digits = String(rest < 0 ? rest + 1000 : rest)
        return rfc3339(fraction: "." + String(repeating: "0", count: 3 - digits.count) + digits)
    }

    private func rfc3339(fraction: String) -> String {
        let (quotient, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let seconds = rest < 0 ? quotient - 1 : quotient
        let day = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
        let second = seconds - day * 86400
        let date = CivilDate(daysSinceEpoch: day)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2) + "T"
            + padded(second / 3600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + fraction
            + "Z"
    }
}

/// A day of the proleptic Gregorian calendar.
private struct CivilDate {
    let year: Int64, month: Int64, day: Int64

    /// Calculates with eras of 400 years (146,097 days) that begin on 1 March, so that a leap day is the last day of
    /// its year.
    init(daysSinceEpoch: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero and clamped to the range of `Int64`.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }
}

extension Timestamp {
    /// The times from outside that are accepted: the years 1 to 9999 in UTC, which RFC 3339 can write.
    public static let accepted =
        Timestamp(milliseconds: -62_135_596_800_000)...Timestamp(milliseconds: 253_402_300_799_999)

    /// Parses a time of RFC 3339 with any offset, such as `2026-01-02T03:04:05Z` or `2026-01-02t03:04:05.6+01:00`; or a
    /// date, which means its start in UTC.
    ///
    /// A fraction is truncated to milliseconds. A leap second counts as the second after it. Nil for anything else, and
    /// for a time outside of ``accepted``.
    public init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, let date = CalendarDate(String(decoding: bytes[..<10], as: UTF8.self)) else {
            return nil
        }
        let day = Self.daysSinceEpoch(date) * 86_400_000
        guard bytes.count > 10 else {
            self.init(milliseconds: day)
            return
        }
        guard bytes.count >= 20, [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
            bytes[16] == UInt8(ascii: ":"), let minutes = Self.minutes(bytes[11..<16]),
            let second = Self.number(bytes[17..<19]), second <= 60
        else { return nil }
        var rest = bytes[19...]
        var milliseconds: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            for digit in 0..<3 {
                let place = digits.startIndex + digit
                milliseconds = milliseconds * 10 + (place < digits.endIndex ? Int64(digits[place] - 0x30) : 0)
            }
            rest = rest[digits.endIndex...]
        }
        guard let offset = Self.offset(rest) else { return nil }
        let minute = minutes - offset
        // Leap seconds are the last ones of a day in UTC.
        guard second < 60 || (minute + 2 * 1440) % 1440 == 1439 else { return nil }
        let time = Timestamp(milliseconds: day + (minute * 60 + second) * 1000 + (second < 60 ? milliseconds : 0))
        guard Self.accepted.contains(time) else { return nil }
        self = time
    }

    /// `Z`, or the offset from UTC in minutes: `+01:00`.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        switch bytes.first {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): bytes.count == 1 ? 0 : nil
        case UInt8(ascii: "+"): minutes(bytes.dropFirst())
        case UInt8(ascii: "-"): minutes(bytes.dropFirst()).map { -$0 }
        default: nil
        }
    }

    /// The minutes of `23:59`.
    private static func minutes(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard bytes.count == 5, bytes[bytes.startIndex + 2] == UInt8(ascii: ":"),
            let hour = number(bytes.prefix(2)), hour < 24, let minute = number(bytes.suffix(2)), minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// The number of two digits.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Calculates with eras of 400 years that begin on 1 March, like `CivilDate`.
    private static func daysSinceEpoch(_ date: CalendarDate) -> Int64 {
        let year = Int64(date.month <= 2 ? date.year - 1 : date.year)
        let monthFromMarch = Int64(date.month + (date.month > 2 ? -3 : 9))
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(date.day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
