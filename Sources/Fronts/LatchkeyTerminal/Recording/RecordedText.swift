import LatchkeyForms
import LatchkeySecrets

/// Typed text as a recording may contain it.
enum RecordedText: Sendable {
    /// Text that appeared on the screen.
    case plain(String)
    /// ``RedactedText`` of the same shape as a secret.
    case redacted(String)
    /// Replaces bytes that are not UTF-8, whichever field they were typed into.
    case unreadable([UInt8])

    /// - Parameter isVisible: whether the text appears on the screen, and so is not secret.
    init(_ typed: Secret, isVisible: Bool) {
        self = typed.withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else {
                return .unreadable(RedactedText.bytes(for: bytes))
            }
            return isVisible ? .plain(String(copying: text)) : .redacted(RedactedText.text(for: text))
        }
    }

    /// The input for a replay.
    var secret: Secret {
        let bytes =
            switch self {
            case .plain(let text), .redacted(let text): Array(text.utf8)
            case .unreadable(let bytes): bytes
            }
        return Secret(copying: bytes.span)
    }

    /// The member of the JSON line.
    var member: (key: String, value: JSONValue) {
        switch self {
        case .plain(let text): ("text", .string(text))
        case .redacted(let text): ("stand_in", .string(text))
        case .unreadable(let bytes): ("no_text", .string(bytes.map(Self.hexadecimal).joined()))
        }
    }

    init?(memberOf json: JSONValue) {
        if let text = json["text"]?.string {
            self = .plain(text)
        } else if let text = json["stand_in"]?.string {
            self = .redacted(text)
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
