/// How texts are written in mdoc(7), in ASCII alone.
enum ManualText {
    /// Running text, each sentence on a line of its own, as the formatters want it.
    static func paragraph(_ text: String) -> [String] {
        var lines: [String] = []
        var words: [Substring] = []
        var width = 0
        func end() {
            if !words.isEmpty { lines.append(start(words.map(word).joined(separator: " "))) }
            (words, width) = ([], 0)
        }
        for word in text.split(separator: " ") {
            if width + word.count > 72 { end() }
            words.append(word)
            width += word.count + 1
            if endsSentence(word) { end() }
        }
        end()
        return lines
    }

    /// A line that is shown as it stands.
    static func literal(_ line: String) -> String { start(escaped(line, keepingHyphens: false)) }

    /// An argument of a macro.
    static func argument(_ text: String) -> String {
        // What could be taken for a macro, or for punctuation, is neither behind the empty character.
        let escaped = escaped(text, keepingHyphens: false).replacing("\"", with: "\\(dq")
        return (text.count < 4 ? "\\&" : "") + (escaped.contains(" ") ? "\"\(escaped)\"" : escaped)
    }

    private static func endsSentence(_ word: Substring) -> Bool {
        word.hasSuffix(".") || word.hasSuffix(".)") || word.hasSuffix("?") || word.hasSuffix("!")
    }

    /// A hyphen that begins a word is the sign of a flag, and any other one is a hyphen.
    private static func word(_ word: Substring) -> String {
        let isLiteral = word.contains("--") || word.first == "-" || word.contains("=")
        return escaped(String(word), keepingHyphens: !isLiteral)
    }

    private static func escaped(_ text: String, keepingHyphens: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += keepingHyphens ? "-" : "\\-"
            // Typeset, these would be quotation marks and accents.
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case " "..."~": escaped.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\[u\(String(repeating: "0", count: max(4 - digits.count, 0)))\(digits)]"
            }
        }
        return escaped
    }

    /// A line that begins with a point is a request, and so is one with an apostrophe, which has been replaced.
    private static func start(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }
}
