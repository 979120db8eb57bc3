/// One field of a form, of any kind. A text field is a ``FormTextField``; the other kinds have separate types.
public protocol FormField: Sendable {
    /// The name under which the value is sent, stored and imported.
    var apiKey: FieldKey { get }
    /// The kind of value.
    var kind: FieldKind { get }
    /// The hint shown in the field while it is empty.
    var placeholder: String { get }
    /// The name of the field in prompts and messages; by default the placeholder.
    var label: String { get }
    /// The name of its command-line flag, without the leading hyphens; by default derived from the key.
    var flag: String { get }
    /// One sentence of help; nil if the label is enough.
    var help: String? { get }
    /// The rules, in order; the first failure is reported. ``RequiredRule`` alone by default, none for a boolean.
    var validationRules: [any Rule] { get }
    /// Sentences that replace those of the message table, by the position of the rule in ``validationRules``.
    var messages: [Int: String] { get }
    /// Whether an empty value skips the rules.
    var isOptional: Bool { get }
    /// Whether the value is stored in locked memory, and never trimmed or saved as an attribute.
    var isSecret: Bool { get }
    /// Whether a screen hides the value. A code that is used once can be shown.
    var isMasked: Bool { get }
    /// The value of a field without input; nil for none.
    var defaultValue: FieldValue? { get }
    /// The condition on an earlier field under which this one is asked; nil to always ask.
    var condition: FieldCondition? { get }
    /// The title of the page of this field; nil for the page of the previous field.
    var page: String? { get }
    /// The values that a choice offers, in order; empty for other kinds.
    var options: [FieldOption] { get }
    /// The allowed number of options for a field of kind `choices`; nil for no limit.
    var optionCount: (minimum: Int?, maximum: Int?) { get }
    /// The role that sets the color of the value in a terminal.
    var textColor: ColorRole { get }
    /// A value of HTML's `autocomplete` attribute (`email`, `new-password`, …); nil for none.
    var autocomplete: String? { get }
    /// The longest value in bytes of UTF-8; anything longer is refused before it is processed.
    var maximumBytes: Int { get }
}

extension FormField {
    public var label: String { placeholder }
    public var flag: String { apiKey.asFlag }
    public var help: String? { nil }
    public var validationRules: [any Rule] { kind == .boolean ? [] : [RequiredRule()] }
    public var messages: [Int: String] { [:] }
    public var isOptional: Bool { false }
    public var isSecret: Bool { false }
    public var isMasked: Bool { isSecret }
    public var defaultValue: FieldValue? { nil }
    public var condition: FieldCondition? { nil }
    public var page: String? { nil }
    public var options: [FieldOption] { [] }
    public var optionCount: (minimum: Int?, maximum: Int?) { (nil, nil) }
    public var textColor: ColorRole { .default }
    public var autocomplete: String? { nil }
    /// 1024 for one line; 4096 for several lines, and for all chosen options together.
    public var maximumBytes: Int { kind == .multiline || kind == .choices ? 4096 : 1024 }

    /// Whether the value is stored as an attribute of the account; false for the fields of the built-in flows.
    public var isAttribute: Bool { !isSecret && apiKey != .username && apiKey != .email }

    /// The value that means no input: an empty list for `choices`, no for a boolean, and an empty string for the
    /// others.
    package var emptyValue: FieldValue {
        switch kind {
        case .choices: .list([])
        case .boolean: .boolean(false)
        case .text, .multiline, .choice, .date: .text("")
        }
    }

    /// The flags for a value that is not secret, without the leading hyphens: ``flag`` first. A boolean also has a flag
    /// for no, and a field with several lines has one for a file.
    public var flags: [String] {
        switch kind {
        case .boolean: [flag, "no-" + flag]
        case .multiline: [flag, flag + "-file"]
        case .text, .choice, .choices, .date: [flag]
        }
    }
}

/// The kind of value that a field accepts.
public enum FieldKind: String, Sendable, CaseIterable {
    /// A single line of text.
    case text
    /// Several lines of text, separated by line feeds; at most 4096 bytes.
    case multiline
    /// One of the values that its `oneOf` rule lists, in any case; the listed spelling is stored.
    case choice
    /// Any number of the values that its `oneOf` rule lists.
    case choices
    /// Yes or no.
    case boolean
    /// A calendar date: `2026-01-31`.
    case date

    /// The failure code for a value of another kind.
    var mismatch: RuleFailure.Code {
        switch self {
        case .text, .multiline, .choice, .date: .notText
        case .choices: .notList
        case .boolean: .notBoolean
        }
    }
}

/// A value that a choice offers.
public struct FieldOption: Hashable, Sendable {
    /// The stored value.
    public let value: String
    /// The displayed text.
    public let label: String

    /// Creates an option. By default, its label is its value.
    public init(_ value: String, label: String? = nil) {
        self.value = value
        self.label = label ?? value
    }
}

/// The condition on an earlier field under which a field is asked, checked and stored.
public struct FieldCondition: Hashable, Sendable {
    /// The earlier field.
    public let field: FieldKey
    /// The accepted values. A field of kind `choices` must contain one of them.
    public let values: [FieldValue]

    /// Creates a condition that is met by any of `values`.
    public init(_ field: FieldKey, is values: FieldValue...) { self.init(field, isAnyOf: values) }

    init(_ field: FieldKey, isAnyOf values: [FieldValue]) {
        self.field = field
        self.values = values
    }

    /// Whether `value` meets the condition. A boolean without input is false.
    public func isMet(by value: FieldValue?) -> Bool {
        switch value {
        case nil: values.contains(.boolean(false))
        case .list(let chosen):
            values.contains { if case .text(let text) = $0 { chosen.contains(text) } else { false } }
        case .some(let value): values.contains(value)
        }
    }
}
