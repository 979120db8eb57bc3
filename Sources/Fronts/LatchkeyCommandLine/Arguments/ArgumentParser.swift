import LatchkeyForms

/// Parses a command line with the table of commands, in two passes.
///
/// The first pass finds the command and the settings, which determine the location of the forms. The second pass reads
/// the rest with the forms, whose fields are flags.
struct ArgumentParser {
    let commands: [CommandSpec]

    /// The maximum length of an argument in bytes, more than any name, address or path needs.
    static let maximumArgumentBytes = 65_536

    /// The result of the first pass.
    struct FirstPass {
        let command: CommandSpec
        /// The flags before the command's words, and everything after the words.
        let rest: [Argument]
        /// The flags in ``rest`` that belong to every command or to settings.
        let known: [Invocation.Flag]
        /// The flag, without hyphens, whose value is the second operand (``Alias/flagOfSecondOperand``).
        var flagOfSecondOperand: String?

        func has(_ flag: String) -> Bool { known.contains { $0.name == flag } }

        var wantsHelp: Bool { has("help") || has("help-all") }

        /// The operand. Nil if a flag of the form comes before it, because the operand might be the flag's value.
        var operandBeforeFlags: Argument? {
            var rest = rest[...]
            while let argument = rest.popFirst() {
                if argument.endsFlags { return rest.first }
                guard argument.isFlag else { return argument }
                guard let spec = ArgumentParser.spec(argument, among: FlagSpec.common) else { return nil }
                if spec.value != nil, argument.longFlag?.value == nil { _ = rest.popFirst() }
            }
            return nil
        }
    }

    /// Finds the command and the settings.
    func firstPass(_ arguments: [Argument]) throws(ToolFailure) -> FirstPass {
        for argument in arguments where argument.bytes.count > Self.maximumArgumentBytes {
            throw .argumentTooLong(maximum: Self.maximumArgumentBytes)
        }
        var before: [Argument] = []
        var words: [String] = []
        var alias: Alias?
        var operands: [[String]: String] = [:]
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            guard argument.isFlag else {
                let word = argument.text ?? "\u{FFFD}"
                guard commands.contains(where: { $0.words.starts(with: words + [word]) }) else {
                    if let found = Alias.named(word, after: words, among: commands) {
                        words = found.command
                        before += found.flags.map { Argument($0) }
                        alias = found
                        operands.merge(found.operands) { $1 }
                        index += 1
                        if index < arguments.count, let next = arguments[index].text.flatMap({ found.following[$0] }) {
                            words = next
                            index += 1
                        }
                        continue
                    }
                    // A further word may be the operand of a command, but a group of commands has no operand.
                    let isGroup = commands.contains { $0.words.starts(with: words) && $0.words.count > words.count }
                    if !isGroup { break }
                    throw unknownCommand(words + [word])
                }
                words.append(word)
                index += 1
                continue
            }
            guard !argument.endsFlags, let spec = Self.spec(argument, among: FlagSpec.common) else {
                if commands.contains(where: { $0.words == words }) { break }
                throw unknownFlag(argument, among: FlagSpec.common)
            }
            before.append(argument)
            index += 1
            if spec.value != nil, argument.longFlag?.value == nil, index < arguments.count {
                before.append(arguments[index])
                index += 1
            }
        }
        var rest = before + arguments[index...]
        if let operand = operands[words], !arguments[index...].contains(where: { !$0.isFlag }) {
            rest.insert(Argument(operand), at: before.count)
        }
        let first = try firstPass(of: words, rest)
        if let other = alias?.commandWithOperand, first.operandBeforeFlags != nil {
            return try firstPass(of: other, rest)
        }
        guard let flag = alias?.flagOfSecondOperand else { return first }
        return FirstPass(command: first.command, rest: rest, known: first.known, flagOfSecondOperand: flag)
    }

    private func firstPass(of words: [String], _ rest: [Argument]) throws(ToolFailure) -> FirstPass {
        // A group is also a command, which lists its members.
        guard let command = commands.first(where: { $0.words == words }) else { throw unknownCommand(words) }
        let known = Self.knownFlags(
            of: command, in: command.operand?.endsFlags == true ? Self.beforeOperand(rest, command) : rest)
        return FirstPass(command: command, rest: rest, known: known)
    }

    /// Reads all flags and operands.
    ///
    /// - Parameter flags: the flags of the command, including those of its form.
    func secondPass(_ first: FirstPass, flags: [FlagSpec]) throws(ToolFailure) -> Invocation {
        let known = flags + FlagSpec.common
        var given: [Invocation.Flag] = []
        var operands: [Argument] = []
        var rest = first.rest[...]
        while let argument = rest.popFirst() {
            if argument.endsFlags {
                operands += rest
                break
            }
            guard argument.isFlag else {
                operands.append(argument)
                guard first.command.operand?.endsFlags == true else { continue }
                operands += rest
                break
            }
            guard let spec = Self.spec(argument, among: known) else {
                throw unknownFlag(argument, among: known, of: first.command)
            }
            let attached = argument.longFlag?.value
            // The error leaves out the value, which may be a password.
            if let flag = spec.refusedSecret {
                throw spec.name == flag
                    ? .secretArgument(given: spec.name, flag: flag) : .hashArgument(given: spec.name)
            }
            guard spec.isRepeatable || !given.contains(where: { $0.name == spec.name }) else {
                throw .flagTwice(flag: spec.name)
            }
            var value = attached
            if spec.value == nil {
                guard attached == nil else { throw .flagTakesNone(flag: spec.name) }
            } else if value == nil {
                guard let next = rest.first, !next.isFlag else {
                    throw .flagNeedsValue(flag: spec.name)
                }
                value = rest.removeFirst()
            }
            given.append(Invocation.Flag(name: spec.name, value: value))
        }
        let operand = first.command.operand
        if operand?.isProgram == true, operand?.endsFlags == false {
            // A word before `--` could belong either to the program or to this command.
            guard let end = first.rest.firstIndex(where: \.endsFlags), operands == Array(first.rest[(end + 1)...])
            else {
                throw .programBehindDashes
            }
        }
        if let flag = first.flagOfSecondOperand, operands.count == 2, !given.contains(where: { $0.name == flag }) {
            given.append(Invocation.Flag(name: flag, value: operands.removeLast()))
        }
        let maximum = operand == nil ? 0 : operand?.isProgram == true || operand?.isRepeatable == true ? .max : 1
        if let flag = operand?.flag, operands.count == 1 {
            guard !given.contains(where: { $0.name == flag }) else { throw .flagTwice(flag: flag) }
            given.append(Invocation.Flag(name: flag, value: operands.removeLast()))
        }
        guard operands.count <= maximum else {
            throw .operandTooMany(command: ([first.command.program] + first.command.words).joined(separator: " "))
        }
        if let operand, operand.isRequired, operands.isEmpty {
            throw .operandMissing(name: operand.name)
        }
        return Invocation(command: first.command, flags: given, operands: operands)
    }

    /// The flags before the operand, with their values.
    private static func beforeOperand(_ rest: [Argument], _ command: CommandSpec) -> [Argument] {
        let known = command.ownFlags + FlagSpec.common
        var index = 0
        while index < rest.count, rest[index].isFlag, !rest[index].endsFlags {
            let takesNext = rest[index].longFlag?.value == nil && spec(rest[index], among: known)?.value != nil
            index += takesNext ? 2 : 1
        }
        return Array(rest.prefix(index))
    }

    /// The flags in `rest` that the first pass needs. A value cannot be mistaken for a flag, because a value that
    /// begins with a hyphen must be attached with `=`.
    private static func knownFlags(of command: CommandSpec, in rest: [Argument]) -> [Invocation.Flag] {
        let specs = FlagSpec.common + command.flagsOfSettings
        var found: [Invocation.Flag] = []
        for (index, argument) in rest.enumerated() {
            if argument.endsFlags { break }
            guard argument.isFlag, let spec = spec(argument, among: specs) else { continue }
            let next = index + 1 < rest.count && !rest[index + 1].isFlag ? rest[index + 1] : nil
            let value = spec.value == nil ? nil : argument.longFlag?.value ?? next
            found.append(Invocation.Flag(name: spec.name, value: value))
        }
        return found
    }

    private static func spec(_ argument: Argument, among specs: [FlagSpec]) -> FlagSpec? {
        if let long = argument.longFlag { return specs.first { $0.names.contains(long.name) } }
        return specs.first { spec in spec.short.map { argument == Argument("-\($0)") } ?? false }
    }

    /// - Parameter command: the command that does not have the flag; nil if it is not known yet.
    private func unknownFlag(
        _ argument: Argument, among specs: [FlagSpec], of command: CommandSpec? = nil
    ) -> ToolFailure {
        let operand = command?.operand
        // Only the name is shown, because the value after `=` may be a secret.
        let name = argument.longFlag.map { "--" + $0.name } ?? String(decoding: argument.bytes.prefix(2), as: UTF8.self)
        // A flag with the name of a secret is refused too, so the error suggests the first flag that is accepted.
        let ways = Dictionary(
            specs.compactMap { spec in
                spec.refusedSecret.map { ("--" + spec.name, "--" + $0 + "-" + SecretSource.stdin.rawValue) }
            },
            uniquingKeysWith: { first, _ in first })
        if let command {
            if let instead = Synonyms.command(for: name, of: command) {
                return .unknownFlagSuggestion(flag: name, nearest: "\(command.program) \(instead)")
            }
            if Synonyms.confirmations.contains(name), !known(specs).contains("--yes") {
                return .flagNeedless(flag: name, command: "\(command.program) \(command.name)")
            }
        }
        let meant = Synonyms.flag(for: name, among: specs)
        guard let nearest = meant ?? Suggestion.nearest(to: name, among: known(specs)).map({ ways[$0] ?? $0 })
        else {
            if let operand, !operand.isProgram, argument.longFlag == nil, argument.bytes.count > 2 {
                return ToolFailure.operandLikeFlag(flag: name, name: operand.name)
            }
            return ToolFailure.unknownFlag(flag: name)
        }
        return ToolFailure.unknownFlagSuggestion(flag: name, nearest: nearest)
    }

    private func known(_ specs: [FlagSpec]) -> [String] { specs.flatMap(\.names).map { "--" + $0 } }

    private func unknownCommand(_ words: [String]) -> ToolFailure {
        let name = words.joined(separator: " ")
        let meant = Synonyms.commands(for: words, among: commands)
        guard !meant.isEmpty else { return ToolFailure.unknownCommand(command: name) }
        return .unknownCommandSuggestion(
            command: name, nearest: meant.map { "\(commands[0].program) \($0)" }.joined(separator: ", "))
    }
}
