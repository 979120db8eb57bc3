import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60))) struct ArgumentParserTests {
    private func parse(_ line: String) throws -> Invocation {
        let parser = ArgumentParser(commands: CommandTable.all)
        let first = try parser.firstPass(line.split(separator: " ").map { Argument(String($0)) })
        return try parser.secondPass(first, flags: first.command.sampleFlags())
    }

    private func failure(_ line: String) -> String? {
        do {
            _ = try parse(line)
            return nil
        } catch {
            return (error as? ToolFailure)?.code
        }
    }

    @Test func `common flags may precede or follow the command`() throws {
        for line in [
            "--json --store /x setup", "setup --json --store /x", "setup --store=/x --json", "--store=/x setup --json",
        ] {
            let invocation = try parse(line)
            #expect(invocation.command.name == "setup")
            #expect(invocation.has("json"))
            #expect(invocation.value("store") == Argument("/x"))
        }
    }

    @Test func `an operand follows a two-word command`() throws {
        let invocation = try parse("accounts --json show ada")
        #expect(invocation.command.name == "accounts show")
        #expect(invocation.operands == [Argument("ada")])
    }

    @Test func `-- ends the list of flags`() throws {
        #expect(try parse("accounts show -- --json").operands == [Argument("--json")])
    }

    @Test func `a value attached with an equals sign may begin with a hyphen`() throws {
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
        ("setup ada", "operand_too_many"), ("accounts update a b", "operand_too_many"),
        ("accounts create ada --username bob", "unknown_flag"),
        ("accounts show", "operand_missing"),
        ("accounts delete --yes", "operand_missing"), ("forms show", "operand_missing"),
        ("setup --pasword", "unknown_flag_suggestion"),
    ])
    func `an invalid command line is refused`(line: String, code: String) {
        #expect(failure(line) == code)
    }

    /// Commands and flags of other tools, and Latchkey's suggestions. No command runs.
    @Test(
        arguments: [
            "accounts add": "accounts create", "accounts new": "accounts create", "invite": "accounts create",
            "accounts register": "accounts create", "accounts remove": "accounts delete",
            "accounts rm": "accounts delete",
            "rm": "accounts delete", "accounts ls": "accounts list", "accounts search": "accounts list",
            "sessions ls": "sessions list", "sessions rm": "sessions revoke", "pepper rm": "pepper retire",
            "accounts edit": "accounts update", "accounts set": "accounts update", "accounts lock": "accounts disable",
            "accounts passwd": "accounts set-password", "passwd": "change-password", "signup": "setup",
            "signin": "login", "doctor": "store check", "status": "store check", "store doctor": "store check",
            "backup": "store backup", "create": "accounts create", "audit tail": "audit follow",
        ])
    func `another tool's command gets the right suggestion`(word: String, command: String) throws {
        let failure = #expect(throws: ToolFailure.self) { _ = try parse(word) }
        guard case .unknownCommandSuggestion(_, let nearest) = failure else {
            Issue.record("\(failure.map(String.init(describing:)) ?? "")")
            return
        }
        #expect(nearest == "latchkey " + command)
    }

    @Test(arguments: [
        ("accounts list -o json", "--json"), ("accounts delete ada -y", "--yes"),
        ("accounts delete ada --force", "--yes"),
        ("whoami -v", "--version"), ("accounts import x.csv -n", "--dry-run"), ("whoami --silent", "--quiet"),
    ])
    func `another tool's flag gets the right suggestion`(line: String, flag: String) throws {
        let failure = #expect(throws: ToolFailure.self) { _ = try parse(line) }
        guard case .unknownFlagSuggestion(_, let nearest) = failure else {
            Issue.record("\(failure.map(String.init(describing:)) ?? "")")
            return
        }
        #expect(nearest == flag)
    }

    @Test func `a flag is not suggested if the command does not have it`() {
        #expect(failure("whoami -y") == "unknown_flag")
    }

    @Test func `an argument of more than 64 KiB is refused`() throws {
        let parser = ArgumentParser(commands: CommandTable.all)
        #expect(throws: ToolFailure.self) {
            try parser.firstPass([Argument("whoami"), Argument(String(repeating: "a", count: 65_537))])
        }
        _ = try parser.firstPass([
            Argument("accounts"), Argument("show"), Argument(String(repeating: "a", count: 65_536)),
        ])
    }

    @Test func `the flags of commands with forms are reserved as field names`() {
        let withFields = CommandTable.all.filter { $0.form != nil }
        let names = withFields.flatMap(\.ownFlags).map(\.name) + FlagSpec.common.map(\.name)
        // The key `code` is reserved, so these flags cannot clash with a form's.
        for name in names where !name.hasPrefix("code") { #expect(ReservedFlags.contains(name), "\(name)") }
    }

    @Test func `the help of each command has its usage, statuses and examples`() throws {
        let help = HelpText(
            commands: CommandTable.all, form: try FormCatalogue.shipped.form(for: .setup), isComplete: true)
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
    func `the distance between two words is the number of edits`(left: String, right: String, distance: Int) {
        #expect(Suggestion.distance(left, right) == distance)
        #expect(Suggestion.distance(right, left) == distance)
    }
}
