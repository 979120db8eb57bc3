import LatchkeySecrets
import LatchkeyText

/// Gathers what goes to a terminal, and sends it in one piece. Every text passes the escaper here, whoever made it; what
/// steers the terminal has an entrance of its own.
///
/// In locked memory, for a secret that is shown passes through it.
struct ScreenBuffer: ~Copyable {
    let output: any TerminalOutput
    private let isUTF8: Bool
    private var bytes = SecretBytes(capacity: 8192)

    init(output: any TerminalOutput, isUTF8: Bool) {
        self.output = output
        self.isUTF8 = isUTF8
    }

    /// Text from anywhere.
    mutating func add(_ text: String) {
        let visible = TerminalEscaper.visible(text)
        add(raw: isUTF8 ? visible : Self.ascii(visible))
    }

    /// One of the driver's own sequences: `[2K` for an escape and that.
    mutating func addEscape(_ sequence: String) { add(raw: "\u{1B}" + sequence) }

    mutating func addLineEnd() { add(raw: "\r\n") }

    mutating func addReturn() { add(raw: "\r") }

    /// A line end for a terminal in cooked mode.
    mutating func addNewline() { add(raw: "\n") }

    mutating func ring() { add(raw: "\u{07}") }

    mutating func send() {
        bytes.withBytes { output.write($0) }
        bytes.removeAll()
    }

    /// Sends `line` with a line break, for a terminal in cooked mode.
    mutating func sendLine(_ line: String) {
        add(line)
        addNewline()
        send()
    }

    private mutating func add(raw text: String) {
        for byte in text.utf8 {
            if !bytes.append(byte) {
                send()
                _ = bytes.append(byte)
            }
        }
    }

    /// Replaces characters that are not ASCII with as many as they have cells, so that nothing moves.
    private static func ascii(_ text: String) -> String {
        text.reduce(into: "") { ascii, character in
            switch character {
            case _ where character.isASCII: ascii.append(character)
            case "…": ascii.append(".")
            case "↑": ascii.append("^")
            default: ascii += String(repeating: "?", count: CellWidth.of(character))
            }
        }
    }
}
