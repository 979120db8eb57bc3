import LatchkeyForms

extension SettingValues {
    /// In bytes. A line of a message stays within what mail allows (998 octets, RFC 5322, section 2.1.1) even if the
    /// sentence has the service's name twice.
    private static let maximumSentenceBytes = 400

    /// Reads the sentences of a configuration file by code: members of `messages`, or keys such as
    /// `messages.response.taken`.
    static func sentences(_ reader: inout ObjectReader) throws(FormDescriptionError) -> [String: String] {
        var sentences: [String: String] = [:]
        if var object = try reader.object("messages") {
            for code in object.keys { sentences[code] = try sentence(code, in: &object, under: code) }
            try object.finish()
        }
        for key in reader.keys where key.hasPrefix(sentencePrefix) {
            let code = String(key.dropFirst(sentencePrefix.count))
            guard let sentence = try sentence(code, in: &reader, under: key) else { continue }
            guard sentences[code] == nil else { throw isGivenTwice(key, "messages", reader) }
            sentences[code] = sentence
        }
        return sentences
    }

    /// Reads one sentence. It may show the values that the sentence it replaces shows, or fewer. A retired code is accepted.
    private static func sentence(
        _ code: String, in reader: inout ObjectReader, under key: String
    ) throws(FormDescriptionError) -> String? {
        let place = reader.place(of: key)
        let isRetired = ModuleSentences.retiredCodes.contains(code)
        guard let known = isRetired ? [] : placeholders(of: code) else {
            throw reader.error(.init("tool.setting_sentence_unknown", ["key": .text(code)]), at: place)
        }
        guard let sentence = try reader.string(key) else { return nil }
        guard sentence.utf8.count <= maximumSentenceBytes,
            sentence.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            let values: [String: RuleFailure.Value] = [
                "key": .text(code), "maximum": .integer(maximumSentenceBytes),
            ]
            throw reader.error(.init("tool.setting_sentence", values), at: place)
        }
        guard isRetired || MessageTable.placeholders(in: sentence)?.isSubset(of: known) == true else {
            let allowed = known.sorted().map { "{\($0)}" }.joined(separator: ", ")
            throw reader.error(
                .init("tool.setting_sentence_braces", ["key": .text(code), "allowed": .text(allowed)]), at: place)
        }
        return sentence
    }

    /// Looks in the tables of all languages, because the English table has no sentences for the built-in forms.
    private static func placeholders(of code: String) -> Set<String>? {
        Language.allCases.lazy.compactMap { $0.allMessages.placeholders(of: code) }.first
    }
}
