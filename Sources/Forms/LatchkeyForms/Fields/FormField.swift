/// One field of a form, of any kind. A field with a text is a ``FormTextField``; the other kinds have types of their own.
public protocol FormField: Sendable {
    /// The name under which the value is sent, stored and imported.
    var apiKey: FieldKey { get }
    /// What the field takes.
    var kind: FieldKind { get }
    /// The hint shown in the field while it is empty.
    var placeholder: String { get }
    /// The name of the field in prompts and messages; the placeholder by default.
    var label: String { get }
    /// The name of its command-line flag, without the leading hyphens; made from the key by default.
    var flag: String { get }
    /// One sentence of help; nil if the label is enough.
    var help: String? { get }
    /// The rules, in order; the first failure is reported. ``RequiredRule`` alone by default, none for a boolean.
    var validationRules: [any Rule] { get }
    /// Sentences that replace those of the message table, by the position of the rule in ``validationRules``.
    var messages: [Int: String] { get }
    /// Whether an empty value skips the rules.
    var isOptional: Bool { get }
    /// Whether the value is stored in locked memory, and never trimmed, recorded or saved as an attribute.
    var isSecret: Bool { get }
    /// Whether a screen hides the value. A code that is used once can be shown.
    var isMasked: Bool { get }
    /// The value of a field that got no answer; nil for none.
    var defaultValue: FieldValue? { get }
    /// What an earlier field must hold for this one to be asked; nil to ask always.
    var condition: FieldCondition? { get }
    /// The title of the page that starts with this field, or that it is on; nil for the page of the field before.
    var page: String? { get }
    /// The values that a choice offers, in order; empty for other kinds.
    var options: [FieldOption] { get }
    /// How many options a field of kind `choices` takes; nil for no limit at that end.
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

    /// The value that stands for none: an empty list for `choices`, no for a boolean, and an empty text for the others.
    package var emptyValue: FieldValue {
        switch kind {
        case .choices: .list([])
        case .boolean: .boolean(false)
        case .text, .multiline, .choice, .date: .text("")
        }
    }

    /// The flags that give a value that is not secret, without the leading hyphens: ``flag`` first. A boolean has one
    /// for no, several lines have one for a file.
    public var flags: [String] {
        switch kind {
        case .boolean: [flag, "no-" + flag]
        case .multiline: [flag, flag + "-file"]
        case .text, .choice, .choices, .date: [flag]
        }
    }
}

/// What a field takes.
public enum FieldKind: String, Sendable, CaseIterable {
    /// A text on one line.
    case text
    /// A text of several lines, separated by line feeds; at most 4096 bytes.
    case multiline
    /// One of the values that its `oneOf` rule lists, in any case; the listed spelling is stored.
    case choice
    /// Any number of the values that its `oneOf` rule lists.
    case choices
    /// Yes or no.
    case boolean
    /// A day of the calendar: `2026-01-31`.
    case date

    /// The failure of a value of another kind.
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
    /// The text that people read instead.
    public let label: String

    /// Creates an option; its value is its label too, unless there is another.
    public init(_ value: String, label: String? = nil) {
        self.value = value
        self.label = label ?? value
    }
}

/// What an earlier field must hold for a field to be asked, checked and stored.
public struct FieldCondition: Hashable, Sendable {
    /// The earlier field.
    public let field: FieldKey
    /// The values that count. A field of kind `choices` must hold one of them.
    public let values: [FieldValue]

    /// Creates a condition that any of `values` meets.
    public init(_ field: FieldKey, is values: FieldValue...) { self.init(field, isAnyOf: values) }

    init(_ field: FieldKey, isAnyOf values: [FieldValue]) {
        self.field = field
        self.values = values
    }

    /// Whether `value` meets the condition. A boolean without an answer is false.
    public func isMet(by value: FieldValue?) -> Bool {
        switch value {
        case nil: values.contains(.boolean(false))
        case .list(let chosen):
            values.contains { if case .text(let text) = $0 { chosen.contains(text) } else { false } }
        case .some(let value): values.contains(value)
        }
    }
}
