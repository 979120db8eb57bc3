import LatchkeyForms
import LatchkeySecrets

/// A line that is a command and not an answer. `\<`, `\?` and `\:` begin an answer that looks like a command.
enum LineCommand: Equatable {
    case back
    case help
    case empty
    /// Opens another flow, by its name.
    case follow(String)

    /// Nil if the line is an answer.
    init?(_ line: String) {
        switch line {
        case "<": self = .back
        case "?": self = .help
        case ":empty": self = .empty
        default:
            guard line.utf8.first == UInt8(ascii: ":") else { return nil }
            self = .follow(String(line.dropFirst()))
        }
    }

    /// Whether a backslash escapes what would be a command. It has to be removed.
    static func isEscaped(_ line: String) -> Bool {
        let rest = line.utf8.drop { $0 == UInt8(ascii: "\\") }
        guard rest.count < line.utf8.count, let first = rest.first else { return false }
        return [UInt8(ascii: "<"), UInt8(ascii: "?"), UInt8(ascii: ":")].contains(first)
    }
}

extension AccountType {
    /// What the user types after the colon: `forgot-password`.
    var commandName: String {
        rawValue.reduce(into: "") { name, letter in
            if letter.isUppercase { name += "-" }
            name += letter.lowercased()
        }
    }

    /// Whether `name` names this flow. Hyphens and case make no difference.
    func isNamed(_ name: String) -> Bool {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }
            .elementsEqual(rawValue.lowercased().utf8)
    }
}

extension Secret {
    /// The text of a line that is not secret.
    var lineText: String { withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) } }

    var droppingFirstByte: Secret { withBytes { Secret(copying: $0.extracting(min(1, $0.count)..<$0.count)) } }
}
