/// The kind of value of a flag or an operand. Completions offer values of that kind.
package enum ValueKind: Equatable, Sendable {
    /// Text without completions. This includes account names: see docs/decisions/0025-shells-and-packages.md.
    case text
    case file
    case folder
    /// A program and its arguments.
    case program
    /// The name of a form.
    case form
    case oneOf([String])

    /// Infers the kind from the name in the help: `FILE`, `PATH`, `DIR`, `FORM`, or a list such as `fail|skip|update`.
    init(called name: String) {
        let words = name.split(separator: "|").map(String.init)
        if words.contains("FILE") || words.contains("PATH") {
            self = .file
        } else if name == "DIR" {
            self = .folder
        } else if name == "FORM" {
            self = .form
        } else if words.count > 1, words.allSatisfy({ $0.utf8.allSatisfy(Self.isLowercase) }) {
            self = .oneOf(words)
        } else {
            self = .text
        }
    }

    private static func isLowercase(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
