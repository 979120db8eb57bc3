import LatchkeyForms

extension SettingValues {
    /// The maximum size of a sentence in bytes. With this limit, a line of a message is valid in mail (998 octets, RFC
    /// 5322, section 2.1.1) even if the sentence contains the service's name twice.
    private static let maximumSentenceBytes = 400

    /// Reads the sentence under `key`, which consists of `messages.` and a code. The sentence may only contain
    /// placeholders of the sentence that it replaces. A retired code is accepted.
    static func sentence(_ key: String, in reader: ObjectReader) throws(ToolFailure) -> String {
        let code = String(key.dropFirst(sentencePrefix.count))
        func refusal(_ name: String, _ values: [String: RuleFailure.Value] = [:]) -> ToolFailure {
            let values = values.merging(["key": .text(code)]) { $1 }
            return .configurationRefused(reader.error(.init(name, values), at: reader.place(of: key)))
        }
        let isRetired = ModuleSentences.retiredCodes.contains(code)
        guard let known = isRetired ? [] : placeholders(of: code) else {
            throw refusal("tool.setting_sentence_unknown")
        }
        var reader = reader
        let sentence: String
        do throws(FormDescriptionError) { sentence = try reader.string(key) ?? "" } catch {
            throw .configurationRefused(error)
        }
        guard sentence.utf8.count <= maximumSentenceBytes,
            sentence.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw refusal("tool.setting_sentence", ["maximum": .integer(maximumSentenceBytes)]) }
        guard isRetired || MessageTable.placeholders(in: sentence)?.isSubset(of: known) == true else {
            let allowed = known.sorted().map { "{\($0)}" }.joined(separator: ", ")
            throw refusal("tool.setting_sentence_braces", ["allowed": .text(allowed)])
        }
        return sentence
    }

    /// The placeholders of a code. All languages are searched, because the English table does not contain the sentences
    /// of the built-in forms.
    private static func placeholders(of code: String) -> Set<String>? {
        Language.allCases.lazy.compactMap { $0.allMessages.placeholders(of: code) }.first
    }
}
