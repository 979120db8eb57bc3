/// The properties that fields of every kind have, for field types that store them.
public struct FieldDetails: Sendable {
    /// The name under which the value is sent, stored and imported.
    public let apiKey: FieldKey
    /// The hint shown in the field while it is empty.
    public var placeholder: String
    /// The name of the field in prompts and messages.
    public var label: String
    /// The name of the command-line flag, without leading hyphens.
    public var flag: String
    /// One sentence of help; nil if the label suffices.
    public var help: String?
    /// The rules, in order.
    public var validationRules: [any Rule]
    /// Sentences that replace those of the message table, by the index of the rule.
    public var messages: [Int: String] = [:]
    /// Whether to skip the rules for an empty value.
    public var isOptional = false
    /// The default value; nil if there is none.
    public var defaultValue: FieldValue?
    /// The condition on an earlier field; the field is asked only if it is met.
    public var condition: FieldCondition?
    /// The title of the field's page.
    public var page: String?
    /// The role that sets the color of the value in a terminal.
    public var textColor = ColorRole.default
    /// The value of HTML's `autocomplete` attribute.
    public var autocomplete: String?
    /// The claim under which applications learn the value.
    public var claim: FieldClaim?

    /// Creates the details of a field. The label is also the placeholder.
    public init(_ apiKey: FieldKey, label: String, rules: [any Rule] = []) {
        self.apiKey = apiKey
        self.label = label
        placeholder = label
        flag = apiKey.asFlag
        validationRules = rules
    }
}

/// A field that stores the shared properties as ``FieldDetails``.
public protocol DetailedField: FormField {
    /// The properties that fields of every kind have.
    var details: FieldDetails { get set }
}

extension DetailedField {
    public var apiKey: FieldKey { details.apiKey }
    public var placeholder: String { details.placeholder }
    public var label: String { details.label }
    public var flag: String { details.flag }
    public var help: String? { details.help }
    public var validationRules: [any Rule] { details.validationRules }
    public var messages: [Int: String] { details.messages }
    public var isOptional: Bool { details.isOptional }
    public var defaultValue: FieldValue? { details.defaultValue }
    public var condition: FieldCondition? { details.condition }
    public var page: String? { details.page }
    public var textColor: ColorRole { details.textColor }
    public var autocomplete: String? { details.autocomplete }
    public var claim: FieldClaim? { details.claim }

    /// A copy with changed details.
    func changing(_ change: (inout FieldDetails) -> Void) -> Self {
        var field = self
        change(&field.details)
        return field
    }
}

/// A field that accepts one of several values.
///
/// ```swift
/// let stay = ChoiceField("stay", label: "Your stay", options: ["good", FieldOption("fair", label: "Could be better")])
/// ```
///
/// The answer is the option's value: `answers.text("stay")` is `good`. A user can also type it in any case.
public struct ChoiceField: DetailedField {
    public var details: FieldDetails
    public let options: [FieldOption]
    public var kind: FieldKind { .choice }

    /// Creates the field. Its only rule is that the value must be one of `options`.
    public init(_ apiKey: FieldKey, label: String, options: [FieldOption]) {
        self.init(FieldDetails(apiKey, label: label, rules: [OneOfRule(options.map(\.value))]), options: options)
    }

    init(_ details: FieldDetails, options: [FieldOption]) {
        self.details = details
        self.options = options
    }
}

/// A field that accepts any number of several values. The answer is a list: `answers["topics"]` is `.list(["a", "b"])`, in
/// the order of the options.
public struct ChoicesField: DetailedField {
    public var details: FieldDetails
    public let options: [FieldOption]
    public var optionCount: (minimum: Int?, maximum: Int?)
    public var kind: FieldKind { .choices }

    /// Creates the field. Its only rule is that each value must be one of `options`. No option may contain a semicolon.
    ///
    /// - Parameters:
    ///   - minimum: the minimum number of chosen options; nil for none.
    ///   - maximum: the maximum number of chosen options; nil for all.
    ///   - apiKey: the key of the field.
    ///   - label: the label.
    ///   - options: the options to choose from.
    public init(
        _ apiKey: FieldKey, label: String, options: [FieldOption], minimum: Int? = nil, maximum: Int? = nil
    ) {
        self.init(
            FieldDetails(apiKey, label: label, rules: [OneOfRule(options.map(\.value))]), options: options,
            optionCount: (minimum, maximum))
    }

    init(_ details: FieldDetails, options: [FieldOption], optionCount: (minimum: Int?, maximum: Int?)) {
        self.details = details
        self.options = options
        self.optionCount = optionCount
    }
}

/// A field that accepts yes or no.
public struct BooleanField: DetailedField {
    public var details: FieldDetails
    public var kind: FieldKind { .boolean }

    /// Creates the field.
    ///
    /// - Parameters:
    ///   - mustBeTrue: whether only yes is accepted, for example for terms of use.
    ///   - apiKey: the key of the field.
    ///   - label: the label.
    public init(_ apiKey: FieldKey, label: String, mustBeTrue: Bool = false) {
        self.init(FieldDetails(apiKey, label: label, rules: mustBeTrue ? [RequiredRule()] : []))
    }

    init(_ details: FieldDetails) { self.details = details }
}

/// A field that accepts a calendar date, stored as `2026-01-31`.
public struct DateField: DetailedField {
    public var details: FieldDetails
    public var kind: FieldKind { .date }

    /// Creates the field.
    ///
    /// - Parameters:
    ///   - earliest: the first accepted day; nil for no bound.
    ///   - latest: the last accepted day; nil for no bound.
    ///   - label: the label.
    ///   - apiKey: the key of the field.
    public init(
        _ apiKey: FieldKey, label: String, earliest: CalendarDate? = nil, latest: CalendarDate? = nil
    ) {
        self.init(FieldDetails(apiKey, label: label, rules: [DateRule(earliest: earliest, latest: latest)]))
    }

    /// Adds a ``DateRule`` if `details` has none. It is the first rule, because the others compare days.
    init(_ details: FieldDetails) {
        self.details = details
        if !details.validationRules.contains(where: { $0 is DateRule }) {
            self.details.validationRules.insert(DateRule(), at: 0)
            self.details.messages = Dictionary(uniqueKeysWithValues: details.messages.map { ($0.key + 1, $0.value) })
        }
    }
}

/// A text field from a description.
struct DescribedField: DetailedField, FormTextField {
    var details: FieldDetails
    let kind: FieldKind
    let keyboardType: KeyboardType
    let isSecret: Bool
    let isMasked: Bool
    let confirms: Bool
    let trims: Bool
    let suggestions: [String]
}
