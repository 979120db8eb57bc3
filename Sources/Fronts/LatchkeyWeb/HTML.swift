import LatchkeyForms
import LatchkeyText

/// Builds HTML. Text and attribute values are always escaped. Names of elements and attributes are literals.
package struct HTML: Sendable {
    /// The markup so far.
    private(set) var markup = ""

    /// An attribute of an element, with or without a value.
    struct Attribute {
        let name: StaticString
        /// The value; nil for an attribute without a value, such as `autofocus`.
        let value: String?

        /// An attribute with a value. It is omitted if `value` is nil.
        static func with(_ name: StaticString, _ value: String?) -> Attribute { Attribute(name: name, value: value) }

        /// An attribute without a value. It is omitted unless `isOn`.
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

    /// Adds an element that contains text.
    mutating func element(_ name: StaticString, _ attributes: [Attribute], _ text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Adds an element that contains text and has no attributes.
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

    /// Adds text for people. Misleading characters, such as control characters, are made visible and have no effect.
    mutating func text(_ text: String) { markup += XMLText.escaped(TerminalEscaper.visible(text)) }

    /// Adds the text of a field unchanged, including line breaks.
    mutating func value(_ text: String) { markup += XMLText.escaped(text) }

    /// The character of a sentence that ``lead(_:emphasizing:)`` replaces with the emphasized value.
    static let place = "\u{FFFC}"

    /// Adds the sentence below a heading.
    ///
    /// - Parameter value: the name or address that replaces ``place``.
    mutating func lead(_ sentence: String, emphasizing value: String) {
        element("p", [.with("class", "lead")]) { html in html.emphasize(value, in: sentence) }
    }

    /// Adds a sentence with a value in bold at each ``place``.
    mutating func emphasize(_ value: String, in sentence: String) {
        insert(in: sentence) { html in html.element("strong") { html in html.element("bdi", value) } }
    }

    /// Adds a sentence with an element at each ``place``.
    mutating func insert(in sentence: String, _ element: (inout HTML) -> Void) {
        for (number, part) in sentence.split(separator: Self.place, omittingEmptySubsequences: false).enumerated() {
            if number > 0 { element(&self) }
            text(String(part))
        }
    }

    /// Adds values with their labels.
    mutating func facts(_ facts: [(title: String, value: String)]) {
        guard !facts.isEmpty else { return }
        element("dl", [.with("class", "facts")]) { html in
            for (title, value) in facts {
                html.element("div") { html in
                    html.element("dt", title)
                    html.element("dd") { html in html.element("bdi", value) }
                }
            }
        }
    }

    /// A complete page.
    static func page(language: Language, _ content: (inout HTML) -> Void) -> String {
        var html = HTML()
        let direction: [Attribute] = language.isRightToLeft ? [.with("dir", "rtl")] : []
        html.element("html", [.with("lang", language.rawValue)] + direction, content)
        return "<!doctype html>" + html.markup
    }
}

extension HTML.Attribute {
    /// Whether an empty value has a meaning, as for an option or a field's value.
    fileprivate var isMeaningfulWhenEmpty: Bool {
        switch name.description {
        case "value", "href", "action", "alt": true
        default: false
        }
    }
}
