import LatchkeyForms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct MessageTableTests {
    private let table = MessageTable.english

    @Test func `every code of a failure has a sentence`() throws {
        // The codes are read from the source, so that a new code without a sentence fails the test.
        var codes: [String] = []
        for path in SourceTree.files(below: "Sources/Forms/LatchkeyForms/Rules") {
            let source = String(decoding: try SourceTree.contents(of: path), as: UTF8.self)
            let found = source.matches(of: /static let \w+ = (?:Code|Self)\(rawValue: "(\w+)"\)/)
            codes += found.map { String($0.output.1) }
        }
        #expect(codes.count >= 50)
        #expect(Set(codes).count == codes.count)
        for code in codes { #expect(table.has("rule." + code), "\(code)") }
        // A code may have one sentence for each reason: `not_common.listed`.
        let used = table.codes.filter { $0.hasPrefix("rule.") }.map { String($0.dropFirst(5).prefix { $0 != "." }) }
        #expect(Set(used) == Set(codes), "no sentence is unused")
    }

    @Test(arguments: AccountType.linkTargets)
    func `every flow that can be linked has a link label`(type: AccountType) {
        #expect(table.has("link." + type.rawValue))
        #expect(table.linkLabel(to: type) == table.sentence("link." + type.rawValue))
    }

    @Test func `only the placeholders of a sentence are filled in`() {
        let table = MessageTable(sentences: [
            "a": "{x} and {y}, {x}", "b": "{unknown} {x", "c": "}{x}{", "d": "{}", "e": "{{x}}",
        ])
        let values: [String: RuleFailure.Value] = ["x": .integer(-1), "y": .text("{x}")]
        #expect(table.sentence("a", values) == "-1 and {x}, -1", "placeholders in a value are not filled in")
        #expect(table.sentence("b", values) == "{unknown} {x")
        #expect(table.sentence("c", values) == "}-1{")
        #expect(table.sentence("d", values) == "{}")
        #expect(table.sentence("e", values) == "{{x}}")
        #expect(table.sentence("nothing", values) == "nothing", "an unknown code is its own sentence")
        #expect(table.sentence("a", ["x": .text("e"), "y": .text("d")]) == "e and d, e", "a value is not looked up")
    }

    @Test(arguments: CommonPasswords.Reason.allCases)
    func `every reason to refuse a password has its own sentence`(reason: CommonPasswords.Reason) throws {
        let form = try FormCatalogue.shipped.form(for: .setup)
        var failure = RuleFailure(reason)
        failure.field = .password
        let sentence = table.sentence(for: failure, in: form)
        #expect(
            sentence.hasPrefix("Password ")
                && sentence != table.sentence("rule.not_common", ["field": .text("Password")]))
        #expect(table.has("rule.not_common." + reason.rawValue))
    }

    @Test(arguments: PasswordStrength.Advice.allCases)
    func `every advice has its own sentence`(advice: PasswordStrength.Advice) {
        #expect(table.has("rule.strength." + advice.rawValue))
    }

    @Test func `a module adds sentences that are missing in the table's language`() {
        let module = ModuleSentences("greetings", english: ["hello": "Hello"])
        #expect(MessageTable.english.completed(by: module).sentence("hello") == "Hello")
        #expect(MessageTable.portuguese.completed(by: module).sentence("hello") == "Hello")
        let translation = Translation(.portuguese, sentences: ["hello": "Olá"])
        #expect(MessageTable(translation).completed(by: module).sentence("hello") == "Olá")
        #expect(MessageTable(translation, sentences: [:]).completed(by: module).sentence("hello") == "Olá")
        #expect(MessageTable(translation, sentences: ["hello": "Oi"]).sentence("hello") == "Oi")
        #expect(table.completed(by: module, .forms, module).codes == table.codes.union(["hello"]))
    }

    @Test func `custom sentences override those of modules in any order`() {
        let module = ModuleSentences(
            "files", english: ["files": "{count} files", "files.one": "1 file"])
        let one: [String: RuleFailure.Value] = ["count": .integer(1)]
        for table in [
            table.adding(["files": "files: {count}"]).completed(by: module),
            table.completed(by: module).adding(["files": "files: {count}"]),
        ] {
            #expect(table.sentence("files", one) == "files: 1", "the singular of another sentence is gone")
        }
        let translation = Translation(.portuguese, sentences: ["files": "{count} ficheiros"])
        let translated = MessageTable(translation).completed(by: module)
        #expect(translated.sentence("files", one) == "1 ficheiros", "no singular of another language")
        let onlySingular = table.completed(by: module).adding(["files.one": "a file"])
        #expect(onlySingular.sentence("files", one) == "a file")
        #expect(onlySingular.sentence("files", ["count": .integer(2)]) == "2 files")
    }

    @Test func `a failure of an unknown field is reported with the field's key`() throws {
        let form = try FormCatalogue.shipped.form(for: .login)
        let failure = RuleFailure(code: .taken, field: "email_field")
        #expect(table.sentence(for: failure, in: form) == "email_field is already taken")
        let own = RuleFailure(code: RuleFailure.Code(rawValue: "of_a_program"), field: .username)
        #expect(table.sentence(for: own, in: form) == "rule.of_a_program")
    }
}
