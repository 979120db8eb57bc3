/// A JSON value (RFC 8259) in the order in which it is written.
public indirect enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number that is no `Int`, as it stood.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    // By bytes: two spellings of an accented letter are one `String`, but two texts.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        left.encoded.utf8.elementsEqual(right.encoded.utf8)
    }

    /// Reads one value, as a line of JSON Lines has it; nil for what is no JSON, and for what one reader may take for
    /// something else than another: a key that is there twice, a lone surrogate.
    public init?(line bytes: some Sequence<UInt8>) {
        guard let node = try? JSONReader.read(Array(bytes)) else { return nil }
        self = node.value
    }

    /// The member of an object; nil for anything else.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// Nil for what is no string.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// Nil for what is no integer, or is too large for one.
    public var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// Nil for what is no array.
    public var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// On one line, without white space. Whatever a terminal must not see is escaped, joiners included: a reader of JSON
    /// gets each back as it was.
    public var encoded: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .number(let digits): bytes.append(contentsOf: digits.utf8)
        case .string(let value): JSONString.encode(value.utf8Span, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONString.encode(member.key.utf8Span, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension JSONValue {
    /// In the order of the alphabet.
    package static func object(texts: [String: String]) -> JSONValue {
        .object(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// The members of an object that are all texts.
    package var texts: [String: String]? {
        guard case .object(let members) = self else { return nil }
        var texts: [String: String] = [:]
        for (key, value) in members {
            guard let text = value.string else { return nil }
            texts[key] = text
        }
        return texts
    }
}
