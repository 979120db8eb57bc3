import LatchkeyForms

/// `messages`: exports and checks translations.
enum MessagesCommands {
    /// `messages export`: prints the sentences of a language.
    static let export = CommandSpec(
        words: ["messages", "export"], summary: "Print the sentences of a language",
        about:
            "Print every sentence that account owners see as JSON: in English (en) as the file to translate, or in another"
            + " language, where a missing sentence is empty. Write it to a file that is named after the language, such as"
            + " de.json, in the folder of the setting languages.",
        operand: CommandSpec.Operand(name: "LANG", isRequired: true), isOfService: true,
        statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey messages export en", "latchkey messages export pt"]
    ) { (context) async throws(ToolFailure) in
        let languages = context.settings.languages
        guard let language = context.operand.flatMap({ Language(rawValue: $0) }), languages.languages.contains(language)
        else { throw .badValue("LANG", .language(known: languages.names)) }
        let english = context.parts.english
        let sentences = language == .english ? nil : try languages.translation(language).sentences
        let members = english.translatedCodes.sorted().map { code in
            (
                code: JSONValue.string(code),
                sentence: JSONValue.string(sentences.map { $0[code] ?? "" } ?? english.sentence(code))
            )
        }
        var lines = members.map { "  \($0.code.encoded): \($0.sentence.encoded)," }
        lines.append(lines.popLast().map { String($0.dropLast()) } ?? "")
        return .lines(
            ["{"] + lines + ["}"],
            json: [
                ("language", .string(language.rawValue)),
                ("sentences", .array(members.map { .object([("code", $0.code), ("sentence", $0.sentence)]) })),
            ])
    }

    /// `messages check`: reports all problems of translations.
    static let check = CommandSpec(
        words: ["messages", "check"], summary: "Check translations",
        about:
            "Report each sentence that is missing in FILE, that does not exist in English, or whose names in braces differ"
            + " from the English sentence. The status is 78 if there is one. Latchkey accepts a file with missing"
            + " sentences and shows those in English.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true, isRepeatable: true), isOfService: true,
        statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: [
            "latchkey messages check Languages/de.json", "latchkey messages check Languages/de.json Languages/pt.json",
        ]
    ) { (context) async throws(ToolFailure) in
        let english = context.parts.english
        let codes = english.translatedCodes
        var errors: [ToolFailure.FieldError] = []
        var files: [String] = []
        for operand in context.invocation.operands {
            guard let file = operand.path else { throw .badValue("FILE", .path) }
            errors += try problems(of: file, codes, english, context.messages)
            files.append(file)
        }
        guard errors.isEmpty else { throw .translationsRefused(errors) }
        let lines = files.map { file in
            context.messages.sentence(
                "tool.translation_complete", ["file": .text(file), "count": .integer(codes.count)])
        }
        return .lines(
            lines,
            json: [("files", .array(files.map { .string($0) })), ("sentences", .integer(codes.count))])
    }

    private static func problems(
        of file: String, _ codes: Set<String>, _ english: MessageTable, _ messages: MessageTable
    ) throws(ToolFailure) -> [ToolFailure.FieldError] {
        let bytes = try InputFiles.contents(of: file, limit: Translation.maximumBytes)
        do throws(FormDescriptionError) {
            let read = try Translation.file(bytes, named: file, comparedWith: english)
            let refused = Set(read.refusals.compactMap(\.problem.sentenceCode))
            func error(_ code: String, _ key: String) -> ToolFailure.FieldError {
                let values: [String: RuleFailure.Value] = ["file": .text(file), "key": .text(key)]
                return ToolFailure.FieldError(
                    field: file, flag: nil, code: code, values: values,
                    message: messages.sentence("tool." + code, values))
            }
            return read.refusals.map { ToolFailure.FieldError($0, messages) }
                + codes.subtracting(read.sentences.keys).subtracting(refused).sorted().map {
                    error("translation_missing", $0)
                }
                + Set(read.sentences.keys).subtracting(codes).sorted().map { error("translation_unknown", $0) }
        } catch {
            return [ToolFailure.FieldError(error, messages)]
        }
    }
}

extension FormDescriptionError.Problem {
    /// The code of the sentence that the problem is about; nil if it is about none.
    fileprivate var sentenceCode: String? {
        guard case .text(let key)? = values["key"] else { return nil }
        return key
    }
}
