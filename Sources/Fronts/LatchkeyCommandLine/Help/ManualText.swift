/// Formats text for mdoc(7) in pure ASCII.
enum ManualText {
    /// Prose with one line per sentence, as mdoc(7) requires.
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

    /// A literal line.
    static func literal(_ line: String) -> String { start(escaped(line, keepingHyphens: false)) }

    /// An argument of a macro.
    static func argument(_ text: String) -> String {
        // A leading empty character prevents a short word from being read as a macro or as punctuation.
        let escaped = escaped(text, keepingHyphens: false).replacing("\"", with: "\\(dq")
        return (text.count < 4 ? "\\&" : "") + (escaped.contains(" ") ? "\"\(escaped)\"" : escaped)
    }

    private static func endsSentence(_ word: Substring) -> Bool {
        word.hasSuffix(".") || word.hasSuffix(".)") || word.hasSuffix("?") || word.hasSuffix("!")
    }

    /// Escapes a word. A hyphen at its start belongs to a flag and becomes a minus sign; other hyphens stay hyphens.
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
            // Without escapes, these would be typeset as quotation marks and accents.
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

    /// Escapes a full stop at the start of a line, which would begin a request. So would an apostrophe, but those are
    /// already replaced.
    private static func start(_ line: String) -> String { line.hasPrefix(".") ? "\\&" + line : line }
}
