package import LatchkeyForms
import Testing

/// Forms for tests, read from a description like custom forms.
package enum Trial {
    package static func form(_ id: String = "trial", fields: [JSONValue]) throws -> Form {
        try form(id, description(id, fields: fields).encoded)
    }

    package static func description(_ id: String = "trial", fields: [JSONValue]) -> JSONValue {
        .object([
            ("form", .string(id)), ("title", .string("Trial")), ("submit", .string("Try")), ("fields", .array(fields)),
        ])
    }

    package static func form(_ id: String = "trial", _ description: String) throws -> Form {
        let source = FormCatalogue.Source(file: "trial.json", bytes: Array(description.utf8))
        return try #require(try FormCatalogue(replacedBy: [source])[id])
    }

    /// A field that is not trimmed.
    package static func field(_ key: String, rules: [JSONValue], isSecret: Bool = false) -> JSONValue {
        .object([
            ("apiKey", .string(key)), ("placeholder", .string(key)), ("secret", .bool(isSecret)),
            ("trim", .bool(false)), ("rules", .array(rules)),
        ])
    }
}

package enum JSONLines {
    /// The rows of a table, parsed by Latchkey's own reader, which preserves the notation of numbers and the order of
    /// keys.
    package static func rows(in path: String) throws -> [JSONValue] {
        try Fixture.contents(of: path).split(separator: UInt8(ascii: "\n")).map { try JSONReader.read(Array($0)).value }
    }
}
