import LatchkeyAccounts
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
        ("accounts show", "operand_missing"),
        ("accounts delete --yes", "operand_missing"), ("forms show", "operand_missing"),
        ("setup --pasword", "unknown_flag_suggestion"),
    ])
    func `an invalid command line is refused`(line: String, code: String) {
        #expect(failure(line) == code)
    }

    /// A first guess in `guesses.jsonl`, and what it must do.
    struct Guess: Decodable, Sendable, CustomTestStringConvertible {
        let guess: String
        /// The command that runs.
        let runs: String?
        /// The flags and operands that the command gets; nil if the row does not state them.
        let flags: [String]?
        let operands: [String]?
        /// What the error must suggest, and what it must not.
        let hints: [String]?
        let never: String?

        var testDescription: String { guess }

        static let all: [Guess] = (try? Fixture.rows(of: Guess.self, in: "guesses.jsonl")) ?? []
    }

    @Test(arguments: Guess.all) func `a first guess runs the right command or gets the right hint`(row: Guess) throws {
        let invocation: Invocation
        do { invocation = try parse(row.guess) } catch let failure as ToolFailure {
            let sentence = failure.sentence(Translation.english.allMessages)
            for hint in row.hints ?? ["a command that runs"] { #expect(sentence.contains(hint), "\(sentence)") }
            if let never = row.never { #expect(!sentence.contains(never), "\(sentence)") }
            return
        }
        #expect(invocation.command.name == row.runs)
        for event in invocation.values("event") { #expect(AuditEvent(rawValue: event.text ?? "") != nil) }
        for flag in row.flags ?? [] { #expect(invocation.has(flag)) }
        if let operands = row.operands { #expect(invocation.operands.map(\.text) == operands) }
    }

    @Test func `at least 120 guesses are known`() { #expect(Guess.all.count >= 120) }

    @Test(arguments: [
        ("disable", "enable"), ("enable", "disable"), ("unlock", "disable"), ("create", "delete"),
        ("delete", "create"), ("import", "export"), ("backup", "restore"), ("add", "remove"), ("login", "logout"),
        ("set", "unset"),
    ])
    func `no error suggests the opposite`(verb: String, opposite: String) {
        for typed in [verb, verb + "d", String(verb.dropLast()), "re" + verb] {
            for group in [[], ["accounts"], ["groups"], ["sessions"], ["applications"], ["config"], ["store"]] {
                let suggestions = Synonyms.commands(for: group + [typed], among: CommandTable.all)
                let verbs = suggestions.compactMap { $0.split(separator: " ").last.map(String.init) }
                #expect(!(verbs.contains(verb) && verbs.contains(opposite)), "\(group) \(typed): \(suggestions)")
            }
        }
        #expect(!Synonyms.commands(for: ["accounts", verb], among: CommandTable.all).contains("accounts " + opposite))
    }

    @Test func `an alias never hides a command, and each leads to one`() {
        let commands = CommandTable.all
        for command in commands {
            for alias in Alias.following(command.words, among: commands) {
                #expect(!commands.contains { $0.words == command.words + [alias.word] })
                #expect(commands.contains { $0.words == alias.command })
            }
        }
    }

    @Test func `a flag is not suggested if the command does not have it`() {
        #expect(failure("whoami -n") == "unknown_flag")
        #expect(failure("whoami -y") == "flag_needless")
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
