/// One word of the command line, as the bytes that the system gave: they need not be UTF-8.
struct Argument: Equatable, Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Nil where the bytes are no UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }

    /// Whether it is a flag, and not a value: it begins with a hyphen and is not `-` alone.
    var isFlag: Bool { bytes.count > 1 && bytes[0] == UInt8(ascii: "-") }

    var endsFlags: Bool { bytes == Array("--".utf8) }

    /// `--name` or `--name=value` taken apart; nil where it is no long flag.
    var longFlag: (name: String, value: Argument?)? {
        guard bytes.count > 2, bytes[0] == UInt8(ascii: "-"), bytes[1] == UInt8(ascii: "-") else { return nil }
        let body = bytes[2...]
        let end = body.firstIndex(of: UInt8(ascii: "=")) ?? body.endIndex
        let value = end == body.endIndex ? nil : Argument(bytes: Array(body[(end + 1)...]))
        return (String(decoding: body[..<end], as: UTF8.self), value)
    }

    /// The number it stands for; nil where it is not digits alone, or begins with a needless 0.
    var wholeNumber: Int? {
        // Int("+1") and Int("01") are numbers too, and neither is meant.
        guard let text, let number = Int(text), number >= 0, String(number) == text else { return nil }
        return number
    }

    /// As the path of a file; nil where it cannot be one.
    var path: String? { text.flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 } }
}
