/// A language of Latchkey's sentences, as a language tag (RFC 5646) of a language with an optional script and region:
/// `de`, `pt-BR`, `zh-Hant`, `es-419`.
public struct Language: Hashable, RawRepresentable, Sendable {
    /// The tag in its usual spelling.
    public let rawValue: String

    public static let english = Language(unchecked: "en")
    public static let portuguese = Language(unchecked: "pt")

    /// The default language, used if neither the settings nor the locale specify a supported one.
    public static let standard = Language.english

    private init(unchecked tag: String) { rawValue = tag }

    /// Creates the language with a tag in its usual spelling; nil for every other string.
    public init?(rawValue tag: String) {
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = parts.first, (2...3).contains(language.count), language.allSatisfy(\.isLowercase) else {
            return nil
        }
        var rest = parts.dropFirst()
        if let script = rest.first, script.count == 4 {
            guard script.first?.isUppercase == true, script.dropFirst().allSatisfy(\.isLowercase) else { return nil }
            rest.removeFirst()
        }
        if let region = rest.popFirst() {
            let isCountry = region.count == 2 && region.allSatisfy(\.isUppercase)
            guard isCountry || region.count == 3 && region.allSatisfy(\.isDigit) else { return nil }
        }
        guard rest.isEmpty else { return nil }
        rawValue = tag
    }

    /// The best of `languages` for a language tag in any spelling: the same one, otherwise the one with fewer subtags
    /// (RFC 4647, section 3.4); nil if there is none.
    ///
    /// `pt-BR` finds `pt-BR` or else `pt`, but not `pt-PT`.
    public static func lookUp(_ tag: String, in languages: some Collection<Language>) -> Language? {
        var subtags = tag.split(separator: "-", omittingEmptySubsequences: false).map { $0.lowercased() }
        while !subtags.isEmpty {
            let wanted = subtags.joined(separator: "-")
            if let language = languages.first(where: { $0.rawValue.lowercased() == wanted }) { return language }
            subtags.removeLast()
        }
        return nil
    }

    /// The best of `languages` for a POSIX locale name, such as `pt_PT.UTF-8`, `pt_BR` or `C`; nil if there is none.
    public static func lookUp(locale name: String, in languages: some Collection<Language>) -> Language? {
        let tag = name.prefix { !".@".contains($0) }.map { $0 == "_" ? "-" : String($0) }.joined()
        return lookUp(["C", "POSIX"].contains(tag) ? Language.english.rawValue : tag, in: languages)
    }

    /// The best of `languages` for the environment: the first nonempty variable of `LC_ALL`, `LC_MESSAGES` and `LANG`
    /// (POSIX.1-2017, XBD, section 8.2). Nil if none is set or the language is not among them.
    public static func lookUp(
        environment variable: (_ name: String) -> String?, in languages: some Collection<Language>
    ) -> Language? {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(variable).first { !$0.isEmpty }
        return name.flatMap { lookUp(locale: $0, in: languages) }
    }

    /// Whether text in this language is written from right to left: by its script, or else by the usual script of the
    /// language.
    public var isRightToLeft: Bool {
        let parts = rawValue.split(separator: "-")
        if let script = parts.dropFirst().first, script.utf8.count == 4 {
            return ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"].contains(script)
        }
        return [
            "ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
        ].contains(parts.first)
    }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
