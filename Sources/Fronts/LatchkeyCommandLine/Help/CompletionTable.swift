import LatchkeyForms
import LatchkeyText

/// The words, flags and values that a command line can contain with the current forms. The completion script of each
/// shell is generated from it.
struct CompletionTable {
    let commands: [Command]

    struct Command {
        /// The words, separated by spaces; empty for `latchkey` alone.
        let name: String
        /// The words that may follow.
        let members: [(word: String, summary: String)]
        /// The words that stand for other commands, each with the words of its command.
        let aliases: [(word: String, command: String)]
        /// The command's flags, without those of every command.
        let flags: [FlagSpec]
        let operand: Operand?
    }

    struct Operand {
        let kind: ValueKind
        /// Whether everything after the first word of the operand belongs to the operand.
        let endsFlags: Bool
    }

    /// The flags that take a value of one kind.
    struct Takers {
        let kind: ValueKind
        /// The flags with their commands; nil for a flag of every command.
        var flags: [(command: String?, name: String)]
    }

    init(_ commands: [CommandSpec], forms: FormCatalogue) {
        self.commands = commands.map { command in
            let members = commands.filter {
                $0.words.count == command.words.count + 1 && $0.words.starts(with: command.words)
            }
            let operand = command.operand.map { operand in
                let kind = operand.isProgram ? .program : operand.kind ?? ValueKind(called: operand.name)
                return Operand(kind: kind.listed(in: forms), endsFlags: operand.endsFlags)
            }
            return Command(
                name: command.name, members: members.map { ($0.words[$0.words.count - 1], $0.summary) },
                aliases: Alias.following(command.words, among: commands).map {
                    ($0.word, $0.command.joined(separator: " "))
                },
                flags: command.shownFlags(in: forms).map { $0.completed(in: forms) },
                operand: operand)
        }
    }

    /// The flags that take a value, grouped by the kind of value.
    var takers: [Takers] {
        var all: [Takers] = []
        func add(_ flags: [FlagSpec], of command: String?) {
            for flag in flags {
                guard let kind = flag.kind else { continue }
                let names = flag.names.map { (command: command, name: "--" + $0) }
                if let index = all.firstIndex(where: { $0.kind == kind }) {
                    all[index].flags += names
                } else {
                    all.append(Takers(kind: kind, flags: names))
                }
            }
        }
        add(FlagSpec.common, of: nil)
        for command in commands { add(command.flags, of: command.name) }
        return all
    }
}

extension FlagSpec {
    fileprivate func completed(in forms: FormCatalogue) -> FlagSpec {
        var flag = self
        flag.kind = kind?.listed(in: forms)
        return flag
    }
}

extension ValueKind {
    /// Lists the names of the forms, and omits values that a terminal cannot display unchanged.
    fileprivate func listed(in forms: FormCatalogue) -> ValueKind {
        switch self {
        case .form: .oneOf(forms.all.map(\.id))
        case .oneOf(let values):
            .oneOf(values.filter { DisplayText.violation(in: $0.utf8Span) == nil && !$0.isEmpty })
        case .text, .file, .folder, .program: self
        }
    }
}
