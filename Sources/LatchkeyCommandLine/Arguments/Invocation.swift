import LatchkeyForms

/// A command line that has been understood: which command, with which flags and operands.
struct Invocation: Sendable {
    let command: CommandSpec
    /// In the order given.
    let flags: [Flag]
    let operands: [Argument]

    struct Flag: Sendable {
        let name: String
        let value: Argument?
    }

    func has(_ name: String) -> Bool { flags.contains { $0.name == name } }

    /// The value of a flag; nil where it was not given.
    func value(_ name: String) -> Argument? { flags.first { $0.name == name }?.value }

    /// The number that a flag gives; `standard` where it was not given.
    ///
    /// - Throws: status 64 where it is none, or not in `range`.
    func number(_ name: String, orElse standard: Int, in range: ClosedRange<Int>) throws(ToolFailure) -> Int {
        guard let flag = flags.first(where: { $0.name == name }) else { return standard }
        guard let number = flag.value?.wholeNumber, range ~= number else {
            throw .badNumber(name: "--" + name)
        }
        return number
    }
}
