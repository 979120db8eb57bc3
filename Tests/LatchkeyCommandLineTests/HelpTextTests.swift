import Foundation
import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60))) struct HelpTextTests {
    private func isGroup(_ command: CommandSpec) -> Bool {
        !command.words.isEmpty
            && CommandTable.all.contains {
                $0.words.count == command.words.count + 1 && $0.words.starts(with: command.words)
            }
    }

    private func statuses(_ command: CommandSpec) -> [Int32] { command.statuses.map(\.rawValue) }

    @Test func `each command lists an exit status at most once, and every command that does something lists 0`() {
        for command in CommandTable.all where command.externalExitCodes == nil {
            #expect(Set(statuses(command)).count == command.statuses.count, "\(command.name)")
            #expect(command.statuses.contains(.done) || isGroup(command), "\(command.name)")
            #expect(command.statuses.contains(.usage), "\(command.name)")
        }
    }

    @Test func `each command has a usage, a description, exit statuses and two examples`() throws {
        for command in CommandTable.all {
            let form = try command.form.map { try FormCatalogue.shipped.form(for: $0.type ?? .setup) }
            let help = HelpText(commands: CommandTable.all, form: form, isComplete: true)
            let lines = help.lines(for: command)
            let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            let usage = "usage: " + (["latchkey"] + command.words).joined(separator: " ")
            #expect(lines[0] == usage || lines[0].hasPrefix(usage + " "), "\(command.name)")
            if let operand = command.operand { #expect(lines[0].contains(operand.name), "\(command.name)") }
            #expect(command.about.hasSuffix("."), "\(command.name)")
            #expect(!command.summary.hasSuffix(".") && command.summary.first?.isUppercase == true, "\(command.name)")
            for flag in try command.sampleFlags() where flag.refusedSecret == nil {
                #expect(!flag.summary.isEmpty, "\(command.name) --\(flag.name)")
                #expect(
                    text.contains("\(flag.usage) \(flag.summary)"), "\(flag.name)")
            }
            #expect(command.examples.count >= (isGroup(command) ? 1 : 2), "\(command.name)")
            #expect(Set(command.examples).count == command.examples.count, "\(command.name)")
            for example in command.examples {
                #expect(example.contains((["latchkey"] + command.words).joined(separator: " ")), "\(example)")
            }
            for part in ["", "flags of every command:", "exit statuses:", "examples:"] {
                #expect(lines.contains(part), "\(command.name)")
            }
        }
    }

    /// Each command has a file. Only the first has the flags of every command, so that a new flag changes one file.
    @Test func `the help of each command matches its golden file`() throws {
        let common = "flags of every command:"
        var names: Set<String> = []
        var first: [String] = []
        for command in CommandTable.all {
            let form = try command.form?.type.map { try FormCatalogue.shipped.form(for: $0) }
            var lines = HelpText(commands: CommandTable.all, form: form, isComplete: true).lines(for: command)
            let start = try #require(lines.firstIndex(of: common)) + 1
            let end = try #require(lines[start...].firstIndex(of: ""))
            if command.words.isEmpty {
                first = Array(lines[start..<end])
            } else {
                #expect(Array(lines[start..<end]) == first, "\(command.name)")
                lines.replaceSubrange(start..<end, with: ["  see latchkey --help"])
            }
            let name = (command.words.isEmpty ? ["latchkey"] : command.words).joined(separator: "-") + ".txt"
            #expect(names.insert(name).inserted)
            try Golden.expect(lines.joined(separator: "\n") + "\n", "help/" + name)
        }
        let recorded = try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.appending(path: "help").path)
        #expect(Set(recorded) == names, "a file of a command that does not exist")
    }

    /// Examples and literal lines are not wrapped.
    @Test(arguments: [40, 80, 120], [false, true])
    func `help fits the width`(width: Int, isComplete: Bool) throws {
        for command in CommandTable.all {
            let form = try command.form.map { try FormCatalogue.shipped.form(for: $0.type ?? .setup) }
            let help = HelpText(commands: CommandTable.all, form: form, width: width, isComplete: isComplete)
            for line in help.lines(for: command).dropFirst() where line.count > width {
                let isWhole =
                    command.more.contains(line) || command.examples.contains { line == "  " + $0 }
                    // A word that is longer than the line.
                    || line.split(separator: " ").count == 1 || line.hasPrefix("  --")
                #expect(isWhole, "\(command.name): \(line)")
            }
        }
    }

    @Test func `short help omits common flags, hash cost flags and exit statuses`() throws {
        for command in CommandTable.all {
            let form = try command.form.map { try FormCatalogue.shipped.form(for: $0.type ?? .setup) }
            let lines = HelpText(commands: CommandTable.all, form: form).lines(for: command)
            #expect(!lines.contains("flags of every command:"), "\(command.name)")
            #expect(!lines.contains("exit statuses:"), "\(command.name)")
            #expect(!lines.contains { $0.contains("--memory-kib ") }, "\(command.name)")
            #expect(lines.last == "common flags: --json, -q, --store PATH, -h; --help-all shows every flag")
        }
    }

    @Test func `the program's help lists every command under one heading`() throws {
        let first = Set(CommandTable.all.compactMap(\.words.first))
        let listed = HelpText.groups.flatMap(\.words)
        #expect(Set(listed) == first)
        #expect(listed.count == first.count)
    }

    @Test func `each command that opens a store lists the store exit statuses`() {
        for command in CommandTable.all where command.form?.type != nil || command.words.first == "accounts" {
            // `policy test` takes its flags from a form, but opens no store.
            guard command.words != ["accounts"], command.words != ["policy", "test"] else { continue }
            for status in ExitStatus.ofStores { #expect(command.statuses.contains(status), "\(command.name)") }
        }
    }

    @Test func `the help of each command with the operand NAME explains it`() throws {
        let help = HelpText(commands: CommandTable.all, form: try FormCatalogue.shipped.form(for: .setup))
        for command in CommandTable.all where command.operand?.name == "NAME" {
            let text = help.lines(for: command).joined(separator: "\n")
            #expect(text.contains("NAME is"), "\(command.name)")
        }
    }

    @Test func `each example is a valid command line`() throws {
        let parser = ArgumentParser(commands: CommandTable.all)
        for example in CommandTable.all.flatMap(\.examples) {
            let call = try #require(example.split(separator: "|").last).split(separator: " ").map(String.init)
            try #require(call.first == "latchkey")
            let first = try parser.firstPass(call.dropFirst().map { Argument($0) })
            if first.has("help") { continue }
            _ = try parser.secondPass(first, flags: try first.command.sampleFlags())
        }
    }
}

extension CommandSpec.FieldSource {
    var type: AccountType? {
        guard case .flow(let type) = self else { return nil }
        return type
    }
}

extension CommandSpec {
    /// Its flags with the built-in forms. The sign-up form stands in for a form from a file.
    func sampleFlags() throws -> [FlagSpec] {
        try flags(of: form.map { try FormCatalogue.shipped.form(for: $0.type ?? .setup) })
    }
}
