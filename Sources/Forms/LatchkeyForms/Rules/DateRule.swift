/// Accepts an existing calendar date in the extended format of ISO 8601 (`2026-01-31`), within optional bounds.
public struct DateRule: DescribedRule {
    public static let name = "date"
    public static let kinds: Set<FieldKind> = [.text, .date]
    public let code = RuleFailure.Code.date

    /// The first accepted date; nil for no bound.
    public let earliest: CalendarDate?
    /// The last accepted date; nil for no bound.
    public let latest: CalendarDate?

    /// Creates the rule.
    public init(earliest: CalendarDate? = nil, latest: CalendarDate? = nil) {
        self.earliest = earliest
        self.latest = latest
    }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        earliest = try Self.date("earliest", &arguments)
        latest = try Self.date("latest", &arguments)
        if let earliest, let latest, latest < earliest {
            throw arguments.refusal(of: "latest", .outOfOrder("latest", lower: "earliest"))
        }
    }

    /// Fails with ``RuleFailure/Code/date``, ``RuleFailure/Code/tooEarly`` or ``RuleFailure/Code/tooLate``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        guard let date = CalendarDate(value.span) else { return failure(code) }
        if let earliest, date < earliest { return failure(.tooEarly) }
        if let latest, date > latest { return failure(.tooLate) }
        return nil
    }

    private func failure(_ code: RuleFailure.Code) -> RuleFailure {
        var values: [String: RuleFailure.Value] = [:]
        values["earliest"] = earliest.map { .text($0.text) }
        values["latest"] = latest.map { .text($0.text) }
        return RuleFailure(code: code, values: values)
    }

    private static func date(
        _ key: String, _ arguments: inout RuleArguments
    ) throws(FormDescriptionError.Problem) -> CalendarDate? {
        guard let text = try arguments.optionalText(key) else { return nil }
        guard let date = CalendarDate(text) else { throw arguments.refusal(of: key, .notADate(key, text)) }
        return date
    }
}

extension RuleFailure.Code {
    /// The value is not a calendar date. Values: `earliest` and `latest`, if there are bounds.
    public static let date = Self(rawValue: "date")
}
