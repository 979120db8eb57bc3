import Glibc
import LatchkeyAccounts
import LatchkeyForms

/// What an import was asked to do.
struct ImportOptions: Sendable {
    let path: String
    /// What the file is called in messages.
    let name: String
    let format: RowFormat
    let choice: ConflictChoice
    /// Whether the good rows are taken where others are bad.
    let keepsGoing: Bool
    let isDryRun: Bool
    let resetsWeakHashes: Bool
    /// Where each row's verdict is written; nil for nowhere.
    let report: String?

    init(
        path: String, format: RowFormat, choice: ConflictChoice = .fail, resetsWeakHashes: Bool = false
    ) {
        self.path = path
        name = path
        self.format = format
        self.choice = choice
        keepsGoing = false
        isDryRun = false
        self.resetsWeakHashes = resetsWeakHashes
        report = nil
    }

    init(_ context: CommandContext) throws(ToolFailure) {
        let invocation = context.invocation
        guard let path = invocation.operands.first?.path else {
            throw .badPath(name: "FILE")
        }
        if path == "-", isatty(STDIN_FILENO) == 1 {
            throw .secretFromTerminal(flag: "FILE")
        }
        self.path = path
        name = path == "-" ? context.messages.sentence("tool.standard_input") : path
        format = try RowFormat(invocation, path: path)
        if let flag = invocation.value("on-conflict") {
            guard let choice = flag.text.flatMap(ConflictChoice.init) else {
                let known = ConflictChoice.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badChoice(name: "--on-conflict", known: known)
            }
            self.choice = choice
        } else {
            choice = .fail
        }
        keepsGoing = invocation.has("keep-going")
        isDryRun = invocation.has("dry-run")
        resetsWeakHashes = invocation.has("weak-as-reset")
        if let flag = invocation.value("report") {
            guard let path = flag.path else { throw .badPath(name: "--report") }
            report = path
        } else {
            report = nil
        }
    }
}
