import LatchkeyForms

/// How a file of accounts is written.
enum RowFormat: String, CaseIterable {
    case jsonl
    case csv

    /// As `--format` says, or else as the name ends; what has no name is JSON Lines.
    ///
    /// - Throws: status 64 where neither tells.
    init(_ invocation: Invocation, path: String) throws(ToolFailure) {
        let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
        if let flag = invocation.value("format") {
            guard let format = flag.text.flatMap(RowFormat.init) else {
                throw .badFormat(known: known)
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
