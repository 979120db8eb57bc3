public import LatchkeyForms

/// The language and the forms of a recorded session.
public struct RecordingConfiguration: Sendable {
    /// The version of the program that recorded.
    public let version: String
    public let language: Language
    /// Sentences that replace those of the language, by code.
    public let sentences: [String: String]
    /// Descriptions that replace built-in forms.
    let descriptions: [FormCatalogue.Source]
    /// Fields that the session did not ask for, although the descriptions contain them.
    let omitted: [AccountType: [FieldKey]]

    /// - Parameters:
    ///   - forms: the forms as their descriptions define them.
    ///   - shown: the same forms without the fields that the session does not ask for.
    public init(
        version: String, language: Language, sentences: [String: String], forms: FormCatalogue, shown: FormCatalogue
    ) {
        self.version = version
        self.language = language
        self.sentences = sentences
        descriptions = forms.sources
        var omitted: [AccountType: [FieldKey]] = [:]
        for type in AccountType.allCases {
            let form = shown.form(for: type)
            let missing = forms.form(for: type).fields.map(\.apiKey).filter { form.field($0) == nil }
            if !missing.isEmpty { omitted[type] = missing }
        }
        self.omitted = omitted
    }

    init(
        version: String, language: Language, sentences: [String: String], descriptions: [FormCatalogue.Source],
        omitted: [AccountType: [FieldKey]]
    ) {
        self.version = version
        self.language = language
        self.sentences = sentences
        self.descriptions = descriptions
        self.omitted = omitted
    }

    var messages: MessageTable { language.messages.adding(sentences) }

    /// The forms that the session showed.
    func forms() throws(FormDescriptionError) -> FormCatalogue {
        var forms = try FormCatalogue(replacedBy: descriptions, messages: messages)
        for (type, fields) in omitted {
            let form = fields.reduce(forms.form(for: type)) { form, field in form.without(field) }
            forms = forms.replacing(form)
        }
        return forms
    }
}

extension RecordingConfiguration {
    var members: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [
            ("latchkey", .string(version)), ("language", .string(language.rawValue)),
        ]
        if !sentences.isEmpty { members.append(("sentences", .object(texts: sentences))) }
        let forms = descriptions.compactMap { try? JSONReader.read($0.bytes).value }
        if !forms.isEmpty { members.append(("forms", .array(forms))) }
        if !omitted.isEmpty {
            let lists = AccountType.allCases.compactMap { type in
                omitted[type].map { keys in
                    (key: type.rawValue, value: JSONValue.array(keys.map { .string($0.rawValue) }))
                }
            }
            members.append(("without", .object(lists)))
        }
        return members
    }

    init?(json: JSONValue) {
        guard let version = json["latchkey"]?.string,
            let language = json["language"]?.string.flatMap(Language.init(rawValue:)),
            let sentences = json["sentences"].map(\.texts) ?? [:]
        else { return nil }
        var descriptions: [FormCatalogue.Source] = []
        if let given = json["forms"] {
            guard case .array(let forms) = given else { return nil }
            descriptions = forms.enumerated().map { index, form in
                FormCatalogue.Source(file: "forms[\(index)]", bytes: Array(form.encoded.utf8))
            }
        }
        var omitted: [AccountType: [FieldKey]] = [:]
        if let given = json["without"] {
            guard case .object(let lists) = given else { return nil }
            for (name, list) in lists {
                guard let type = AccountType(rawValue: name), case .array(let keys) = list else { return nil }
                let fields = keys.compactMap { $0.string.map { FieldKey(rawValue: $0) } }
                guard fields.count == keys.count else { return nil }
                omitted[type] = fields
            }
        }
        self.init(
            version: version, language: language, sentences: sentences, descriptions: descriptions, omitted: omitted)
    }
}
