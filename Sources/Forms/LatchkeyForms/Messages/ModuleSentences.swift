/// The English sentences of one module by code. A ``Translation`` has those of other languages.
package struct ModuleSentences: Sendable {
    package let module: String
    /// Whether translations have these sentences. Those that only operators see are in English for every language.
    package let isTranslated: Bool
    private let english: @Sendable () -> [String: String]

    /// - Parameters:
    ///   - module: a unique name for these sentences.
    ///   - english: evaluated when a sentence is first looked up, so that a process only builds what it shows.
    package init(
        _ module: String, isTranslated: Bool = true, english: @autoclosure @escaping @Sendable () -> [String: String]
    ) {
        self.module = module
        self.isTranslated = isTranslated
        self.english = english
    }

    /// The English sentences by code.
    package var sentences: [String: String] { english() }
}
