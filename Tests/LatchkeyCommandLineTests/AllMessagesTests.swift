import LatchkeyForms
import Testing

@testable import LatchkeyAccounts
@testable import LatchkeyCommandLine
@testable import LatchkeyFlows
@testable import LatchkeyProvisioning
@testable import LatchkeyTerminal

/// Compares the sentences of all modules with each other. `LanguageTests` has the built-in forms.
@Suite(.timeLimit(.minutes(60)))
struct AllMessagesTests {
    private static let modules: [ModuleSentences] = [
        .forms, .builtInForms, .descriptions, .flows, .terminal, .accounts, .provisioning, .commandLine, .operators,
        .policy,
    ]

    @Test(arguments: Language.allCases)
    func `each code has a sentence in exactly one module`(language: Language) {
        let counts = Self.modules.reduce(into: [String: Int]()) { counts, module in
            for code in module.sentences(in: language).keys { counts[code, default: 0] += 1 }
        }
        #expect(counts.filter { $0.value > 1 } == [:])
        #expect(Set(counts.keys) == language.allMessages.codes)
        #expect(Set(Self.modules.map(\.module)).count == Self.modules.count)
    }

    @Test(arguments: Language.allCases, modules.filter { $0.module != "builtInForms" })
    func `each language has the same codes, with the same placeholders in each sentence`(
        language: Language, module: ModuleSentences
    ) throws {
        let english = MessageTable(sentences: module.sentences(in: .english))
        let table = MessageTable(language, sentences: module.sentences(in: language))
        #expect(table.codes.symmetricDifference(english.codes).sorted() == [])
        for code in table.codes.sorted() {
            let placeholders = try #require(table.placeholders(of: code), "\(code) has braces around nothing")
            #expect(placeholders == english.placeholders(of: code), "\(code)")
        }
    }

    @Test(arguments: Language.allCases.filter { $0 != .english })
    func `each sentence differs between the languages`(language: Language) {
        let (english, other) = (Language.english.allMessages, language.allMessages)
        let operators = Self.modules.filter { !$0.isTranslated }.flatMap { $0.sentences(in: .english).keys }
        let same = english.codes.subtracting(operators).filter { code in
            let sentence = english.sentence(code)
            // Placeholders and strings without words: "{check}: ok".
            let hasWords = sentence.replacing(/\{\w+\}/, with: "").contains(/[A-Za-z]{3,}/)
            return hasWords && other.sentence(code) == sentence
        }
        #expect(same.sorted() == ["factor.uri", "keys.submit"], "names of keys and of standards are not translated")
    }

    @Test(arguments: Language.allCases)
    func `a retired code has no sentence`(language: Language) {
        #expect(language.allMessages.codes.isDisjoint(with: ModuleSentences.retiredCodes))
    }
}

extension ModuleSentences: CustomTestStringConvertible {
    public var testDescription: String { module }
}
