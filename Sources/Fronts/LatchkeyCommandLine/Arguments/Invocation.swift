import LatchkeyForms

/// A parsed command line: the command with its flags and operands.
package struct Invocation: Sendable {
    let command: CommandSpec
    /// The flags in command-line order.
    let flags: [Flag]
    let operands: [Argument]

    struct Flag: Sendable {
        /// The name without hyphens.
        let name: String
        /// The value; nil for a flag without a value.
        let value: Argument?
    }

    /// Whether a flag is given.
    package func has(_ name: String) -> Bool { flags.contains { $0.name == name } }

    /// The value of a flag; nil if the flag is absent.
    func value(_ name: String) -> Argument? { flags.first { $0.name == name }?.value }

    /// The values of a repeatable flag, in order.
    func values(_ name: String) -> [Argument] { flags.filter { $0.name == name }.compactMap(\.value) }

    /// The values as strings. Invalid UTF-8 is replaced, because no caller accepts it as a value.
    package func texts(_ name: String) -> [String] { values(name).map { String(decoding: $0.bytes, as: UTF8.self) } }

    /// The number given for a flag; `standard` if the flag is absent.
    ///
    /// - Throws: status 64 if the value is not a number in `range`.
    package func number(_ name: String, orElse standard: Int, in range: ClosedRange<Int>) throws(ToolFailure) -> Int {
        try number(name, in: range) ?? standard
    }

    /// The number given for a flag; nil if the flag is absent.
    func number(_ name: String, in range: ClosedRange<Int>) throws(ToolFailure) -> Int? {
        guard let flag = flags.first(where: { $0.name == name }) else { return nil }
        guard let number = flag.value?.wholeNumber, range ~= number else {
            throw .badValue("--" + name, .number(in: range))
        }
        return number
    }

    /// The path given for a flag; nil if the flag is absent.
    ///
    /// - Throws: status 64 if the value is empty or not a valid path.
    package func path(_ name: String) throws(ToolFailure) -> String? {
        guard let value = value(name) else { return nil }
        guard let path = value.path else { throw .badValue("--" + name, .path) }
        return path
    }

    /// The operand as a path.
    ///
    /// - Throws: status 64 if the operand is missing, empty or not a valid path.
    func path() throws(ToolFailure) -> String {
        guard let path = operands.first?.path else { throw .badValue(command.operand?.name ?? "", .path) }
        return path
    }
}
