/// A field value that is not secret, or an attribute of an account.
public enum FieldValue: Hashable, Sendable {
    /// The value of any other kind.
    case text(String)
    /// The value of kind `boolean`.
    case boolean(Bool)
    /// The value of kind `choices`, in the order of the options.
    case list([String])

    /// Separates the values of a list in CSV and in a flag. A value in a list cannot contain it.
    public static let separator: Character = ";"

    /// Whether the value is an empty string or list. A boolean is never empty.
    public var isEmpty: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .boolean: false
        case .list(let values): values.isEmpty
        }
    }

    /// The canonical string. A list is joined with semicolons, and a boolean is `true` or `false`.
    public var text: String {
        switch self {
        case .text(let text): text
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .list(let values): values.joined(separator: String(Self.separator))
        }
    }

    /// The value in JSON: a string, `true` or `false`, or an array of strings.
    public var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .boolean(let isTrue): .bool(isTrue)
        case .list(let values): .array(values.map { .string($0) })
        }
    }

    /// Decodes a value from ``json``; nil for any other JSON.
    public init?(_ json: JSONValue) {
        switch json {
        case .string(let text): self = .text(text)
        case .bool(let isTrue): self = .boolean(isTrue)
        case .array(let elements):
            var values: [String] = []
            for element in elements {
                guard let text = element.string else { return nil }
                values.append(text)
            }
            self = .list(values)
        case .null, .integer, .number, .object: return nil
        }
    }

    /// Parses a boolean: `true` or `false`, `yes` or `no`, `on` or `off`, `1` or `0`; nil for any other string.
    package static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "y", "on", "1": true
        case "false", "no", "n", "off", "0": false
        default: nil
        }
    }

    /// Whether both values are equal byte by byte. Swift's `==` treats two encodings of an accented letter as equal.
    package func isSame(as other: FieldValue) -> Bool { json == other.json }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    /// Creates a string value.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates a boolean value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates a list value.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension JSONValue {
    /// An object of field values, sorted by key.
    package static func object(values: [String: FieldValue]) -> JSONValue {
        .object(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
    }

    /// The members of an object of field values; nil for any other value.
    package var fieldValues: [String: FieldValue]? {
        guard case .object(let members) = self else { return nil }
        var values: [String: FieldValue] = [:]
        for (key, json) in members {
            guard let value = FieldValue(json) else { return nil }
            values[key] = value
        }
        return values
    }
}

extension [FieldKey: FieldValue] {
    /// The values of an account, by the key of the form field that asks for each.
    package init(username: String?, email: String, attributes: [String: FieldValue]) {
        self = [.email: .text(email)]
        self[.username] = username.map { .text($0) }
        for (key, value) in attributes { self[FieldKey(rawValue: key)] = value }
    }
}
