import Foundation
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyCommandLine

/// Compares the codes of sentences in the sources with the sentences of all modules.
@Suite(.timeLimit(.minutes(60)))
struct MessageCodeTests {
    private struct Source: Sendable {
        let file: String
        let text: String
        /// The string literals of the file.
        let literals: Set<String>
    }

    /// Every source file except those with sentences.
    private static let sources: [Source] = SourceTree.files(below: "Sources").compactMap { file in
        guard file.hasSuffix(".swift"), !file.hasSuffix(".en.swift"), !file.hasSuffix("/AllMessages.swift"),
            let text = try? String(contentsOfFile: SourceTree.path(of: file), encoding: .utf8)
        else { return nil }
        return Source(file: file, text: text, literals: Set(text.matches(of: /"([\w.]+)"/).map { String($0.output.1) }))
    }

    private let sources = Self.sources
    private let codes = Translation.english.allMessages.codes

    init() throws { try #require(sources.count > 200, "the sources were not found") }

    /// Codes that the program composes from a family and the name of a case.
    private static let composed = [
        "rule.", "link.", "done.", "response.", "menu.", "policy.", "strength.", "tool.hash_standing_", "tool.logout_",
        "mail.", "duration.", "demand.", "alert.",
    ]

    @Test func `no sentence says please`() {
        let messages = Translation.english.allMessages
        #expect(messages.codes.filter { messages.sentence($0).lowercased().contains("please") } == [])
    }

    /// Requirements have numbers, which mean nothing to people.
    @Test func `no text for people has the number of a requirement`() throws {
        let number = /\bS-\d+/
        let files = ["Sources", "Languages", "Forms", "docs/schemas", "packaging"].flatMap {
            SourceTree.files(below: $0)
        }
        try #require(files.count > 400)
        for file in files {
            guard let text = try? String(contentsOfFile: SourceTree.path(of: file), encoding: .utf8) else { continue }
            for line in text.split(separator: "\n") where line.contains(number) {
                let isComment = line.drop { $0 == " " }.hasPrefix("//")
                #expect(file.hasSuffix(".swift") && isComment, "\(file): \(line)")
            }
        }
    }

    @Test func `every message code in the sources has a sentence`() throws {
        let families = Set(codes.map { String($0.prefix { $0 != "." }) })
        for source in sources {
            for literal in source.literals where families.contains(String(literal.prefix { $0 != "." })) {
                guard literal.wholeMatch(of: /[a-z]+\.\w[\w.]*/) != nil else { continue }
                #expect(codes.contains { $0.hasPrefix(literal) }, "\(source.file): \(literal)")
            }
        }
        let enumerated =
            CommonPasswords.Reason.allCases.map { "rule.not_common." + $0.rawValue }
            + PasswordStrength.Advice.allCases.map { "rule.strength." + $0.rawValue }
            + AccountType.linkTargets.map { "link." + $0.rawValue }
            + AccountType.allCases.flatMap { ["done." + $0.rawValue, "alert." + $0.rawValue] }
            + NetworkResponse.Code.allCases.map { "response." + $0.rawValue }
        #expect(enumerated.filter { !codes.contains($0) } == [])
    }

    @Test func `every sentence is used in the sources`() {
        let literals = sources.reduce(into: Set<String>()) { $0.formUnion($1.literals) }
        let unused = codes.filter { code in
            // The singular form of a sentence with a count.
            if code.hasSuffix(".one"), codes.contains(String(code.dropLast(4))) { return false }
            let name = String(code.drop { $0 != "." }.dropFirst())
            return !literals.contains(code) && !(code.hasPrefix("tool.") && literals.contains(name))
                && !Self.composed.contains(where: code.hasPrefix)
        }
        #expect(unused.sorted() == [])
    }

    /// With a default table, every user would see English.
    @Test func `code that shows sentences gets the message table of the chosen language`() throws {
        let call = /\b(?:FormViewModel|FormPrompt|TerminalMenu|AppDependency|AccountSettings|FormCatalogue)\(/
        var count = 0
        for source in sources where !source.file.hasPrefix("Sources/Accounts/LatchkeyAccounts/") {
            // An example in a comment is for programs, which may be in English only.
            let text = source.text.replacing(/^ *\/\/\/.*$/.anchorsMatchLineEndings(), with: "")
            for match in text.matches(of: call) {
                let arguments = Self.arguments(in: text[match.range.upperBound...])
                guard !arguments.isEmpty else { continue }
                count += 1
                #expect(arguments.contains("messages"), "\(source.file): \(match.output)\(arguments))")
            }
        }
        #expect(count >= 4)
    }

    @Test func `the command line contains no sentences outside the message table`() {
        for source in sources where source.file.hasPrefix("Sources/Fronts/LatchkeyCommandLine/") {
            #expect(
                !source.text.contains(/\.(?:note|problem|done|result)\(\s*"[^"\\]*[a-z]{2} [a-z]{2}/), "\(source.file)")
            #expect(!source.text.contains(/(?:MessageTable|messages:) ?\.(?:english|portuguese)\b/), "\(source.file)")
        }
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
