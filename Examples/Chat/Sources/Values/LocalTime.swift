import Glibc

/// A time in the user's time zone.
struct LocalTime: Equatable, Sendable {
    let year, month, day, hour, minute: Int
    /// The number of days since 1970.
    let dayNumber: Int

    /// - Parameter milliseconds: since 1970, UTC. A time beyond the calendar, which another program may have written,
    ///   becomes the nearest valid one.
    /// - Parameter zone: converts seconds; `localtime_r` unless a test needs another zone.
    init(milliseconds: Int64, zone: Zone = .local) {
        var seconds = time_t(min(max(milliseconds / 1000, 0), 253_402_214_400))
        var parts = unsafe tm()
        switch zone {
        case .local: _ = unsafe localtime_r(&seconds, &parts)
        case .utc: _ = unsafe gmtime_r(&seconds, &parts)
        }
        (year, month, day) = unsafe (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
        (hour, minute) = unsafe (Int(parts.tm_hour), Int(parts.tm_min))
        dayNumber = unsafe (seconds + parts.tm_gmtoff) / 86_400
    }

    enum Zone: Sendable { case local, utc }

    /// For example `14:03`.
    var clock: String { Self.twoDigits(hour) + ":" + Self.twoDigits(minute) }

    /// For example `Today`, `Yesterday`, `23 Nov` or `23 Nov 2025`.
    func date(seenAt now: LocalTime) -> String {
        switch now.dayNumber - dayNumber {
        case 0: return "Today"
        case 1: return "Yesterday"
        default:
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            return "\(day) \(months[month - 1])" + (year == now.year ? "" : " \(year)")
        }
    }

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}
