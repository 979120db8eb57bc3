import Foundation
import LatchkeyForms
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
