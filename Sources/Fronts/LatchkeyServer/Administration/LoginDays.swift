import LatchkeyAccounts
import LatchkeyForms
import LatchkeyWeb

/// The logins and failures of the last days, which the overview draws.
struct LoginDays: Sendable {
    /// The number of days.
    private static let count = 14
    private static let seconds: Int64 = 86_400

    let days: [PageChart.Day]
    /// The start of each day in UTC.
    let starts: [Timestamp]
    /// Whether all records of these days were counted.
    let isAll: Bool

    /// Counts the records of the last days. The last day is today.
    init?(of service: AccountService) async {
        let now = service.clock.now().milliseconds / 1000
        let today = now - ((now % Self.seconds) + Self.seconds) % Self.seconds
        let starts = (0..<Self.count).reversed().map { day in
            Timestamp(milliseconds: (today - Int64(day) * Self.seconds) * 1000)
        }
        guard let counted = try? await service.auditCounts(between: starts) else { return nil }
        self.starts = starts
        days = counted.byName.map { PageChart.Day(good: Self.logins(in: $0), bad: Self.failures(in: $0)) }
        isAll = counted.isAll
    }

    static func logins(in counts: [String: Int]) -> Int {
        sum(counts) { [.loginSucceeded, .loginSucceededAfterFailures].contains($0) }
    }

    static func failures(in counts: [String: Int]) -> Int {
        sum(counts) { [.loginFailed, .loginFailedAtMost, .loginThrottled, .factorFailed].contains($0) }
    }

    private static func sum(_ counts: [String: Int], _ isCounted: (AuditEvent) -> Bool) -> Int {
        counts.reduce(0) { sum, entry in
            sum + (AuditEvent(rawValue: entry.key).map(isCounted) == true ? entry.value : 0)
        }
    }
}

extension AdminRequest {
    /// The chart of logins and failures; nil while a long trail is counted for the first time.
    func loginChart() async -> PageBlock? {
        let service = service
        let counted = await request.site.loginDays.value(at: service.clock.now()) { await LoginDays(of: service) }
        guard let found = counted?.value ?? nil, let first = found.starts.first, let last = found.starts.last else {
            return nil
        }
        let good = found.days.map(\.good)
        let worst = found.days.indices.max { found.days[$0].bad < found.days[$1].bad } ?? 0
        var words = say(
            "admin.chart_logins", ["least": .integer(good.min() ?? 0), "most": .integer(good.max() ?? 0)])
        if found.days[worst].bad > 0 {
            words +=
                " "
                + say(
                    "admin.chart_failures",
                    ["count": .integer(found.days[worst].bad), "day": .text(date(found.starts[worst]))])
        }
        let help = [
            say("admin.chart_help"),
            found.isAll
                ? nil : say("admin.chart_newest", ["count": .integer(Int(AccountService.countedRecords))]),
        ].compactMap(\.self).joined(separator: " ")
        return .chart(
            PageChart(
                "logins", say("admin.filter_logins"), help: help, describedAs: words, found.days, from: date(first),
                to: date(last)))
    }
}

extension AdminRequest {
    /// A day without its year: `13 November`.
    func date(_ time: Timestamp) -> String {
        let parts = time.rfc3339.prefix(10).split(separator: "-")
        let months = [
            say("admin.month_1"), say("admin.month_2"), say("admin.month_3"), say("admin.month_4"),
            say("admin.month_5"), say("admin.month_6"), say("admin.month_7"), say("admin.month_8"),
            say("admin.month_9"), say("admin.month_10"), say("admin.month_11"), say("admin.month_12"),
        ]
        guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]), 1...12 ~= month else {
            return String(time.rfc3339.prefix(10))
        }
        return say("admin.date", ["day": .integer(day), "month": .text(months[month - 1])])
    }
}
