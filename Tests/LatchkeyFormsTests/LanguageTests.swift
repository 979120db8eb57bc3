import LatchkeyForms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LanguageTests {
    @Test(arguments: [
        ("pt", Language.portuguese), ("pt_PT", .portuguese), ("pt_PT.UTF-8", .portuguese), ("pt_BR", .portuguese),
        ("pt_PT@euro", .portuguese), ("pt.ISO-8859-1", .portuguese), ("en_GB.UTF-8", .english), ("C", .english),
        ("C.UTF-8", .english), ("POSIX", .english), ("de_DE.UTF-8", nil), ("ptx", nil), ("PT", nil), ("", nil),
        ("pt-PT", nil), ("_PT", nil),
    ])
    func `the language is parsed from a locale name`(name: String, language: Language?) {
        #expect(Language(locale: name) == language)
    }

    @Test func `the first variable that is set determines the language`() {
        func language(_ variables: [String: String]) -> Language { Language { variables[$0] } }
        #expect(language([:]) == .english)
        #expect(language(["LANG": "pt_PT.UTF-8"]) == .portuguese)
        #expect(language(["LC_MESSAGES": "C", "LANG": "pt_PT"]) == .english)
        #expect(language(["LC_ALL": "pt_BR.UTF-8", "LC_MESSAGES": "C", "LANG": "C"]) == .portuguese)
        #expect(
            language(["LC_ALL": "", "LC_MESSAGES": "pt", "LANG": "C"]) == .portuguese,
            "an empty variable counts as unset")
        #expect(language(["LC_ALL": "de_DE", "LANG": "pt_PT"]) == .english, "an unsupported language gives English")
    }

    /// The English table has no strings of the shipped forms, because their descriptions are in English.
    private func isOfForms(_ code: String) -> Bool {
        AccountType.allCases.contains { code.hasPrefix("form." + $0.rawValue + ".") }
    }

    @Test(arguments: Language.allCases)
    func `each language has the same codes, with the same placeholders in each sentence`(language: Language) throws {
        let (english, table) = (MessageTable.english, language.messages)
        let codes = table.codes.filter { !isOfForms($0) }
        #expect(codes.symmetricDifference(english.codes).sorted() == [])
        for code in codes.sorted() {
            let placeholders = try #require(table.placeholders(of: code), "\(code) has braces around nothing")
            #expect(placeholders == english.placeholders(of: code), "\(code)")
        }
    }

    @Test(arguments: Language.allCases.filter { $0 != .english })
    func `each sentence differs between the languages`(language: Language) {
        // Errors in descriptions are English only.
        let english = Set(ModuleSentences.descriptions.sentences(in: .english).keys)
        let same = MessageTable.english.codes.subtracting(english).filter { code in
            let sentence = MessageTable.english.sentence(code)
            // Placeholders and strings without words: "{check}: ok".
            let hasWords = sentence.replacing(/\{\w+\}/, with: "").contains(/[A-Za-z]{3,}/)
            return hasWords && language.messages.sentence(code) == sentence
        }
        #expect(same == [])
    }

    @Test(arguments: Language.allCases)
    func `the shipped forms are translated completely, without unused translations`(language: Language) throws {
        var wanted: Set<String> = []
        for type in AccountType.allCases where language != .english {
            let form = try FormCatalogue.shipped.form(for: type)
            wanted.formUnion(["title", "submit"].map { "form.\(type.rawValue).\($0)" })
            for field in form.fields {
                let parts = ["label", "placeholder"] + (field.help == nil ? [] : ["help"])
                wanted.formUnion(parts.map { "form.\(type.rawValue).\(field.apiKey.rawValue).\($0)" })
            }
        }
        let told = language.messages.codes.filter(isOfForms)
        #expect(told.symmetricDifference(wanted).sorted() == [])
    }

    @Test func `a translated form differs only in its strings`() throws {
        let english = try FormCatalogue.shipped
        let portuguese = try FormCatalogue(messages: .portuguese)
        let setup = portuguese.form(for: .setup)
        #expect(setup.title == "Crie a sua conta" && setup.submit == "Criar conta")
        #expect(setup.field(.password)?.label == "Palavra-passe")
        #expect(setup.field(.email)?.placeholder == "Endereço de e-mail")
        for type in AccountType.allCases {
            let (one, other) = (english.form(for: type), portuguese.form(for: type))
            #expect(one.title != other.title)
            #expect(one.links == other.links && one.fields.map(\.apiKey) == other.fields.map(\.apiKey))
            #expect(one.fields.map(\.flag) == other.fields.map(\.flag))
            #expect(
                one.fields.map { $0.validationRules.map(\.code) }
                    == other.fields.map { $0.validationRules.map(\.code) })
            #expect(one.fields.map(\.isSecret) == other.fields.map(\.isSecret))
        }
    }

    @Test func `an operator's description is not translated`() throws {
        let text = #"""
            {"form": "forgotPassword", "title": "Lost it?", "submit": "Go", "fields": [
                {"apiKey": "email_field", "placeholder": "Mail", "rules": [{"rule": "email"}]}]}
            """#
        let source = FormCatalogue.Source(file: "mine.json", bytes: Array(text.utf8))
        let form = try FormCatalogue(replacedBy: [source], messages: .portuguese).form(for: .forgotPassword)
        #expect(form.title == "Lost it?" && form.submit == "Go" && form.field(.email)?.label == "Mail")
    }

    @Test func `a count of one uses the singular sentence`() {
        let table = MessageTable(sentences: ["files": "{count} files", "files.one": "1 file"])
        #expect(table.sentence("files", ["count": .integer(1)]) == "1 file")
        #expect(table.sentence("files", ["count": .integer(2)]) == "2 files")
        let replaced = table.adding(["files": "files: {count}"])
        #expect(
            replaced.sentence("files", ["count": .integer(1)]) == "files: 1", "the singular of another sentence is gone"
        )
    }

    @Test(arguments: [
        (0, "0 seconds"), (1, "1 second"), (90, "90 seconds"), (60, "60 seconds"), (600, "10 minutes"),
        (86400, "24 hours"), (172_800, "2 days"), (2_592_000, "30 days"),
    ])
    func `a duration is shown in the largest unit of which there are at least two`(seconds: Int, words: String) {
        #expect(MessageTable.english.duration(seconds: seconds) == words)
    }

    @Test func `every sentence of a rule accepts the label of the field`() {
        #expect(MessageTable.english.placeholders(of: "rule.full_name") == ["field"])
        #expect(MessageTable.english.placeholders(of: "form.optional") == [])
    }

    @Test(
        arguments: [
            ("a {b} {c_d}", ["b", "c_d"]), ("", []), ("{b", nil), ("b}", nil), ("{}", nil), ("{{b}}", nil),
            ("{b{c}}", nil),
        ] as [(String, Set<String>?)])
    func `braces contain only placeholder names`(sentence: String, names: Set<String>?) {
        #expect(MessageTable.placeholders(in: sentence) == names)
    }
}
