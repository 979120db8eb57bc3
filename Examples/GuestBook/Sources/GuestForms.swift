import LatchkeyForms

/// What the guest book asks for.
enum GuestForms {
    private static let fields = """
        { "apiKey": "stay", "label": "Your stay", "labels": { "good": "Lovely", "fair": "Could be better" },
          "rules": [{ "rule": "oneOf", "values": ["good", "fair"] }] },
        { "apiKey": "message", "label": "Message", "rules": [{ "rule": "minWords", "count": 3 }] }
        """
    static let entry = #"{ "form": "entry", "title": "Guest book", "submit": "Sign", "fields": [\#(fields)] }"#
    /// `"form": "login"` makes it the form of a flow, which needs `username` and `password`.
    static let login = """
        { "form": "login", "title": "Guest book", "submit": "Sign", "fields": [
          { "apiKey": "username", "label": "Name" },
          { "apiKey": "password", "label": "Room", "secret": true, "rules": [{ "rule": "numeric" }] }, \(fields) ] }
        """
    static let rules = RuleRegistry.standard.adding(MinWordsRule.self)
    static let sentences = ["rule.min_words": "{field} needs at least {minimum} words"]
}

/// Accepts texts of at least `count` words.
struct MinWordsRule: DescribedRule {
    static let name = "minWords"
    let code = RuleFailure.Code(rawValue: "min_words")
    let count: Int

    init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        count = try arguments.integer("count", in: 1...100)
    }

    func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let words = String(copying: value).split(separator: " ")
        return words.count >= count ? nil : RuleFailure(code: code, values: ["minimum": .integer(count)])
    }
}
