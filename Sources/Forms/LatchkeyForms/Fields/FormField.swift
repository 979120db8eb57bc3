/// One field of a form. A text field is a ``FormTextField``; other kinds have separate types.
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
    /// One sentence of help; nil if the label suffices.
    var help: String? { get }
    /// The rules, in order; only the first failure is reported. By default, only ``RequiredRule``, and none for a
    /// boolean.
    var validationRules: [any Rule] { get }
    /// Sentences that replace those of the message table, by the index of the rule in ``validationRules``.
    var messages: [Int: String] { get }
    /// Whether to skip the rules for an empty value.
    var isOptional: Bool { get }
    /// Whether the value is secret: stored in locked memory, never trimmed and never saved as an attribute.
    var isSecret: Bool { get }
    /// Whether the screen hides the value. A secret that can be used only once, such as a code, may be visible.
    var isMasked: Bool { get }
    /// The default value; nil if there is none.
    var defaultValue: FieldValue? { get }
    /// A condition on an earlier field. This field is shown only if the condition is met; nil to always show it.
    var condition: FieldCondition? { get }
    /// The title of the field's page; nil if it is on the page of the previous field.
    var page: String? { get }
    /// The options of a choice, in order; empty for other kinds.
    var options: [FieldOption] { get }
    /// The minimum and maximum number of chosen options for a field of kind `choices`; nil for no limit.
    var optionCount: (minimum: Int?, maximum: Int?) { get }
    /// The role that sets the color of the value in a terminal.
    var textColor: ColorRole { get }
    /// The value of HTML's `autocomplete` attribute (`email`, `new-password`, …); nil for none.
    var autocomplete: String? { get }
    /// The claim under which applications learn the value; nil if they do not.
    var claim: FieldClaim? { get }
    /// The maximum length of a value in bytes of UTF-8. A longer value is refused before it is processed.
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
    public var claim: FieldClaim? { nil }
    /// The default is 4096 for several lines and for all chosen options together, and 1024 for other kinds.
    public var maximumBytes: Int { kind == .multiline || kind == .choices ? 4096 : 1024 }

    /// Whether the value is stored as an attribute of the account; false for the fields of the built-in flows.
    public var isAttribute: Bool { !isSecret && apiKey != .username && apiKey != .email }

    /// The value without input: an empty list for `choices`, false for a boolean, and an empty string for other kinds.
    package var emptyValue: FieldValue {
        switch kind {
        case .choices: .list([])
        case .boolean: .boolean(false)
        case .text, .multiline, .choice, .date: .text("")
        }
    }

    /// The flags for a value that is not secret, without leading hyphens; ``flag`` comes first. A boolean has another
    /// flag for no, and a field with several lines has one for a file.
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
    /// One of the values in the `oneOf` rule, in any case. The listed spelling is stored.
    case choice
    /// Any number of the values in the `oneOf` rule.
    case choices
    /// Yes or no.
    case boolean
    /// A calendar date: `2026-01-31`.
    case date

    /// The failure code for a value of the wrong kind.
    var mismatch: RuleFailure.Code {
        switch self {
        case .text, .multiline, .choice, .date: .notText
        case .choices: .notList
        case .boolean: .notBoolean
        }
    }
}

/// An option of a ``ChoiceField`` or ``ChoicesField``: the value that is stored, and the label that people see. A string
/// literal is an option whose label is its value.
public struct FieldOption: Hashable, Sendable {
    /// The stored value.
    public let value: String
    /// The displayed text.
    public let label: String

    /// Creates an option. The default label is the value.
    public init(_ value: String, label: String? = nil) {
        self.value = value
        self.label = label ?? value
    }
}

extension FieldOption: ExpressibleByStringLiteral {
    /// Creates an option whose label is its value.
    public init(stringLiteral value: String) { self.init(value) }
}

/// A condition on an earlier field. Unless it is met, the field is not asked, checked or stored.
public struct FieldCondition: Hashable, Sendable {
    /// The earlier field.
    public let field: FieldKey
    /// The accepted values. A field of kind `choices` must contain one of them.
    public let values: [FieldValue]

    /// Creates a condition that any of `values` meets.
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
