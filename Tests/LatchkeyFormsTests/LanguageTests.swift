import LatchkeyForms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LanguageTests {
    private static let languages: [Language] =
        [.english, .portuguese] + ["pt-PT", "zh-Hant"].compactMap(Language.init)

    @Test(arguments: [
        ("pt", "pt"), ("pt_PT", "pt-PT"), ("pt_PT.UTF-8", "pt-PT"), ("pt_BR", "pt"), ("pt_PT@euro", "pt-PT"),
        ("pt.ISO-8859-1", "pt"), ("en_GB.UTF-8", "en"), ("C", "en"), ("C.UTF-8", "en"), ("POSIX", "en"),
        ("PT", "pt"), ("pt-PT", "pt-PT"), ("zh_Hant_TW", "zh-Hant"), ("zh_TW", nil), ("de_DE.UTF-8", nil),
        ("ptx", nil), ("", nil), ("_PT", nil), ("-", nil), ("pt-", "pt"),
    ])
    func `the language of a locale is the same or a more general one`(name: String, language: String?) {
        #expect(Language.lookUp(locale: name, in: Self.languages)?.rawValue == language)
    }

    @Test func `the first variable that is set determines the language`() {
        func language(_ variables: [String: String]) -> Language? {
            Language.lookUp(environment: { variables[$0] }, in: [.english, .portuguese])
        }
        #expect(language([:]) == nil)
        #expect(language(["LANG": "pt_PT.UTF-8"]) == .portuguese)
        #expect(language(["LC_MESSAGES": "C", "LANG": "pt_PT"]) == .english)
        #expect(language(["LC_ALL": "pt_BR.UTF-8", "LC_MESSAGES": "C", "LANG": "C"]) == .portuguese)
        #expect(
            language(["LC_ALL": "", "LC_MESSAGES": "pt", "LANG": "C"]) == .portuguese,
            "an empty variable counts as unset")
        #expect(language(["LC_ALL": "de_DE", "LANG": "pt_PT"]) == nil, "an unsupported language hides the others")
    }

    @Test(arguments: [
        ("en", true), ("pt-BR", true), ("zh-Hant", true), ("zh-Hant-TW", true), ("es-419", true), ("gsw", true),
        ("", false), ("e", false), ("engl", false), ("EN", false), ("pt_BR", false), ("pt-br", false), ("pt-", false),
        ("zh-hant", false), ("pt-BR-x", false), ("es-41", false), ("../en", false), ("pt-BR-AO1990", false),
    ])
    func `a language is written as a tag in its usual spelling`(tag: String, isLanguage: Bool) {
        #expect((Language(rawValue: tag) != nil) == isLanguage)
    }

    @Test(arguments: [
        ("ar", true), ("he-IL", true), ("az-Arab", true), ("en", false), ("ku-Latn", false), ("ar-Latn", false),
    ])
    func `the direction of text follows the language or its script`(tag: String, isRightToLeft: Bool) {
        #expect(Language(rawValue: tag)?.isRightToLeft == isRightToLeft)
    }

    @Test func `a translated form differs only in its strings`() throws {
        let english = try FormCatalogue.shipped
        let portuguese = try FormCatalogue(messages: .portuguese)
        let setup = portuguese.form(for: .setup)
        #expect(setup.title == "Crie a sua conta" && setup.submit == "Criar conta")
        #expect(setup.field(.password)?.label == "Palavra-passe")
        #expect(setup.field(.email)?.placeholder == "E-mail")
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
        #expect(MessageTable.english.placeholders(of: "rule.full_name")?.optional == ["field"])
        #expect(MessageTable.english.placeholders(of: "form.optional")?.optional == [])
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
