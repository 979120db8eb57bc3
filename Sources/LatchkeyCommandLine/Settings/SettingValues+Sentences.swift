import LatchkeyForms

extension SettingValues {
    /// In bytes, so that a line of a message stays within what mail takes (998 octets, RFC 5322, section 2.1.1) with the
    /// service's name in it twice.
    private static let maximumSentenceBytes = 400

    /// The member `messages`: sentences under the codes of those that they replace, which may show the same values.
    static func sentences(_ reader: inout ObjectReader) throws(FormDescriptionError) -> [String: String] {
        guard var object = try reader.object("messages") else { return [:] }
        var sentences: [String: String] = [:]
        for code in object.keys {
            let place = object.place(of: code)
            let isRetired = MessageTable.retiredCodes.contains(code)
            guard let known = isRetired ? [] : placeholders(of: code) else {
                throw object.error(.init("tool.setting_sentence_unknown", ["key": .text(code)]), at: place)
            }
            guard let sentence = try object.string(code) else { continue }
            guard sentence.utf8.count <= maximumSentenceBytes,
                sentence.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else {
                let values: [String: RuleFailure.Value] = [
                    "key": .text(code), "maximum": .integer(maximumSentenceBytes),
                ]
                throw object.error(.init("tool.setting_sentence", values), at: place)
            }
            guard isRetired || MessageTable.placeholders(in: sentence)?.isSubset(of: known) == true else {
                let allowed = known.sorted().map { "{\($0)}" }.joined(separator: ", ")
                throw object.error(
                    .init("tool.setting_sentence_braces", ["key": .text(code), "allowed": .text(allowed)]), at: place)
            }
            sentences[code] = sentence
        }
        try object.finish()
        return sentences
    }

    /// Of any language: those for the built-in forms are in no English table.
    private static func placeholders(of code: String) -> Set<String>? {
        Language.allCases.lazy.compactMap { $0.messages.placeholders(of: code) }.first
    }
}
