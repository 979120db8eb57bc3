import LatchkeyForms

/// Understands a command line by the table of commands.
struct ArgumentParser {
    let commands: [CommandSpec]

    /// In bytes: more than any name, address or path needs.
    static let maximumArgumentBytes = 65_536

    /// What stands before the flags of a command can be known: the command itself, and the settings that say where the
    /// forms are from which the rest of the flags are made.
    struct Outline {
        let command: CommandSpec
        /// What follows the command's words, and the common flags before them.
        let rest: [Argument]
        /// The common flags among them.
        let common: [Invocation.Flag]

        func has(_ flag: String) -> Bool { common.contains { $0.name == flag } }

        /// The operand, where common flags alone stand before it: of any other it is not known yet whether it takes what
        /// follows.
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

    /// Finds the command, reading common flags on the way.
    func outline(_ arguments: [Argument]) throws(ToolFailure) -> Outline {
        for argument in arguments where argument.bytes.count > Self.maximumArgumentBytes {
            throw .argumentTooLong(maximum: Self.maximumArgumentBytes)
        }
        var before: [Argument] = []
        var words: [String] = []
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            guard argument.isFlag else {
                let word = argument.text ?? "\u{FFFD}"
                guard commands.contains(where: { $0.words.starts(with: words + [word]) }) else {
                    // What is no word of a command may be its operand; behind a group there is none.
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
        let rest = before + arguments[index...]
        // Every beginning of a command is a command: that of a group says what the group has.
        guard let command = commands.first(where: { $0.words == words }) else { throw unknownCommand(words) }
        let common = commonFlags(in: command.operand?.endsFlags == true ? Self.beforeOperand(rest, command) : rest)
        return Outline(command: command, rest: rest, common: common)
    }

    /// Reads the flags and operands of a command whose flags are all known.
    func invocation(_ outline: Outline, flags: [FlagSpec]) throws(ToolFailure) -> Invocation {
        let known = flags + FlagSpec.common
        var given: [Invocation.Flag] = []
        var operands: [Argument] = []
        var rest = outline.rest[...]
        while let argument = rest.popFirst() {
            if argument.endsFlags {
                operands += rest
                break
            }
            guard argument.isFlag else {
                operands.append(argument)
                guard outline.command.operand?.endsFlags == true else { continue }
                operands += rest
                break
            }
            guard let spec = Self.spec(argument, among: known) else { throw unknownFlag(argument, among: known) }
            let attached = argument.longFlag?.value
            // Refused before anything else, and without its value, which may be a password.
            if let flag = spec.refusedSecret {
                throw spec.name == flag
                    ? .secretArgument(given: spec.name, flag: flag) : .hashArgument(given: spec.name)
            }
            guard !given.contains(where: { $0.name == spec.name }) else {
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
        let operand = outline.command.operand
        if operand?.isProgram == true, operand?.endsFlags == false {
            // What stands before `--` could be meant for either of the two.
            guard outline.rest.contains(where: \.endsFlags), operands == Self.behindEnd(of: outline.rest) else {
                throw .programBehindDashes
            }
        }
        let maximum = operand == nil ? 0 : operand?.isProgram == true ? .max : 1
        guard operands.count <= maximum else {
            throw .operandTooMany(command: (["latchkey"] + outline.command.words).joined(separator: " "))
        }
        if let operand, operand.isRequired, operands.isEmpty {
            throw .operandMissing(name: operand.name)
        }
        return Invocation(command: outline.command, flags: given, operands: operands)
    }

    /// The flags of a command whose operand ends them, with their values.
    private static func beforeOperand(_ rest: [Argument], _ command: CommandSpec) -> [Argument] {
        let known = command.flags + FlagSpec.common
        var index = 0
        while index < rest.count, rest[index].isFlag, !rest[index].endsFlags {
            let takesNext = rest[index].longFlag?.value == nil && spec(rest[index], among: known)?.value != nil
            index += takesNext ? 2 : 1
        }
        return Array(rest.prefix(index))
    }

    private static func behindEnd(of rest: [Argument]) -> [Argument] {
        Array(rest.drop { !$0.endsFlags }.dropFirst())
    }

    /// The common flags in `rest`, as far as they can be told before the others are known. A value never begins with a
    /// hyphen unless it is written with `=`, so none can be mistaken for a flag.
    private func commonFlags(in rest: [Argument]) -> [Invocation.Flag] {
        var found: [Invocation.Flag] = []
        for (index, argument) in rest.enumerated() {
            if argument.endsFlags { break }
            guard argument.isFlag, let spec = Self.spec(argument, among: FlagSpec.common) else { continue }
            let next = index + 1 < rest.count && !rest[index + 1].isFlag ? rest[index + 1] : nil
            let value = spec.value == nil ? nil : argument.longFlag?.value ?? next
            found.append(Invocation.Flag(name: spec.name, value: value))
        }
        return found
    }

    private static func spec(_ argument: Argument, among specs: [FlagSpec]) -> FlagSpec? {
        if let long = argument.longFlag { return specs.first { $0.name == long.name } }
        return specs.first { spec in spec.short.map { argument == Argument("-\($0)") } ?? false }
    }

    private func unknownFlag(_ argument: Argument, among specs: [FlagSpec]) -> ToolFailure {
        // Never more than the name: what follows `=` may be a secret.
        let name = argument.longFlag.map { "--" + $0.name } ?? String(decoding: argument.bytes.prefix(2), as: UTF8.self)
        // A secret's own name is refused too: who meant it is told of the first way that is not.
        let ways = Dictionary(
            specs.compactMap { spec in
                spec.refusedSecret.map { ("--" + spec.name, "--" + $0 + "-" + SecretSource.stdin.rawValue) }
            },
            uniquingKeysWith: { first, _ in first })
        guard let nearest = Suggestion.nearest(to: name, among: specs.map { "--" + $0.name }).map({ ways[$0] ?? $0 })
        else {
            return ToolFailure.unknownFlag(flag: name)
        }
        return ToolFailure.unknownFlagSuggestion(flag: name, nearest: nearest)
    }

    private func unknownCommand(_ words: [String]) -> ToolFailure {
        let name = words.joined(separator: " ")
        let names = commands.map(\.name).filter { !$0.isEmpty }
        guard let nearest = Suggestion.nearest(to: name, among: names) else {
            return ToolFailure.unknownCommand(command: name)
        }
        return ToolFailure.unknownCommandSuggestion(command: name, nearest: nearest)
    }
}
