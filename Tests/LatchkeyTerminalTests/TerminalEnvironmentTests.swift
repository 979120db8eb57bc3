import LatchkeyTerminal
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct TerminalEnvironmentTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let why: String
        let variables: [String: String]
        let noColor: Bool?
        let plain: Bool
        let color: Bool
        let utf8: Bool
        /// Equal to `utf8` if missing.
        let symbols: Bool?
        /// Not `plain` if missing.
        let title: Bool?
        let editor: String?
        /// `/tmp` if missing.
        let folder: String?

        var testDescription: String { why }
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "terminal/environment.jsonl"))
    func `environment variables have the effects in the table`(row: Row) {
        let environment = TerminalEnvironment(variables: row.variables, forbidsColor: row.noColor ?? false)
        var expected = TerminalEnvironment(
            isPlain: row.plain, usesColor: row.color, isUTF8: row.utf8, hasSymbols: row.symbols ?? row.utf8)
        expected.hasWindowTitle = row.title ?? !row.plain
        expected.editor = row.editor
        expected.temporaryFolder = row.folder ?? "/tmp"
        #expect(environment == expected)
    }
}
