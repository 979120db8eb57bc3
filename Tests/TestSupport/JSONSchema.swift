package import LatchkeyForms

/// The part of JSON Schema (2020-12) that the project's schemas use. An unknown keyword is an error.
package struct JSONSchema {
    package struct UnknownKeyword: Error { let name: String }

    package let root: JSONValue
    /// Other schemas, by the names in this one's references.
    private let others: [String: JSONValue]
    /// Whether `"additionalProperties": true` is checked as `false`. The output of this version must contain only the
    /// members of its schema, although a reader must ignore others.
    private let isClosed: Bool

    package init(root: JSONValue, others: [String: JSONValue] = [:], isClosed: Bool = false) {
        self.root = root
        self.others = others
        self.isClosed = isClosed
    }

    package func accepts(_ value: JSONValue) throws -> Bool { try accepts(value, root) }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        if case .bool(let acceptsAll) = schema { return acceptsAll }
        for (keyword, argument) in schema.members ?? [] {
            guard try holds(keyword, argument, for: value, in: schema) else { return false }
        }
        return true
    }

    private func holds(
        _ keyword: String, _ argument: JSONValue, for value: JSONValue, in schema: JSONValue
    ) throws -> Bool {
        switch keyword {
        case "$schema", "$id", "$defs", "title", "description", "default", "examples", "writeOnly", "then": return true
        case "$ref": return try accepts(value, try known(referred(to: argument.string ?? ""), argument.encoded))
        case "type":
            return (argument.elements ?? [argument]).contains { type in
                value.typeName == type.string || (value.typeName == "integer" && type.string == "number")
            }
        case "const": return value == argument
        case "enum": return argument.elements?.contains(value) ?? false
        case "required":
            return value.members == nil || (argument.elements ?? []).allSatisfy { value[$0.string ?? ""] != nil }
        case "additionalProperties":
            let others = (value.members ?? []).filter { schema["properties"]?[$0.key] == nil }
            if argument == .bool(false) || isClosed && argument == .bool(true) { return others.isEmpty }
            return try others.allSatisfy { try accepts($0.value, argument) }
        case "properties":
            return try (value.members ?? []).allSatisfy { member in
                try argument[member.key].map { try accepts(member.value, $0) } ?? true
            }
        case "contains": return try value.elements.map { try $0.contains { try accepts($0, argument) } } ?? true
        case "items": return try (value.elements ?? []).allSatisfy { try accepts($0, argument) }
        case "minItems": return try (value.elements?.count ?? .max) >= known(argument.integer, keyword)
        case "maxItems": return try (value.elements?.count ?? 0) <= known(argument.integer, keyword)
        case "uniqueItems": return Set((value.elements ?? []).map(\.encoded)).count == value.elements?.count ?? 0
        case "minLength": return try (value.string?.unicodeScalars.count ?? .max) >= known(argument.integer, keyword)
        case "maxLength": return try (value.string?.unicodeScalars.count ?? 0) <= known(argument.integer, keyword)
        case "minimum": return try (value.integer ?? .max) >= known(argument.integer, keyword)
        case "maximum": return try (value.integer ?? .max) <= known(argument.integer, keyword)
        case "pattern":
            let pattern = try Regex(known(argument.string, keyword))
            return value.string.map { $0.contains(pattern) } ?? true
        case "not": return try !accepts(value, argument)
        case "allOf": return try (argument.elements ?? []).allSatisfy { try accepts(value, $0) }
        case "anyOf": return try (argument.elements ?? []).contains { try accepts(value, $0) }
        case "oneOf": return try (argument.elements ?? []).filter { try accepts(value, $0) }.count == 1
        case "if": return try !accepts(value, argument) || accepts(value, known(schema["then"], "then"))
        default: throw UnknownKeyword(name: keyword)
        }
    }

    /// A definition in this schema (`#/$defs/NAME`) or another schema.
    private func referred(to reference: String) -> JSONValue? {
        guard reference.hasPrefix("#") else { return others[reference] }
        return root["$defs"]?[reference.split(separator: "/").last.map(String.init) ?? ""]
    }

    private func known<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw UnknownKeyword(name: name) }
        return value
    }
}

extension JSONValue {
    /// The type's name in JSON Schema.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        // 1.0 and 1e3 are integers in JSON Schema (2020-12, section 4.2.3), whatever their notation.
        case .number(let digits): Double(digits).map { $0 == $0.rounded() } == true ? "integer" : "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
