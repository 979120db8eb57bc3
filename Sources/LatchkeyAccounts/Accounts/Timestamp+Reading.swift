import LatchkeyForms

extension Timestamp {
    /// Reads what RFC 3339 writes in UTC, `2026-01-02T03:04:05Z`, with or without a fraction of a second, or a day alone,
    /// which is its first moment. Nil for anything else; a fraction's digits beyond milliseconds are left out.
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
        func number(_ range: Range<Int>) -> Int64? {
            bytes[range].reduce(0) { sum, byte in
                sum.flatMap { (0x30...0x39).contains(byte) ? $0 * 10 + Int64(byte - 0x30) : nil }
            }
        }
        guard (20...32).contains(bytes.count), bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), let hour = number(11..<13), hour < 24,
            let minute = number(14..<16), minute < 60, let second = number(17..<19), second < 60
        else { return nil }
        var milliseconds: Int64 = 0
        if bytes.count > 20 {
            let digits = 20..<bytes.count - 1
            guard bytes[19] == UInt8(ascii: "."), !digits.isEmpty, number(digits) != nil else { return nil }
            for place in 0..<3 {
                milliseconds = milliseconds * 10 + (place < digits.count ? Int64(bytes[20 + place] - 0x30) : 0)
            }
        }
        self.init(milliseconds: day + (hour * 3600 + minute * 60 + second) * 1000 + milliseconds)
    }

    /// Counts in eras of 400 years that begin on 1 March, as the writing of a date does.
    private static func daysSinceEpoch(_ date: CalendarDate) -> Int64 {
        let year = Int64(date.month <= 2 ? date.year - 1 : date.year)
        let monthFromMarch = Int64(date.month + (date.month > 2 ? -3 : 9))
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(date.day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
