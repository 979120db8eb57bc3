import LatchkeyAccounts
import LatchkeyForms

extension CommandContext {
    /// Runs `body` for each NAME and reports each result. If there is only one NAME, the command returns its result or
    /// failure.
    ///
    /// - Parameter count: the number of operands before the first NAME.
    func forEachName(
        after count: Int = 0, _ body: (Name) async throws(ToolFailure) -> CommandResult
    ) async throws(ToolFailure) -> CommandResult {
        let names = invocation.operands.dropFirst(count).map(Name.init)
        guard names.count > 1 else { return try await body(names.first ?? Name(Argument(""))) }
        var report = NameReport(self)
        for name in names {
            try await report.add(name) { () async throws(ToolFailure) in try await body(name) }
        }
        return report.result
    }

    /// An operand that identifies an account.
    struct Name {
        /// The name; nil if the bytes are not UTF-8.
        let text: String?

        init(_ argument: Argument) { text = argument.text }

        /// The name for messages.
        var shown: String { text ?? "\u{FFFD}" }
    }

    /// Reports the results for several operands as they arrive. The command exits with the highest status.
    struct NameReport {
        private let context: CommandContext
        private var worst = ExitStatus.done
        private var isFirst = true

        init(_ context: CommandContext) { self.context = context }

        var result: CommandResult { .reported(worst: worst) }

        /// Runs `body` and reports its result or its failure.
        ///
        /// - Throws: only if writing to standard output fails.
        mutating func add(
            _ name: Name, _ body: () async throws(ToolFailure) -> CommandResult
        ) async throws(ToolFailure) {
            let result: CommandResult
            do throws(ToolFailure) { result = try await body() } catch { return fail(name, error) }
            // An empty line separates accounts with several lines.
            if case .sentences = result, !context.output.json, !isFirst { try context.output.result("") }
            isFirst = false
            try context.output.show(result, context.messages, named: name.shown)
        }

        mutating func fail(_ name: Name, _ failure: ToolFailure) {
            context.output.failure(failure, context.messages, named: name.shown)
            if failure.status.rawValue > worst.rawValue { worst = failure.status }
        }
    }
}
