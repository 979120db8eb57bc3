import LatchkeyForms
import LatchkeySecrets

/// The body of a request: `{"values":{…}}`. Secrets are escaped byte by byte in locked memory and are never converted
/// to a `String`.
struct FlowRequest: Sendable {
    /// The maximum size of a body that a service accepts, in bytes.
    static let maximumBytes = 65_536

    /// The body.
    let body: Secret

    /// Nil if the body would be too large.
    init?(_ credentials: Credentials) {
        let values = credentials.keys.sorted { $0.rawValue < $1.rawValue }.compactMap { key in
            credentials.entry(key).map { (key: key, value: $0) }
        }
        let start = Array(#"{"values":{"#.utf8)
        let end = Array("}}".utf8)
        let pieces = values.compactMap { key, value in
            Piece(value).map { (name: Self.encoded(key.rawValue), value: $0) }
        }
        let size = pieces.reduce(start.count + end.count) { $0 + $1.name.count + 2 + $1.value.largestSize }
        var bytes = SecretBytes(capacity: min(size, Self.maximumBytes))
        var fits = bytes.append(start.span)
        for (index, piece) in pieces.enumerated() {
            if index > 0 { fits = fits && bytes.append(UInt8(ascii: ",")) }
            fits = fits && bytes.append(piece.name.span) && bytes.append(UInt8(ascii: ":"))
            fits = fits && piece.value.append(to: &bytes)
        }
        guard fits, bytes.append(end.span) else { return nil }
        body = Secret(bytes)
    }

    private static func encoded(_ text: String) -> [UInt8] { Array(JSONValue.string(text).encoded.utf8) }

    /// The value of one member.
    private enum Piece {
        case json([UInt8])
        case secret(Secret)

        /// Nil for a hidden field, because the service determines hidden fields itself.
        init?(_ value: Credentials.Value) {
            switch value {
            case .text(let text): self = .json(FlowRequest.encoded(text))
            case .boolean(let isTrue): self = .json(Array(JSONValue.bool(isTrue).encoded.utf8))
            case .list(let values):
                self = .json(Array(JSONValue.array(values.map { .string($0) }).encoded.utf8))
            case .secret(let secret) where secret.withBytes({ (try? UTF8Span(validating: $0)) != nil }):
                self = .secret(secret)
            // The value becomes a NUL. The service also considers it unusable in every field, and does the same work
            // for it.
            case .secret, .unusable: self = .json(Array(#""\u0000""#.utf8))
            case .hidden: return nil
            }
        }

        /// The maximum size of the encoded value in bytes.
        var largestSize: Int {
            switch self {
            case .json(let bytes): bytes.count
            case .secret(let secret): secret.count * 6 + 2
            }
        }

        /// Appends the encoded value. Returns false if it does not fit.
        func append(to bytes: inout SecretBytes) -> Bool {
            switch self {
            case .json(let text): return bytes.append(text.span)
            case .secret(let secret): return bytes.appendString(secret)
            }
        }
    }
}

extension SecretBytes {
    /// Appends a UTF-8 secret as a JSON string (RFC 8259, section 7). Returns false if it does not fit.
    fileprivate mutating func appendString(_ secret: Secret) -> Bool {
        guard append(UInt8(ascii: "\"")) else { return false }
        let fits = secret.withBytes { text in
            text.indices.allSatisfy { appendEscaped(text[$0]) }
        }
        return fits && append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(UInt8(ascii: "\\")) && append(byte)
        case 0..<0x20:
            append(#"\u00"#.utf8Span.span) && append(UInt8(ascii: "0") + byte >> 4) && append(Self.digit(byte & 0xF))
        default: append(byte)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
