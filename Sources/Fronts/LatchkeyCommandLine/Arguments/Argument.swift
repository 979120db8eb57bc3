/// One argument of the command line, as bytes, because it may be invalid UTF-8.
struct Argument: Equatable, Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The argument as a string; nil if the bytes are not UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }

    /// Whether the argument is a flag: it begins with a hyphen and is not just `-`.
    var isFlag: Bool { bytes.count > 1 && bytes[0] == UInt8(ascii: "-") }

    /// Whether it is `--`.
    var endsFlags: Bool { bytes == Array("--".utf8) }

    /// The name and value in `--name` or `--name=value`; nil if it is not a long flag.
    var longFlag: (name: String, value: Argument?)? {
        guard bytes.count > 2, bytes[0] == UInt8(ascii: "-"), bytes[1] == UInt8(ascii: "-") else { return nil }
        let body = bytes[2...]
        let end = body.firstIndex(of: UInt8(ascii: "=")) ?? body.endIndex
        let value = end == body.endIndex ? nil : Argument(bytes: Array(body[(end + 1)...]))
        return (String(decoding: body[..<end], as: UTF8.self), value)
    }

    /// The decimal number in the argument; nil if it contains anything but digits, or a leading zero.
    var wholeNumber: Int? {
        // Int also parses "+1" and "01".
        guard let text, let number = Int(text), number >= 0, String(number) == text else { return nil }
        return number
    }

    /// The path in the argument; nil if it is empty, contains a NUL, or is not UTF-8.
    var path: String? { text.flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 } }
}
