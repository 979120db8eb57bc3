package import LatchkeyForms

/// The languages that a user can choose: the built-in ones, and those of the files in the folder `languages`.
package struct LanguageFolder: Sendable {
    private let path: String?
    private let inFolder: Set<Language>
    /// The sentences whose placeholders a translation must have.
    private let english: MessageTable

    /// The built-in languages.
    init() {
        (path, inFolder, english) = (nil, [], .english)
    }

    /// The built-in languages and those of the files in a folder, such as `de.json`. A file for a built-in language
    /// replaces it, except for English.
    ///
    /// - Throws: status 78 for a file whose name is not a language.
    init(_ path: String, comparedWith english: MessageTable) throws(ToolFailure) {
        var languages: Set<Language> = []
        for name in try JSONFolder.names(in: path) {
            guard let language = Language(rawValue: String(name.dropLast(".json".count))), language != .english else {
                throw .languageName(path: path + "/" + name)
            }
            languages.insert(language)
        }
        (self.path, inFolder, self.english) = (path, languages, english)
    }

    /// All languages, beginning with English.
    var languages: [Language] {
        let builtIn = Translation.builtIn.map(\.language)
        return builtIn + inFolder.subtracting(builtIn).sorted { $0.rawValue < $1.rawValue }
    }

    /// The names of all languages for messages: `en, pt, de`.
    var names: String { languages.map(\.rawValue).joined(separator: ", ") }

    /// The sentences of a language. Other languages than ``languages`` are in English.
    ///
    /// - Throws: status 78 for a file with an error.
    func translation(_ language: Language) throws(ToolFailure) -> Translation {
        if let path, inFolder.contains(language) {
            let file = path + "/" + language.rawValue + ".json"
            let bytes = try InputFiles.contents(of: file, limit: Translation.maximumBytes, takesPipes: false)
            do throws(FormDescriptionError) {
                return try Translation(language, reading: bytes, named: file, comparedWith: english)
            } catch {
                throw .configurationRefused(error)
            }
        }
        return Translation.builtIn.first { $0.language == language } ?? .english
    }

    /// The sentences of all languages.
    package func translations() throws(ToolFailure) -> [Translation] {
        var translations: [Translation] = []
        for language in languages { translations.append(try translation(language)) }
        return translations
    }
}
