import LatchkeyForms
import Testing

@testable import LatchkeyCommandLine

@Suite struct ArgumentParserTests {
    private func parse(_ line: String) throws -> Invocation {
        let parser = ArgumentParser(commands: CommandTable.all)
        let outline = try parser.outline(line.split(separator: " ").map { Argument(String($0)) })
        return try parser.invocation(outline, flags: outline.command.sampleFlags())
    }

    private func failure(_ line: String) -> String? {
        do {
            _ = try parse(line)
            return nil
        } catch {
            return (error as? ToolFailure)?.code
        }
    }

    @Test func `flags that belong to no command stand before it or after it`() throws {
        for line in [
            "--json --store /x setup", "setup --json --store /x", "setup --store=/x --json", "--store=/x setup --json",
        ] {
            let invocation = try parse(line)
            #expect(invocation.command.name == "setup")
            #expect(invocation.has("json"))
            #expect(invocation.value("store") == Argument("/x"))
        }
    }

    @Test func `a command of two words has its operand behind them`() throws {
        let invocation = try parse("accounts --json show ada")
        #expect(invocation.command.name == "accounts show")
        #expect(invocation.operands == [Argument("ada")])
    }

    @Test func `two hyphens end the flags`() throws {
        #expect(try parse("accounts show -- --json").operands == [Argument("--json")])
    }

    @Test func `a value may begin with a hyphen where it is attached`() throws {
        #expect(try parse("setup --username=--json").value("username") == Argument("--json"))
        #expect(try parse("setup --username=").value("username") == Argument(""))
    }

    @Test(arguments: [
        ("nonsense", "unknown_command"), ("setpu", "unknown_command_suggestion"),
        ("accounts nonsense", "unknown_command"), ("accounts crate", "unknown_command_suggestion"),
        ("setup --nonsense", "unknown_flag"), ("setup --usrname ada", "unknown_flag_suggestion"),
        ("setup -x", "unknown_flag"), ("setup --username", "flag_needs_value"),
        ("setup --username --json", "flag_needs_value"), ("setup --json=1", "flag_takes_none"),
        ("setup --json --json", "flag_twice"), ("setup --username a --username b", "flag_twice"),
        ("setup --password x", "secret_argument"), ("setup --password=x", "secret_argument"),
        ("setup ada", "operand_too_many"), ("accounts show a b", "operand_too_many"),
        ("accounts create ada --username bob", "unknown_flag"),
        ("accounts create", "operand_missing"), ("accounts show", "operand_missing"),
        ("accounts delete --yes", "operand_missing"), ("forms show", "operand_missing"),
        ("setup --pasword", "unknown_flag_suggestion"),
    ])
    func `a command line that makes no sense is refused`(line: String, code: String) {
        #expect(failure(line) == code)
    }

    @Test func `an argument of more than 64 KiB is refused`() throws {
        let parser = ArgumentParser(commands: CommandTable.all)
        #expect(throws: ToolFailure.self) {
            try parser.outline([Argument("whoami"), Argument(String(repeating: "a", count: 65_537))])
        }
        _ = try parser.outline([
            Argument("accounts"), Argument("show"), Argument(String(repeating: "a", count: 65_536)),
        ])
    }

    @Test func `no field can take the name of a flag that a command with fields has`() {
        let withFields = CommandTable.all.filter { $0.form != nil }
        let names = withFields.flatMap(\.flags).map(\.name) + FlagSpec.common.map(\.name)
        for name in names { #expect(ReservedFlags.contains(name), "\(name)") }
    }

    @Test func `every command says what it does, its statuses and how it is called`() throws {
        let help = HelpText(commands: CommandTable.all, form: try FormCatalogue().form(for: .setup))
        for command in CommandTable.all {
            let lines = help.lines(for: command)
            #expect(lines[0].hasPrefix("usage: latchkey"))
            #expect(!command.summary.isEmpty && !command.about.isEmpty)
            for heading in ["flags of every command:", "exit statuses:", "examples:"] {
                #expect(lines.contains(heading))
            }
        }
    }

    @Test(arguments: [
        ("whoami", "whoami", 0), ("whoam", "whoami", 1), ("", "abc", 3), ("setpu", "setup", 1),
        ("kitten", "sitting", 3),
        ("login", "logout", 3),
    ])
    func `how far two words are apart is counted in letters`(left: String, right: String, distance: Int) {
        #expect(Suggestion.distance(left, right) == distance)
        #expect(Suggestion.distance(right, left) == distance)
    }
}
