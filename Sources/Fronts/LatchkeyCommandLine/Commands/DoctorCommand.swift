import LatchkeyAccounts
import LatchkeyForms

/// `doctor`: checks the settings, the store and the mail queue.
enum DoctorCommand {
    static let spec = CommandSpec(
        words: ["doctor"], summary: "Check the settings, the store and the mail queue",
        about:
            "Check everything at once without changing anything: the settings (config check), the store (store check) and"
            + " the messages that wait. Ends with 1 if there is a problem; a warning does not count.",
        checksService: true, delivers: true, forOperators: true, toleratesSettings: true,
        statuses: [.done, .no] + ExitStatus.ofStores, examples: ["latchkey doctor", "latchkey doctor --json"]
    ) { (context) async throws(ToolFailure) in
        let problems = ConfigCheckCommand.problems(context)
        var findings = problems.isEmpty ? [StoreFinding.sound("settings")] : []
        if problems.isEmpty, let problem = ConfigCheckCommand.problemOfProxy(context) {
            // The service may run with the flag.
            findings = [
                .warning("settings", "tool.serve_refuses", ["problem": .text(problem.sentence(context.messages))])
            ]
        }
        do throws(ToolFailure) {
            findings += try await StoreCheckCommand(context: context).findings(at: context.storeLocation())
        } catch {
            guard case .store(.missing, let missing) = error else { throw error }
            findings.append(.warning("store", "check.store_missing", ["path": .text(missing)]))
        }
        let errors =
            problems.map { $0.error(context.messages) }
            + findings.filter { $0.verdict == .bad }.map { $0.error(context.messages) }
        guard errors.isEmpty else {
            if !context.output.json { try context.output.sentences(findings.map { $0.line(context.messages) }) }
            throw .problemsFound(errors)
        }
        return .sentences(
            findings.map { $0.line(context.messages) },
            json: [("checks", .array(findings.map { $0.json(context.messages) }))])
    }
}
