import LatchkeyForms

extension SettingValues {
    /// Reads the sentence under `key`, which consists of `messages.` and a code. The sentence may only contain
    /// placeholders of the sentence that it replaces. A retired code is accepted.
    static func sentence(_ key: String, in reader: ObjectReader) throws(ToolFailure) -> String {
        let code = String(key.dropFirst(sentencePrefix.count))
        func refusal(_ name: String, _ values: [String: RuleFailure.Value] = [:]) -> ToolFailure {
            let values = values.merging(["key": .text(code)]) { $1 }
            return .configurationRefused(reader.error(.init(name, values), at: reader.place(of: key)))
        }
        let isRetired = ModuleSentences.retiredCodes.contains(code)
        let placeholders = Translation.replaceableMessages.placeholders(of: code)
        guard isRetired || placeholders != nil else { throw refusal("tool.setting_sentence_unknown") }
        let known = placeholders.map { $0.required.union($0.optional) } ?? []
        var reader = reader
        let sentence: String
        do throws(FormDescriptionError) { sentence = try reader.string(key) ?? "" } catch {
            throw .configurationRefused(error)
        }
        guard Translation.isPrintable(sentence) else {
            throw refusal("tool.setting_sentence", ["maximum": .integer(Translation.maximumSentenceBytes)])
        }
        guard isRetired || MessageTable.placeholders(in: sentence)?.isSubset(of: known) == true else {
            let allowed = known.sorted().map { "{\($0)}" }.joined(separator: ", ")
            throw refusal("tool.setting_sentence_braces", ["allowed": .text(allowed)])
        }
        return sentence
    }
}
