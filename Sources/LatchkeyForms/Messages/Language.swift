/// A language that there are sentences in.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case portuguese = "pt"

    /// The language of a locale as POSIX systems name it, such as `pt_PT.UTF-8`, `pt_BR` or `C`; nil where there are no
    /// sentences in it.
    public init?(locale name: String) {
        switch String(name.prefix { !"_.@".contains($0) }) {
        case "C", "POSIX": self = .english
        case let language: self.init(rawValue: language)
        }
    }

    /// What the first of `LC_ALL`, `LC_MESSAGES` and `LANG` asks for that is set and not empty (POSIX.1-2017, XBD, section
    /// 8.2); English where none is, or where there are no sentences in what it asks for.
    public init(environment variable: (_ name: String) -> String?) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(variable).first { !$0.isEmpty }
        self = name.flatMap(Language.init(locale:)) ?? .english
    }

    /// Its sentences.
    public var messages: MessageTable {
        switch self {
        case .english: .english
        case .portuguese: .portuguese
        }
    }
}
