/// The sentences of one module, by code, in every language, or in English only.
package struct ModuleSentences: Sendable {
    package let module: String
    private let english: @Sendable () -> [String: String]
    private let portuguese: (@Sendable () -> [String: String])?

    /// - Parameters:
    ///   - module: a name that no other sentences have.
    ///   - english: not evaluated before a sentence is looked up, so that a process builds only what it shows.
    package init(
        _ module: String, english: @autoclosure @escaping @Sendable () -> [String: String],
        portuguese: @autoclosure @escaping @Sendable () -> [String: String]
    ) {
        self.module = module
        self.english = english
        self.portuguese = portuguese
    }

    /// Sentences that only operators see: English in every language.
    package init(_ module: String, english: @autoclosure @escaping @Sendable () -> [String: String]) {
        self.module = module
        self.english = english
        portuguese = nil
    }

    /// Whether each language has its own sentences.
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
    /// The language of what only operators see.
    package static let ofOperators = Language.english
}
