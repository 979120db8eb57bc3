public import LatchkeyForms

/// What a recorded session is drawn with, beside the terminal.
public struct RecordedSetting: Sendable {
    /// Of the program that records.
    public let version: String
    public let language: Language
    /// Sentences in the place of the language's own, by their codes.
    public let sentences: [String: String]
    /// Descriptions in the place of the built-in forms.
    let descriptions: [FormCatalogue.Source]
    /// Fields that the forms in force lack, and their descriptions have.
    let left: [AccountType: [FieldKey]]

    /// - Parameters:
    ///   - forms: as their descriptions have them.
    ///   - inForce: the same forms, without the fields that are not asked for.
    public init(
        version: String, language: Language, sentences: [String: String], forms: FormCatalogue, inForce: FormCatalogue
    ) {
        self.version = version
        self.language = language
        self.sentences = sentences
        descriptions = forms.sources
        var left: [AccountType: [FieldKey]] = [:]
        for type in AccountType.allCases {
            let shown = inForce.form(for: type)
            let missing = forms.form(for: type).fields.map(\.apiKey).filter { shown.field($0) == nil }
            if !missing.isEmpty { left[type] = missing }
        }
        self.left = left
    }

    init(
        version: String, language: Language, sentences: [String: String], descriptions: [FormCatalogue.Source],
        left: [AccountType: [FieldKey]]
    ) {
        self.version = version
        self.language = language
        self.sentences = sentences
        self.descriptions = descriptions
        self.left = left
    }

    var messages: MessageTable { language.messages.adding(sentences) }

    /// The forms in force.
    func forms() throws(FormDescriptionError) -> FormCatalogue {
        var forms = try FormCatalogue(replacedBy: descriptions, messages: messages)
        for (type, fields) in left {
            let form = fields.reduce(forms.form(for: type)) { form, field in form.without(field) }
            forms = forms.replacing(form)
        }
        return forms
    }
}

extension RecordedSetting {
    var members: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [
            ("latchkey", .string(version)), ("language", .string(language.rawValue)),
        ]
        if !sentences.isEmpty { members.append(("sentences", .object(texts: sentences))) }
        let forms = descriptions.compactMap { try? JSONReader.read($0.bytes).value }
        if !forms.isEmpty { members.append(("forms", .array(forms))) }
        if !left.isEmpty {
            let lists = AccountType.allCases.compactMap { type in
                left[type].map { keys in
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
        var left: [AccountType: [FieldKey]] = [:]
        if let given = json["without"] {
            guard case .object(let lists) = given else { return nil }
            for (name, list) in lists {
                guard let type = AccountType(rawValue: name), case .array(let keys) = list else { return nil }
                let fields = keys.compactMap { $0.string.map { FieldKey(rawValue: $0) } }
                guard fields.count == keys.count else { return nil }
                left[type] = fields
            }
        }
        self.init(
            version: version, language: language, sentences: sentences, descriptions: descriptions, left: left)
    }
}
