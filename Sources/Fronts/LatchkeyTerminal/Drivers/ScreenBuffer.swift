import LatchkeySecrets
import LatchkeyText

/// Collects output for a terminal and sends it in one piece. It escapes all text; control sequences can only be added
/// with ``addEscape(_:)``.
///
/// It uses locked memory, because revealed secrets pass through it.
struct ScreenBuffer: ~Copyable {
    let output: any TerminalOutput
    private let isUTF8: Bool
    private var bytes = SecretBytes(capacity: 8192)

    init(output: any TerminalOutput, isUTF8: Bool) {
        self.output = output
        self.isUTF8 = isUTF8
    }

    /// Adds text from any source and escapes it.
    mutating func add(_ text: String) {
        let visible = TerminalEscaper.visible(text)
        add(raw: isUTF8 ? visible : Self.ascii(visible))
    }

    /// Adds a control sequence without its escape character, such as `[2K`.
    mutating func addEscape(_ sequence: String) { add(raw: "\u{1B}" + sequence) }

    mutating func addLineEnd() { add(raw: "\r\n") }

    mutating func addReturn() { add(raw: "\r") }

    /// Adds a line break for a terminal in cooked mode.
    mutating func addNewline() { add(raw: "\n") }

    mutating func ring() { add(raw: "\u{07}") }

    mutating func send() {
        bytes.withBytes { output.write($0) }
        bytes.removeAll()
    }

    /// Sends `line` with a line break to a terminal in cooked mode.
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

    /// Replaces each non-ASCII character with ASCII characters of the same width.
    private static func ascii(_ text: String) -> String {
        text.reduce(into: "") { ascii, character in
            switch character {
            case _ where character.isASCII: ascii.append(character)
            case "…": ascii.append(".")
            case "↑": ascii.append("^")
            case "↓": ascii.append("v")
            case "“", "”", "„", "«", "»": ascii.append("\"")
            case "‘", "’", "‚": ascii.append("'")
            case "–", "—": ascii.append("-")
            case "×": ascii.append("x")
            case "ß": ascii.append("s")
            default:
                let width = CellWidth.of(character)
                if width == 1, let letter = Normalization.baseLetter(of: character) {
                    ascii.append(letter)
                } else {
                    ascii += String(repeating: "?", count: width)
                }
            }
        }
    }
}
