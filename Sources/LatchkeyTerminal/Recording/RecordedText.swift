import LatchkeyForms
import LatchkeySecrets

/// What was typed, as far as a recording may hold it.
enum RecordedText: Sendable {
    /// It went where it shows.
    case plain(String)
    /// Of the same shape as what was typed.
    case standIn(String)
    /// In the place of bytes that are no UTF-8, wherever they went.
    case unreadable([UInt8])

    /// - Parameter shows: whether what was typed is no secret, for it is seen on the screen.
    init(_ typed: Secret, shows: Bool) {
        self = typed.withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return .unreadable(StandIn.bytes(for: bytes)) }
            return shows ? .plain(String(copying: text)) : .standIn(StandIn.text(for: text))
        }
    }

    /// To be typed in a replay.
    var secret: Secret {
        let bytes =
            switch self {
            case .plain(let text), .standIn(let text): Array(text.utf8)
            case .unreadable(let bytes): bytes
            }
        return Secret(copying: bytes.span)
    }

    /// As a member of the line of JSON.
    var member: (key: String, value: JSONValue) {
        switch self {
        case .plain(let text): ("text", .string(text))
        case .standIn(let text): ("stand_in", .string(text))
        case .unreadable(let bytes): ("no_text", .string(bytes.map(Self.hexadecimal).joined()))
        }
    }

    init?(memberOf json: JSONValue) {
        if let text = json["text"]?.string {
            self = .plain(text)
        } else if let text = json["stand_in"]?.string {
            self = .standIn(text)
        } else if let digits = json["no_text"]?.string, let bytes = Self.bytes(digits) {
            self = .unreadable(bytes)
        } else {
            return nil
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
