/// A language that Latchkey has sentences in.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case portuguese = "pt"

    /// The language of a user whose settings and locale name none that Latchkey has.
    public static let standard = Language.english

    /// The language of a POSIX locale name, such as `pt_PT.UTF-8`, `pt_BR` or `C`; nil if Latchkey has no sentences in it.
    public init?(locale name: String) {
        switch String(name.prefix { !"_.@".contains($0) }) {
        case "C", "POSIX": self = .english
        case let language: self.init(rawValue: language)
        }
    }

    /// The language that the environment asks for: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty
    /// decides (POSIX.1-2017, XBD, section 8.2). English if none is set or Latchkey has no sentences in that language.
    public init(environment variable: (_ name: String) -> String?) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(variable).first { !$0.isEmpty }
        self = name.flatMap(Language.init(locale:)) ?? .standard
    }

    /// The language itself if a program has it, otherwise ``standard``, otherwise another one that the program has.
    package func oneOf(_ languages: some Collection<Language>) -> Language {
        ([self, .standard] + Language.allCases).first(where: languages.contains) ?? .standard
    }

    /// The sentences of forms and rules in this language. Other modules add theirs.
    public var messages: MessageTable {
        switch self {
        case .english: .english
        case .portuguese: .portuguese
        }
    }
}
