import Foundation
import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60))) struct CommandReferenceTests {
    /// `RECORD=1 swift test --filter CommandReferenceTests` rewrites the page.
    @Test func `the reference matches the table of commands and settings`() throws {
        let reference = CommandReference(commands: CommandTable.all, forms: try FormCatalogue.shipped)
        let text = reference.lines.joined(separator: "\n")
        try Golden.expect(text, in: URL(filePath: SourceTree.path(of: "docs/commands.md")))
    }

    @Test func `the page lists every command, flag, setting and exit status`() throws {
        let lines = CommandReference(commands: CommandTable.all, forms: try FormCatalogue.shipped).lines
        for command in CommandTable.all where !command.isGroup(among: CommandTable.all) {
            #expect(lines.contains("## " + (["latchkey"] + command.words).joined(separator: " ")))
            for example in command.examples { #expect(lines.contains(example)) }
        }
        for flag in FlagSpec.common + FlagSpec.hashCost {
            #expect(lines.contains { $0.hasPrefix("| `\(flag.usage)` |") }, "\(flag.name)")
        }
        for setting in Setting.all where setting.isInFiles {
            #expect(lines.contains { $0.hasPrefix("| `\(setting.key)` |") }, "\(setting.key)")
        }
        for variable in Setting.all.flatMap(\.variables) { #expect(lines.contains { $0.contains("`\(variable)`") }) }
        for status in ExitStatus.allCases { #expect(lines.contains { $0.hasPrefix("| \(status.rawValue) |") }) }
    }

    @Test func `the guide lists the commands for operators, which are in English`() throws {
        let words = Set(CommandTable.all.filter { $0.isForOperators(among: CommandTable.all) }.map { $0.words[0] })
        let guide = try String(contentsOfFile: SourceTree.path(of: "docs/cli.md"), encoding: .utf8)
        let list = try #require(guide.firstMatch(of: /Operators'\s+commands \(([^)]*)\)/)).output.1
        #expect(Set(list.matches(of: /`([\w-]+)`/).map { String($0.output.1) }) == words)
        #expect(
            CommandTable.all.contains { $0.words == ["tokens", "list"] && $0.isForOperators(among: CommandTable.all) })
        #expect(!FlowCommand.login.isForOperators(among: CommandTable.all))
    }
}
