import Foundation
import LatchkeyForms
import TestSupport
import Testing

/// The shapes of `--json` output, from docs/schemas.
struct JSONShapes {
    private let schemas: [String: JSONValue]

    init() throws {
        let folder = SourceTree.path(of: "docs/schemas")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        schemas = try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, try JSONReader.read(SourceTree.contents(of: "docs/schemas/" + name)).value)
            })
    }

    /// The names of the schemas, without `.json`.
    var names: [String] { schemas.keys.map { String($0.dropLast(5)) }.sorted() }

    subscript(name: String) -> JSONValue? { schemas[name + ".json"] }

    /// Expects a line to have exactly the members of the shape, and a reader to accept an additional member.
    func expect(
        _ line: some StringProtocol, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let value = try JSONReader.read(Array(line.utf8)).value
        let schema = try #require(self[name], "\(name)", sourceLocation: sourceLocation)
        #expect(
            try JSONSchema(root: schema, others: schemas, isClosed: true).accepts(value), "\(name): \(line)",
            sourceLocation: sourceLocation)
        let later = JSONValue.object((value.members ?? []) + [(key: "later_version", value: .bool(true))])
        #expect(
            try JSONSchema(root: schema, others: schemas).accepts(later), "\(name) is closed",
            sourceLocation: sourceLocation)
    }

    /// The keys of a line and the types of their values: `{ok: boolean, errors: [{field: string}]}`.
    static func outline(of line: some StringProtocol) throws -> String {
        outline(of: try JSONReader.read(Array(line.utf8)).value)
    }

    /// The path and type of each member: `account.id: string`, `errors[].field: string`.
    static func members(of line: some StringProtocol) throws -> Set<String> {
        Set(members(of: try JSONReader.read(Array(line.utf8)).value, at: ""))
    }

    private static func members(of value: JSONValue, at path: String) -> [String] {
        switch value {
        case .object(let members): members.flatMap { Self.members(of: $0.value, at: path + "." + $0.key) }
        case .array(let elements): elements.flatMap { members(of: $0, at: path + "[]") }
        default: ["\(path): \(value.typeName)"]
        }
    }

    private static func outline(of value: JSONValue) -> String {
        switch value {
        case .object(let members):
            "{" + members.map { "\($0.key): \(outline(of: $0.value))" }.joined(separator: ", ") + "}"
        case .array(let elements):
            "[" + Set(elements.map(outline)).sorted().joined(separator: " | ") + "]"
        case .number: "number"
        case .null, .bool, .integer, .string: value.typeName
        }
    }
}
