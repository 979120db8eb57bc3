import Foundation
import TestSupport
import Testing

/// Rules for the tests themselves.
@Suite(.timeLimit(.minutes(60))) struct SuiteRuleTests {
    /// A type with tests, or an extension of it with more tests.
    private struct Suite {
        let file: String
        let name: String
        let isExtension: Bool
        let isLimited: Bool

        /// Extensions of a suite are in the same target: in `Tests/<target>` or `Examples/<name>`.
        var qualifiedName: String { file.split(separator: "/").prefix(2).joined(separator: "/") + " " + name }
    }

    /// Every suite in a file. `swift format` puts top-level declarations in the first column and nothing else.
    private func suites(in file: String) throws -> [Suite] {
        let declaration = #/^(?:@.*\) |@\w+ )*(?:\w+ )*?(struct|class|enum|actor|extension) (\w+)/#
        var suites: [Suite] = []
        var attributes = ""
        var open: (name: Substring, isExtension: Bool, isLimited: Bool, hasTests: Bool)?
        let text = String(decoding: try SourceTree.contents(of: file), as: UTF8.self)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("}"), let type = open {
                if type.hasTests {
                    suites.append(
                        Suite(
                            file: file, name: String(type.name), isExtension: type.isExtension,
                            isLimited: type.isLimited))
                }
                open = nil
                attributes = ""
            } else if open != nil {
                if line.drop(while: { $0 == " " }).hasPrefix("@Test") { open?.hasTests = true }
            } else if let match = line.firstMatch(of: declaration) {
                let limited = (attributes + line).contains(".timeLimit(")
                open = (match.output.2, match.output.1 == "extension", limited, false)
                if line.hasSuffix("}") { open = nil }
            } else {
                #expect(!line.hasPrefix("@Test"), "\(file): a test outside of a suite has no limit")
                attributes = line.isEmpty || line.hasPrefix("}") ? "" : attributes + line + "\n"
            }
        }
        return suites
    }

    /// Without a limit, a hanging test stops the whole run without a report.
    @Test func `every suite has a time limit`() throws {
        let files = (SourceTree.files(below: "Tests") + SourceTree.files(below: "Examples")).filter {
            $0.hasSuffix(".swift") && ($0.hasPrefix("Tests/") || $0.contains("/Tests/"))
        }
        let suites = try files.flatMap { try self.suites(in: $0) }
        let limited = Set(suites.filter { !$0.isExtension && $0.isLimited }.map(\.qualifiedName))
        #expect(suites.count > 300 && limited.count > 300, "the suites were not found")
        for suite in suites where !limited.contains(suite.qualifiedName) {
            Issue.record("\(suite.file): \(suite.name) needs @Suite(.timeLimit(.minutes(60)))")
        }
        for suite in suites where !suite.isExtension && !suite.isLimited {
            Issue.record("\(suite.file): \(suite.name) needs @Suite(.timeLimit(.minutes(60)))")
        }
    }
}
