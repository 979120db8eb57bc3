package import LatchkeySecrets

/// A JSON value (RFC 8259). Objects preserve the order of their members.
public indirect enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number that does not fit into an `Int`, as written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    /// Compares the encoded bytes, because `String` treats two encodings of an accented letter as equal.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        left.encoded.utf8.elementsEqual(right.encoded.utf8)
    }

    /// Parses one value, such as a line of JSON Lines. Nil for invalid JSON and for JSON that parsers interpret
    /// differently: duplicate keys and lone surrogates.
    public init?(line bytes: some Sequence<UInt8>) {
        guard let node = try? JSONReader.read(Array(bytes)) else { return nil }
        self = node.value
    }

    /// The member with this key; nil if it is missing or this is not an object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The string; nil for any other value.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The integer; nil for any other value and for a number that `Int` cannot represent.
    public var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The elements of an array; nil for any other value.
    public var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The value as JSON on one line, without white space. Characters that could control a terminal are escaped,
    /// including joiners; parsing restores them.
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
    /// Encodes an object with secrets as its last members. The secrets are never converted to a `String`. If the value
    /// is not an object, they are left out.
    ///
    /// - Parameter secrets: ASCII without control characters, quotation marks and backslashes, which would need
    ///   escaping.
    package func encoded(adding secrets: [(name: String, value: SecretMember)]) -> Secret {
        guard case .object(let members) = self else { return Secret(copying: encoded.utf8Span.span) }
        var pieces: [SecretPiece] = [.text(Array(JSONValue.object(members).encoded.utf8.dropLast()))]
        for (place, (name, value)) in secrets.enumerated() {
            let comma = members.isEmpty && place == 0 ? "" : ","
            pieces.append(.text(Array((comma + JSONValue.string(name).encoded + ":").utf8)))
            pieces += value.pieces
        }
        pieces.append(.text([UInt8(ascii: "}")]))
        var bytes = SecretBytes(capacity: pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { piece.append(to: &bytes) }
        return Secret(bytes)
    }

    /// A copy of an object with members appended. Any other value is returned unchanged.
    package func adding(_ members: [(key: String, value: JSONValue)]) -> JSONValue {
        guard case .object(let own) = self else { return self }
        return .object(own + members)
    }

    /// The members of an object of strings; nil for any other value.
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

/// A member that ``JSONValue/encoded(adding:)`` appends.
package enum SecretMember: Sendable {
    /// A string.
    case text(Secret)
    /// An array of strings.
    case list([Secret])

    fileprivate var pieces: [SecretPiece] {
        let quote = SecretPiece.text([UInt8(ascii: "\"")])
        switch self {
        case .text(let secret): return [quote, .secret(secret), quote]
        case .list(let secrets):
            let strings = secrets.enumerated().flatMap { place, secret in
                (place == 0 ? [] : [SecretPiece.text([UInt8(ascii: ",")])]) + [quote, .secret(secret), quote]
            }
            return [.text([UInt8(ascii: "[")])] + strings + [.text([UInt8(ascii: "]")])]
        }
    }
}

/// A part of the encoded JSON.
private enum SecretPiece {
    case text([UInt8])
    case secret(Secret)

    var count: Int {
        switch self {
        case .text(let bytes): bytes.count
        case .secret(let secret): secret.count
        }
    }

    func append(to bytes: inout SecretBytes) {
        switch self {
        case .text(let text): _ = bytes.append(text.span)
        case .secret(let secret): secret.withBytes { _ = bytes.append($0) }
        }
    }
}
