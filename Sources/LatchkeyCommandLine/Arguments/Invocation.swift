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
}
