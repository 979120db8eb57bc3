/// The sentences of one language: a JSON object with a string for each code, such as `Languages/pt.json`.
///
/// English has no such file: its sentences are in the modules. It replaces every sentence that a translation lacks.
public struct Translation: Sendable {
    public let language: Language
    /// The translated sentences by code.
    public let sentences: [String: String]

    /// The English sentences, which are in the modules.
    public static let english = Translation(.english, sentences: [:])
    /// The Portuguese sentences, which the build embeds in the binary.
    public static let portuguese = Translation(
        .portuguese, sentences: (try? file(PackageResources.pt_json, named: "pt.json"))?.sentences ?? [:])
    /// The languages that need no file.
    public static let builtIn = [english, portuguese]

    /// The maximum size of a file in bytes: ten times the size of a complete one.
    package static let maximumBytes = 1_048_576
    /// The maximum size of a sentence in bytes. With this limit, a line of a message is valid in mail (998 octets, RFC
    /// 5322, section 2.1.1) even if the sentence contains the service's name twice.
    package static let maximumSentenceBytes = 400

    /// Creates a translation of the given sentences.
    public init(_ language: Language, sentences: [String: String]) {
        self.language = language
        self.sentences = sentences
    }

    /// Reads a file. Codes that `english` does not have are allowed: they may belong to another version.
    ///
    /// - Parameters:
    ///   - english: the sentences whose placeholders the translation must have.
    ///   - bytes: the contents of the file.
    ///   - file: the name of the file, for errors.
    ///   - language: the language of the sentences.
    /// - Throws: the first error of the file.
    public init(
        _ language: Language, reading bytes: [UInt8], named file: String, comparedWith english: MessageTable
    ) throws(FormDescriptionError) {
        let read = try Self.file(bytes, named: file, comparedWith: english)
        if let refusal = read.refusals.first { throw refusal }
        self.init(language, sentences: read.sentences)
    }

    /// The sentences of a file and the reasons for each refused one. An empty string counts as missing, because
    /// programs for translators write it for a sentence without a translation.
    ///
    /// - Throws: an error that prevents reading the rest of the file.
    package static func file(
        _ bytes: [UInt8], named file: String, comparedWith english: MessageTable? = nil
    ) throws(FormDescriptionError) -> (sentences: [String: String], refusals: [FormDescriptionError]) {
        let reader = try ObjectReader(reading: bytes.span, named: "translation", in: file, limit: maximumBytes)
        var sentences: [String: String] = [:]
        var refusals: [FormDescriptionError] = []
        for member in reader.members {
            guard case .string(let sentence) = member.value.content else {
                refusals.append(reader.error(.wrongType(member.key, expected: "string"), at: member.value.place))
                continue
            }
            guard !sentence.isEmpty else { continue }
            if let problem = english.flatMap({ problem(of: sentence, for: member.key, in: $0) }) {
                refusals.append(reader.error(problem, at: member.value.place))
            } else {
                sentences[member.key] = sentence
            }
        }
        return (sentences, refusals)
    }

    private static func problem(
        of sentence: String, for code: String, in english: MessageTable
    ) -> FormDescriptionError.Problem? {
        guard isPrintable(sentence) else { return .sentence(code, maximum: maximumSentenceBytes) }
        guard let (required, optional) = english.placeholders(of: code) else { return nil }
        guard let used = MessageTable.placeholders(in: sentence), required.isSubset(of: used),
            used.isSubset(of: required.union(optional))
        else { return .placeholders(code, required) }
        return nil
    }

    /// Whether a sentence is at most ``maximumSentenceBytes`` long and has no control characters.
    package static func isPrintable(_ sentence: String) -> Bool {
        // The control characters (general category Cc) are U+0000 to U+001F and U+007F to U+009F.
        sentence.utf8.count <= maximumSentenceBytes
            && sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}

extension FormDescriptionError.Problem {
    /// A sentence is too long or has control characters.
    package static func sentence(_ code: String, maximum: Int) -> Self {
        Self("translation.sentence", ["key": .text(code), "maximum": .integer(maximum)])
    }
    /// A sentence does not have the placeholders that it needs.
    package static func placeholders(_ code: String, _ names: Set<String>) -> Self {
        names.isEmpty
            ? Self("translation.no_placeholders", ["key": .text(code)])
            : Self(
                "translation.placeholders",
                ["key": .text(code), "names": .text(names.sorted().map { "{\($0)}" }.joined(separator: ", "))])
    }
}
