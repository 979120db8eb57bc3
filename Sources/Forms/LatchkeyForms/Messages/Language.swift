/// A language of Latchkey's sentences.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case portuguese = "pt"

    /// The default language, used if neither the settings nor the locale specify a supported one.
    public static let standard = Language.english

    /// The language of a POSIX locale name, such as `pt_PT.UTF-8`, `pt_BR` or `C`; nil if it is not supported.
    public init?(locale name: String) {
        switch String(name.prefix { !"_.@".contains($0) }) {
        case "C", "POSIX": self = .english
        case let language: self.init(rawValue: language)
        }
    }

    /// The language from the environment: the first nonempty variable of `LC_ALL`, `LC_MESSAGES` and `LANG`
    /// (POSIX.1-2017, XBD, section 8.2). English if none is set or the language is not supported.
    public init(environment variable: (_ name: String) -> String?) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(variable).first { !$0.isEmpty }
        self = name.flatMap(Language.init(locale:)) ?? .standard
    }

    /// This language if `languages` contains it, otherwise ``standard``, otherwise any other.
    package func oneOf(_ languages: some Collection<Language>) -> Language {
        ([self, .standard] + Language.allCases).first(where: languages.contains) ?? .standard
    }

    /// The sentences of forms and rules in this language. Other modules add their sentences.
    public var messages: MessageTable {
        switch self {
        case .english: .english
        case .portuguese: .portuguese
        }
    }
}
