/// One field of a form. ``apiKey`` and ``placeholder`` are all that a field must say.
public protocol FormTextField: Sendable {
    /// The name under which the value is sent, stored and imported.
    var apiKey: FieldKey { get }
    /// What stands in the field while it is empty.
    var placeholder: String { get }
    /// What the field is called, in prompts and in sentences about it.
    var label: String { get }
    /// The name of its command-line flag, without the hyphens.
    var flag: String { get }
    /// One sentence of help; nil where the label says it all.
    var help: String? { get }
    var keyboardType: KeyboardType { get }
    /// All are run, in order; the first failure is told.
    var validationRules: [any Rule] { get }
    /// Sentences that replace the message table's, by the rule's place in ``validationRules``.
    var messages: [Int: String] { get }
    /// Whether the value is shown as a mask, kept in locked memory and never trimmed or stored as an attribute.
    var isSecret: Bool { get }
    /// Whether a front that asks a person asks twice.
    var confirms: Bool { get }
    /// Whether the rules are left out while the field is empty.
    var isOptional: Bool { get }
    /// Whether white space at both ends is taken off before the rules.
    var trims: Bool { get }
    /// The role that colours the value in a terminal.
    var textColor: ColorRole { get }
    /// What the value is for, in HTML's words for `autocomplete` (`email`, `new-password`, …).
    var autocomplete: String? { get }
    /// More bytes of UTF-8 than this are refused before anything else is done with them.
    var maximumBytes: Int { get }
}
