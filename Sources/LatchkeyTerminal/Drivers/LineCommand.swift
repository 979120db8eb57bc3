import LatchkeyForms
import LatchkeySecrets

/// A line that is no answer. `\<`, `\?` and `\:` begin an answer that looks like one.
enum LineCommand: Equatable {
    case back
    case help
    case empty
    /// To another flow, by a name.
    case way(String)

    /// Nil where the line is an answer.
    init?(_ line: String) {
        switch line {
        case "<": self = .back
        case "?": self = .help
        case ":empty": self = .empty
        default:
            guard line.utf8.first == UInt8(ascii: ":") else { return nil }
            self = .way(String(line.dropFirst()))
        }
    }

    /// Whether a backslash stands before what would be a command: one is to be taken off.
    static func isEscaped(_ line: String) -> Bool {
        let rest = line.utf8.drop { $0 == UInt8(ascii: "\\") }
        guard rest.count < line.utf8.count, let first = rest.first else { return false }
        return [UInt8(ascii: "<"), UInt8(ascii: "?"), UInt8(ascii: ":")].contains(first)
    }
}

extension AccountType {
    /// What a person types after the colon: `forgot-password`.
    var wayName: String {
        rawValue.reduce(into: "") { name, letter in
            if letter.isUppercase { name += "-" }
            name += letter.lowercased()
        }
    }

    /// Whether a person who typed `name` means this: hyphens and case make no difference.
    func isNamed(_ name: String) -> Bool {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }
            .elementsEqual(rawValue.lowercased().utf8)
    }
}

extension Secret {
    /// For a line that is none.
    var lineText: String { withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) } }

    var droppingFirstByte: Secret { withBytes { Secret(copying: $0.extracting(min(1, $0.count)..<$0.count)) } }
}
