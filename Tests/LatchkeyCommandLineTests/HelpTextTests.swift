import Foundation
import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite struct HelpTextTests {
    /// What a command's help lists as its exit statuses.
    private func statuses(_ command: CommandSpec) -> [Int32] { command.statuses.map(\.rawValue) }

    @Test func `no command lists a status twice, and each lists 0 but a group`() {
        for command in CommandTable.all where command.endings == nil {
            #expect(Set(statuses(command)).count == command.statuses.count, "\(command.name)")
            #expect(command.statuses.contains(.done) || command.words.count == 1, "\(command.name)")
            #expect(command.statuses.contains(.usage), "\(command.name)")
        }
    }

    /// What a person finds who asks how a command is used.
    @Test func `each command says how it is used, what it does and how it ends, and shows it twice`() throws {
        for command in CommandTable.all {
            let form = try command.form.map { try FormCatalogue().form(for: $0.type ?? .setup) }
            let help = HelpText(commands: CommandTable.all, form: form)
            let lines = help.lines(for: command)
            let usage = "usage: " + (["latchkey"] + command.words).joined(separator: " ")
            #expect(lines[0] == usage || lines[0].hasPrefix(usage + " "), "\(command.name)")
            if let operand = command.operand { #expect(lines[0].contains(operand.name), "\(command.name)") }
            #expect(command.about.hasSuffix("."), "\(command.name)")
            #expect(!command.summary.hasSuffix(".") && command.summary.first?.isLowercase != false, "\(command.name)")
            for flag in try command.sampleFlags() where flag.refusedSecret == nil {
                #expect(!flag.summary.isEmpty, "\(command.name) --\(flag.name)")
                #expect(lines.contains { $0.contains("--" + flag.name) && $0.hasSuffix(flag.summary) })
            }
            let isGroup =
                command.words.count == 1
                && CommandTable.all.contains {
                    $0.words.count == 2 && $0.words[0] == command.words[0]
                }
            #expect(command.examples.count >= (isGroup ? 1 : 2), "\(command.name)")
            #expect(Set(command.examples).count == command.examples.count, "\(command.name)")
            for example in command.examples {
                #expect(example.contains((["latchkey"] + command.words).joined(separator: " ")), "\(example)")
            }
            for part in ["", "flags of every command:", "exit statuses:", "examples:"] {
                #expect(lines.contains(part), "\(command.name)")
            }
        }
    }

    /// What `--help` prints, a file for each command. What is said of every command stands in the first alone, or a flag
    /// more would change them all.
    @Test func `each help reads as it is recorded`() throws {
        let common = "flags of every command:"
        var names: Set<String> = []
        var first: [String] = []
        for command in CommandTable.all {
            let form = try command.form?.type.map { try FormCatalogue().form(for: $0) }
            var lines = HelpText(commands: CommandTable.all, form: form).lines(for: command)
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
        #expect(Set(recorded) == names, "a file of a command that is no more")
    }

    @Test func `whatever opens a store can fail in each way in which a store can`() {
        for command in CommandTable.all where command.form?.type != nil || command.words.first == "accounts" {
            // A verdict of the policy takes its flags from a form, and opens no store.
            guard command.words != ["accounts"], command.words != ["policy", "test"] else { continue }
            for status in ExitStatus.ofStores { #expect(command.statuses.contains(status), "\(command.name)") }
        }
    }

    @Test func `whoever may name an account is told how`() throws {
        let help = HelpText(commands: CommandTable.all, form: try FormCatalogue().form(for: .setup))
        for command in CommandTable.all where command.operand?.name == "NAME" {
            let text = help.lines(for: command).joined(separator: "\n")
            #expect(text.contains("NAME is"), "\(command.name)")
        }
    }

    @Test func `the commands that an example shows are understood`() throws {
        let parser = ArgumentParser(commands: CommandTable.all)
        for example in CommandTable.all.flatMap(\.examples) {
            let call = try #require(example.split(separator: "|").last).split(separator: " ").map(String.init)
            try #require(call.first == "latchkey")
            let outline = try parser.outline(call.dropFirst().map { Argument($0) })
            if outline.has("help") { continue }
            _ = try parser.invocation(outline, flags: try outline.command.sampleFlags())
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
    /// Its flags with the built-in forms. Where a file would have the form, it is that of set-up.
    func sampleFlags() throws -> [FlagSpec] {
        try flags(of: form.map { try FormCatalogue().form(for: $0.type ?? .setup) })
    }
}
