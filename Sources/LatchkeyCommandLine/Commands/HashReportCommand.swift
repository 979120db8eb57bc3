import LatchkeyAccounts
import LatchkeyForms

/// `hash report`: how many stored hashes of each kind there are.
enum HashReportCommand {
    static let spec = CommandSpec(
        words: ["hash", "report"], summary: "Count the stored hashes",
        about: "Count the stored hashes by scheme, parameters and sealing key, the most frequent first; with --json one"
            + " object a line.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey hash report", "latchkey hash report --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let report = try await installation.asking { (service) async throws(AccountError) in
            try await service.hashReport()
        }
        for entry in report.entries {
            let parameters = entry.parameters.isEmpty ? "-" : entry.parameters
            let key = entry.key?.text ?? "bare"
            try context.output.row(
                "\(entry.count)  \(entry.scheme)  \(parameters)  \(key)  \(entry.state.rawValue)",
                json: .object([
                    ("scheme", .string(entry.scheme)), ("parameters", .string(entry.parameters)),
                    ("key", entry.key.map { .string($0.text) } ?? .null),
                    ("state", .string(entry.state.rawValue)), ("count", .integer(entry.count)),
                ]))
        }
        return .printed
    }
}
