/// A JSON value with the place where it stands, for messages that point at it.
package struct JSONNode: Sendable {
    package let content: Content
    package let place: TextPlace

    package indirect enum Content: Sendable {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    package struct Member: Sendable {
        package let key: String
        package let keyPlace: TextPlace
        package let value: JSONNode
    }

    /// Without the places.
    package var value: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let digits): Int(digits).map(JSONValue.integer) ?? .number(digits)
        case .string(let text): .string(text)
        case .array(let nodes): .array(nodes.map(\.value))
        case .object(let members): .object(members.map { ($0.key, $0.value.value) })
        }
    }
}

/// A place in a text file, both counted from 1; columns count code points.
public struct TextPlace: Equatable, Sendable {
    public let line: Int
    public let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
