/// The sentences of one module by code, in all languages or only in English.
package struct ModuleSentences: Sendable {
    package let module: String
    private let english: @Sendable () -> [String: String]
    private let portuguese: (@Sendable () -> [String: String])?

    /// - Parameters:
    ///   - module: a unique name for these sentences.
    ///   - english: evaluated when a sentence is first looked up, so that a process only builds what it shows.
    package init(
        _ module: String, english: @autoclosure @escaping @Sendable () -> [String: String],
        portuguese: @autoclosure @escaping @Sendable () -> [String: String]
    ) {
        self.module = module
        self.english = english
        self.portuguese = portuguese
    }

    /// Creates sentences that only operators see, which are in English for every language.
    package init(_ module: String, english: @autoclosure @escaping @Sendable () -> [String: String]) {
        self.module = module
        self.english = english
        portuguese = nil
    }

    /// Whether the sentences are translated.
    package var isTranslated: Bool { portuguese != nil }

    /// The sentences in `language`, by code.
    package func sentences(in language: Language) -> [String: String] {
        switch language {
        case .english: english()
        case .portuguese: portuguese?() ?? english()
        }
    }
}

extension Language {
    /// The language of sentences that only operators see.
    package static let ofOperators = Language.english
}
