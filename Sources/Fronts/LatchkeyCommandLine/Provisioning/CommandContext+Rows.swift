import Glibc
import LatchkeyForms
import LatchkeyProvisioning

extension CommandContext {
    /// The path of the FILE operand, and its name in messages.
    ///
    /// - Throws: status 64 if the operand is missing, or if it is standard input on a terminal.
    func rowFile() throws(ToolFailure) -> (path: String, name: String) {
        let path = try invocation.path()
        guard path == "-" else { return (path, path) }
        if isatty(STDIN_FILENO) == 1 { throw .secretFromTerminal(flag: "FILE") }
        return (path, messages.sentence("tool.standard_input"))
    }
}

extension RowFormat {
    /// The format given with `--format`, otherwise that of the file name. The default for standard input is JSON Lines.
    ///
    /// - Throws: status 64 if the format cannot be determined.
    init(_ invocation: Invocation, path: String) throws(ToolFailure) {
        let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
        if let flag = invocation.value("format") {
            guard let format = flag.text.flatMap(RowFormat.init) else {
                throw .badValue("--format", .format(known: known))
            }
            self = format
            return
        }
        let name = path.lowercased()
        if name.hasSuffix(".csv") {
            self = .csv
        } else if name == "-" || name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") {
            self = .jsonl
        } else {
            throw .formatUnknown(name: path, known: known)
        }
    }
}
