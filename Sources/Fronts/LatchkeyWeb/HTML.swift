import LatchkeyText

/// Builds HTML. Text and attribute values are always escaped. Names of elements and attributes are literals.
package struct HTML: Sendable {
    /// The markup so far.
    private(set) var markup = ""

    /// An attribute of an element: a name with a value, or nothing.
    struct Attribute {
        let name: StaticString
        /// Empty for an attribute without a value, such as `autofocus`.
        let value: String?

        /// An attribute, which is omitted if `value` is nil.
        static func with(_ name: StaticString, _ value: String?) -> Attribute { Attribute(name: name, value: value) }

        /// An attribute without a value, if `isOn`.
        static func flag(_ name: StaticString, _ isOn: Bool = true) -> Attribute {
            Attribute(name: name, value: isOn ? "" : nil)
        }
    }

    init() {}

    /// Adds an element with its content.
    mutating func element(
        _ name: StaticString, _ attributes: [Attribute] = [], _ content: (inout HTML) -> Void = { _ in }
    ) {
        open(name, attributes)
        content(&self)
        markup += "</\(name)>"
    }

    /// Adds an element whose content is text.
    mutating func element(_ name: StaticString, _ attributes: [Attribute], _ text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Adds an element without attributes, whose content is text.
    mutating func element(_ name: StaticString, _ text: String) { element(name, [], text) }

    /// Adds an element without content, such as `input`.
    mutating func open(_ name: StaticString, _ attributes: [Attribute] = []) {
        markup += "<\(name)"
        for attribute in attributes {
            guard let value = attribute.value else { continue }
            markup += " \(attribute.name)"
            if !value.isEmpty || attribute.isMeaningfulWhenEmpty { markup += "=\"" + XMLText.escaped(value) + "\"" }
        }
        markup += ">"
    }

    /// Adds a text for people. What could mislead them, such as a control character, is shown and not obeyed.
    mutating func text(_ text: String) { markup += XMLText.escaped(TerminalEscaper.visible(text)) }

    /// Adds the text of a field as it is, line breaks included.
    mutating func value(_ text: String) { markup += XMLText.escaped(text) }

    /// A whole page.
    static func page(language: String, _ content: (inout HTML) -> Void) -> String {
        var html = HTML()
        html.element("html", [.with("lang", language)], content)
        return "<!doctype html>" + html.markup
    }
}

extension HTML.Attribute {
    /// Whether an empty value has a meaning: an option or a field's value may be empty.
    fileprivate var isMeaningfulWhenEmpty: Bool {
        switch name.description {
        case "value", "href", "action", "alt": true
        default: false
        }
    }
}
