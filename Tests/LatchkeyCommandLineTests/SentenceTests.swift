import Foundation
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyCommandLine

/// Every code that the sources say has a sentence, every sentence is said by them, and no sentence stands elsewhere.
struct SentenceTests {
    /// A text in quotation marks within a line of the sources.
    private struct Literal: Sendable {
        let file: String
        let line: Int
        let text: String
    }

    private struct Source: Sendable {
        let file: String
        let text: String
    }

    /// But the tables themselves.
    private static let sources: [Source] = {
        let folder = SourceTree.path(of: "Sources")
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.sorted() ?? []
        return files.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("LatchkeyForms/Messages/MessageTable+") }
            .compactMap { file in
                (try? String(contentsOfFile: folder + "/" + file, encoding: .utf8)).map { Source(file: file, text: $0) }
            }
    }()

    private static let literals = sources.flatMap { source in
        source.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().flatMap {
            index, line in
            texts(in: Array(line)).map { Literal(file: source.file, line: index + 1, text: $0) }
        }
    }

    /// What stands in quotation marks on a line that is no comment.
    private static func texts(in line: [UInt8]) -> [String] {
        guard !line.drop(while: { $0 == UInt8(ascii: " ") }).starts(with: "//".utf8) else { return [] }
        var texts: [String] = []
        var open: Int?
        var index = 0
        while index < line.count {
            switch (line[index], open) {
            case (UInt8(ascii: "\\"), .some): index += 1
            case (UInt8(ascii: "\""), let start?):
                texts.append(String(decoding: line[start..<index], as: UTF8.self))
                open = nil
            case (UInt8(ascii: "\""), nil): open = index + 1
            default: break
            }
            index += 1
        }
        return texts
    }

    private let sources = Self.sources
    private let literals = Self.literals
    private let codes = MessageTable.english.codes

    init() throws { try #require(literals.count > 1000, "the sources were not found") }

    /// The codes that are put together: their ends are the names of an enumeration's cases.
    private var builtCodes: Set<String> {
        let source = sources.first { $0.file.hasSuffix("Rules/RuleFailure.swift") }?.text ?? ""
        let rules = source.matches(of: /static let \w+ = Code\(rawValue: "(\w+)"\)/).map { "rule." + $0.output.1 }
        let reasons =
            CommonPasswords.Reason.allCases.map { "rule.not_common." + $0.rawValue }
            + PasswordStrength.Advice.allCases.map { "rule.strength." + $0.rawValue }
        let flows = AccountType.allCases.flatMap { ["link." + $0.rawValue, "done." + $0.rawValue] }
        let responses = NetworkResponse.Code.allCases.map { "response." + $0.rawValue }
        let standings: [HashStatus] = [.current, .otherScheme, .otherParameters, .stronger]
        let hashes = (standings.map(\.rawValue) + ["cost_too_high", "unsupported"]).map { "tool.hash_standing_" + $0 }
        let mails = literals.map(\.text).filter { $0.hasPrefix("mail.") }.flatMap { name in
            ["subject", "text", "end"].map { name + "." + $0 }
        }
        let choices = FrontRun.SignedInChoice.allCases.map { "menu." + $0.rawValue }
        return Set(rules + reasons + flows + responses + hashes + mails + choices)
    }

    /// The codes of failures, which stand without `tool.`.
    private var failures: Set<String> {
        var codes: Set<String> = []
        for source in sources where source.file.hasPrefix("LatchkeyCommandLine/") {
            for match in source.text.matches(of: /(?:ToolFailure|self\.init)\(\s*(?:\.\w+,\s*)?"(\w+)"/) {
                codes.insert("tool." + match.output.1)
            }
        }
        return codes
    }

    /// What codes begin with: `rule`, `tool`, …
    private var families: Set<String> { Set(codes.map { String($0.prefix { $0 != "." }) }) }

    /// Whether some text in the sources begins `code` (`"policy."`, `"strength.\(score)"`), and what is put behind it stands
    /// somewhere too, or is a number.
    private func isComposed(_ code: String, of texts: Set<String>) -> Bool {
        texts.contains { text in
            let start = text.prefix { $0 != "\\" }
            guard start.contains("."), start.hasSuffix(".") || start.hasSuffix("_"), code.hasPrefix(start) else {
                return false
            }
            return code.dropFirst(start.count).split(separator: ".").allSatisfy { part in
                texts.contains(String(part)) || part.allSatisfy(\.isNumber)
            }
        }
    }

    @Test func `every code has a sentence`() throws {
        let shape = try Regex("(?:" + families.joined(separator: "|") + #")\.\w[\w.]*"#)
        for literal in literals where literal.text.wholeMatch(of: shape) != nil {
            let isWhole = codes.contains(literal.text)
            let isBeginning = codes.contains { $0.hasPrefix(literal.text) }
            #expect(isWhole || isBeginning, "\(literal.file):\(literal.line): \(literal.text)")
        }
        #expect(failures.count > 100)
        for code in failures.sorted() { #expect(codes.contains(code), "\(code)") }
        for code in builtCodes.sorted() where code != "mail.test.end" { #expect(codes.contains(code), "\(code)") }
    }

    @Test func `every sentence is said`() {
        let texts = Set(literals.map(\.text))
        let ofCommands = Set(literals.filter { $0.file.hasPrefix("LatchkeyCommandLine/") }.map { "tool." + $0.text })
        let said = texts.union(ofCommands).union(builtCodes)
        let unsaid = codes.subtracting(said).filter { !isComposed($0, of: texts) }
        #expect(unsaid.sorted() == [])
    }

    /// `--help` is documentation, and in English as the manual is (docs/decisions/0022-languages.md).
    private func isHelp(_ file: String) -> Bool {
        let help = [
            "Commands/CommandTable", "Commands/CommandSpec", "Arguments/FlagSpec", "Flags/SecretSource", "Help/",
            "Output/ExitStatus", "Settings/SettingSpec",
        ]
        return help.contains { file.hasPrefix("LatchkeyCommandLine/" + $0) }
    }

    /// Texts of two words that are no sentences for people, by file.
    private static let allowed: [String: Set<String>] = [
        // A header.
        "LatchkeyCommandLine/Mail/MailText.swift": ["text/plain; charset=utf-8"],
        // A compiler's.
        "LatchkeyAccounts/Service/AccountService+Verification.swift": [
            "A release must do the work of a verification for everybody."
        ],
        // What Prometheus shows beside a figure: documentation, as help is.
        "LatchkeyFlows/Events/CallMetrics+Prometheus.swift": [
            "Calls that were answered.", "How long calls took until they were answered.",
            "Calls that wait for their answer.", "Events that came while the counter was too slow for them.",
        ],
        // A password to measure with.
        "LatchkeyCommandLine/Commands/HashBench.swift": ["correct horse battery"],
        "LatchkeyHashing/Calibration.swift": ["correct horse battery"],
        // The name of a command.
        "LatchkeyCommandLine/Commands/SessionsRun.swift": ["sessions verify"],
        // What fields are called that a form made in Swift has: as descriptions are, in English.
        "LatchkeyForms/Fields/CurrentPasswordField.swift": ["Current password"],
        "LatchkeyForms/Fields/EmailField.swift": ["Email Address"],
        "LatchkeyForms/Fields/RecoveryCodeField.swift": ["Code from the message"],
        // In SQLite's own words, as what its checks print beside them.
        "LatchkeySQLite/Connection/SQLiteConnection+Copy.swift": [
            #"row of \(try row.text(0)) without its \(try row.text(2))"#, "the database disk image is malformed",
        ],
        // A crash's.
        "LatchkeyText/Normalization.swift": ["out of memory"],
        // What a store begins with (sqlite.org/fileformat.html, 1.3).
        "LatchkeySQLite/Schema/StoreHeader.swift": [#"SQLite format 3\0"#],
        // What a secret prints as.
        "LatchkeyAccounts/Accounts/PasswordHash.swift": ["<password hash>"],
    ]

    @Test func `no sentence stands elsewhere`() {
        var found: [String: Set<String>] = [:]
        for literal in literals where !isHelp(literal.file) {
            let words = literal.text.replacing(/\\\([^()]*(?:\([^()]*\)[^()]*)*\)/, with: "x")
            guard words.contains(/[A-Za-z]*[a-z]{2,}[,;:.]? +[A-Za-z]*[a-z]{2,}/),
                !words.contains(/^ ?(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|WITH|WHERE|AND|ORDER)\b/)
            else { continue }
            if Self.allowed[literal.file]?.contains(literal.text) == true {
                found[literal.file, default: []].insert(literal.text)
            } else {
                Issue.record("\(literal.file):\(literal.line): \(literal.text)")
            }
        }
        #expect(found == Self.allowed, "allowed for nothing")
        let withLines = Set(sources.filter { $0.text.contains("\"\"\"") && !isHelp($0.file) }.map(\.file))
        let allowed: Set<String> = [
            // The names of countries, and a hash.
            "LatchkeyForms/Rules/PostalCodes.swift", "LatchkeyHashing/Schemes/PHCString.swift",
        ]
        #expect(withLines.filter { !$0.hasPrefix("LatchkeySQLite/") } == allowed)
    }

    /// A table that is left out is English without anybody noticing.
    @Test func `whoever may be handed a table is handed one`() throws {
        let call =
            /\b(?:FormViewModel|FormPrompt|TerminalMenu|AppDependency|AccountSettings|FormCatalogue|\w+LineValidator)\(/
        var count = 0
        for source in sources {
            let (file, text) = (source.file, source.text)
            for match in text.matches(of: call) {
                let arguments = Self.arguments(in: text[match.range.upperBound...])
                // A declaration's, a default that a caller replaces, and one that begins a doc comment's sentence.
                guard !file.hasPrefix("LatchkeyAccounts/"), !arguments.isEmpty else { continue }
                count += 1
                #expect(arguments.contains("messages"), "\(file): \(match.output)\(arguments))")
            }
            guard file.hasPrefix("LatchkeyCommandLine/") else { continue }
            let choosesItself = text.contains(/\.(?:english|portuguese)\b/)
            #expect(!choosesItself, "\(file)")
        }
        #expect(count >= 6)
    }

    private static func arguments(in text: Substring) -> Substring {
        var depth = 1
        let end = text.firstIndex { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth == 0
        }
        return text[..<(end ?? text.endIndex)]
    }
}
