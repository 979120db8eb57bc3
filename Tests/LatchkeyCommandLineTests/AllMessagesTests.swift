import LatchkeyForms
import Testing

@testable import LatchkeyAccounts
@testable import LatchkeyCommandLine
@testable import LatchkeyFlows
@testable import LatchkeyProvisioning
@testable import LatchkeyTerminal

/// Compares the sentences of all modules with each other. `TranslationTests` of the program compare translations.
@Suite(.timeLimit(.minutes(60)))
struct AllMessagesTests {
    private static let modules: [ModuleSentences] = [
        .forms, .builtInForms, .descriptions, .flows, .terminal, .accounts, .provisioning, .commandLine, .operators,
        .policy,
    ]

    @Test func `each code has a sentence in exactly one module`() {
        let counts = Self.modules.reduce(into: [String: Int]()) { counts, module in
            for code in module.sentences.keys { counts[code, default: 0] += 1 }
        }
        #expect(counts.filter { $0.value > 1 } == [:])
        #expect(Set(counts.keys) == Translation.replaceableMessages.codes)
        #expect(Set(Self.modules.map(\.module)).count == Self.modules.count)
    }

    @Test(arguments: Self.modules)
    func `braces contain only names`(module: ModuleSentences) {
        for (code, sentence) in module.sentences {
            #expect(MessageTable.placeholders(in: sentence) != nil, "\(code)")
            #expect(Translation.isPrintable(sentence), "\(code)")
        }
    }

    @Test func `a retired code has no sentence`() {
        #expect(Translation.replaceableMessages.codes.isDisjoint(with: ModuleSentences.retiredCodes))
    }
}

extension ModuleSentences: CustomTestStringConvertible {
    public var testDescription: String { module }
}
