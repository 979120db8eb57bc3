package import LatchkeyForms

/// A setting of an application. ``all`` declares each setting once: files, the API, flags, help, schemas and the table in
/// docs/openid.md follow from it.
package struct ClientSetting: Sendable {
    /// The values that a setting takes.
    package enum Kind: Equatable, Sendable {
        /// A name for people.
        case name
        case flag
        /// One of these words. An optional setting has null, and no default.
        case choice([String], isOptional: Bool)
        /// A list of different strings.
        case list
        /// At least one of these words.
        case choices([String])
        /// A string; null for none.
        case text
        /// An object; null for none.
        case object
    }

    /// The flag of `applications add` and `applications update`.
    package struct Flag: Sendable {
        /// The name without hyphens.
        package let name: String
        /// The name of its value in help; nil for a flag without a value.
        package let value: String?
        /// Whether commas separate several elements of a list.
        package let takesCommas: Bool
    }

    /// The key in files and in the API.
    package let key: String
    /// The flag; nil if only files and the API have the setting.
    package let flag: Flag?
    package let kind: Kind
    /// The name for people, as `applications show` prints it.
    package let title: String
    /// The meaning in one line without a full stop.
    package let summary: String
    /// What documents add to the summary; empty for nothing.
    package let details: String
    /// The default in words; nil if the default value explains itself.
    package let defaultText: String?
    let read: @Sendable (ClientSettings) -> JSONValue
    /// Returns false if the setting cannot have the value.
    let write: @Sendable (JSONValue, inout ClientSettings) -> Bool

    /// The most elements of a list.
    static let longestList = 64
    /// The most bytes of an element.
    static let longestElement = 2048
    /// The most bytes of an object.
    static let longestObject = 16 * 1024

    /// The setting with this key; nil if there is none.
    package static func named(_ key: String) -> ClientSetting? { all.first { $0.key.utf8.elementsEqual(key.utf8) } }

    /// The value that the setting has in `settings`.
    package func value(in settings: ClientSettings) -> JSONValue { read(settings) }

    /// The value without the operator's choice; `.null` or an empty list for none.
    package var defaultValue: JSONValue { read(ClientSettings(name: "")) }

    /// The words that the setting takes; empty if it takes other values.
    package var words: [String] {
        switch kind {
        case .choice(let words, _), .choices(let words): words
        case .name, .flag, .list, .text, .object: []
        }
    }

    /// The values that the setting takes, as the end of a sentence about it.
    package var rule: String {
        switch kind {
        case .name: "must be a string of 1 to \(OperatorToken.maximumNameBytes) bytes without control characters"
        case .flag: "must be true or false"
        case .choice(let words, let isOptional):
            "must be one of: " + words.joined(separator: ", ") + (isOptional ? ", null" : "")
        case .list:
            "must be an array of different strings: at most \(Self.longestList) of at most \(Self.longestElement) bytes"
        case .choices(let words): "must be an array with one or more of: " + words.joined(separator: ", ")
        case .text: "must be a string of at most \(Self.longestElement) bytes, or null"
        case .object: "must be an object of at most \(Self.longestObject >> 10) KiB"
        }
    }

    /// What is wrong with a value that the setting cannot have, as the end of a sentence about the setting.
    func problem(of value: JSONValue) -> String {
        switch (kind, value) {
        case (.list, .array(let elements)), (.choices, .array(let elements)):
            Self.problem(of: elements, words: words) ?? rule
        case (.name, .string("")), (.text, .string("")): "must not be empty"
        case (.choice, .string(let word)): "must not be \"\(Self.shown(word))\": it " + rule
        case (.name, .string), (.text, .string), (.object, .object): rule
        default: "must not be \(value.kindInWords): it " + rule
        }
    }

    /// - Parameter words: the words that the elements can be; empty for any string.
    private static func problem(of elements: [JSONValue], words: [String]) -> String? {
        if elements.count > longestList { return "must have at most \(longestList) elements, not \(elements.count)" }
        if elements.isEmpty, !words.isEmpty { return "must not be empty: it can have " + words.joined(separator: ", ") }
        var seen: [String] = []
        for (index, element) in elements.enumerated() {
            let place = "element \(index + 1)"
            guard let text = element.string else {
                return "must contain strings, but \(place) is \(element.kindInWords)"
            }
            if text.isEmpty { return "must not contain an empty string, but \(place) is one" }
            if text.utf8.count > longestElement {
                return "must not contain more than \(longestElement) bytes in \(place)"
            }
            if !words.isEmpty, !words.contains(text) {
                return "must not contain \"\(shown(text))\": it can have " + words.joined(separator: ", ")
            }
            if seen.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
                return "must not contain \"\(shown(text))\" twice"
            }
            seen.append(text)
        }
        return nil
    }

    /// The beginning of a text, for a message.
    private static func shown(_ text: String) -> String { text.count > 64 ? text.prefix(64) + "…" : text }

    /// The setting's values in JSON Schema (2020-12).
    package var schema: JSONValue {
        func strings(_ words: [String]) -> [JSONValue] { words.map { .string($0) } }
        let type: [(key: String, value: JSONValue)] =
            switch kind {
            case .name: [("type", .string("string"))]
            case .flag: [("type", .string("boolean"))]
            case .choice(let words, let isOptional): [("enum", .array(strings(words) + (isOptional ? [.null] : [])))]
            case .list: [("type", .string("array")), ("items", .object([("type", .string("string"))]))]
            case .choices(let words):
                [("type", .string("array")), ("items", .object([("enum", .array(strings(words)))]))]
            case .text: [("type", .array(strings(["string", "null"])))]
            case .object: [("type", .array(strings(["object", "null"])))]
            }
        return .object(type + [("description", .string(summary + "."))])
    }
}

extension JSONValue {
    /// The type of the value with its article, for a message.
    package var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
