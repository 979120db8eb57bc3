/// The result of running a form's rules once, on the current values.
struct FormValidation {
    /// For each field in order, the failed comparisons with other fields, followed by the first other failure.
    private var failures: [[RuleFailure]]
    /// The fields whose conditions are not met.
    let hidden: Set<FieldKey>
    /// False after some of the checked values were removed.
    private(set) var isCurrent = true

    /// Runs all rules that apply.
    init(_ form: Form, _ values: borrowing FormValues) {
        failures = []
        hidden = form.hiddenFields(values)
        for place in form.fields.indices {
            if hidden.contains(form.fields[place].apiKey) {
                failures.append([])
                continue
            }
            var comparisons: [RuleFailure] = []
            let last = form.failure(at: place, in: values) { failure in
                if failure.other == nil { return true }
                comparisons.append(failure)
                return false
            }
            failures.append(comparisons + [last].compactMap(\.self))
        }
    }

    /// Whether every field is valid.
    var isValid: Bool { isCurrent && failures.allSatisfy(\.isEmpty) }

    /// The first failure of each invalid field, in the order of the fields.
    var firstFailures: [RuleFailure] { failures.compactMap(\.first) }

    /// The first failure of the field at `place`, ignoring comparisons with the fields in `unanswered`.
    func failure(at place: Int, unanswered: [FieldKey] = []) -> RuleFailure? {
        failures[place].first { failure in failure.other.map { !unanswered.contains($0) } ?? true }
    }

    /// Discards the failures of the fields at `places`, because their values were removed.
    mutating func valuesWereRemoved(at places: [Int]) {
        guard !places.isEmpty else { return }
        for place in places { failures[place] = [] }
        isCurrent = false
    }
}

/// The result of ``FormViewModel/validateForm()``.
public enum ValidationResult: Equatable, Sendable {
    /// Every field is valid.
    case valid
    /// The first failure of each invalid field, in the order of the fields; never empty.
    case invalid([RuleFailure])

    /// The failures of an invalid form; empty for a valid one.
    public var failures: [RuleFailure] {
        switch self {
        case .valid: []
        case .invalid(let failures): failures
        }
    }
}

/// Receives the results of a ``FormViewModel``.
public protocol FormViewModelDelegate: AnyObject {
    /// Called once per ``FormViewModel/validateForm()``, after ``FormViewModel/states`` contains the result.
    func formWasValidated(_ result: ValidationResult)
}
