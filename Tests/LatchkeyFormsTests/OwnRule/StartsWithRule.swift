import LatchkeyForms

/// Accepts strings that begin with `start`.
struct StartsWithRule: DescribedRule {
    static let name = "startsWith"
    let code = RuleFailure.Code(rawValue: "starts_with")
    let start: String

    init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        start = try arguments.text("start")
    }

    func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let (bytes, wanted) = (value.span, start.utf8Span.span)
        let holds = bytes.count >= wanted.count && wanted.indices.allSatisfy { bytes[$0] == wanted[$0] }
        return holds ? nil : RuleFailure(code: code, values: ["start": .text(start)])
    }
}
