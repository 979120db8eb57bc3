import LatchkeyForms

/// `forms check`: reads every description, to report each that is refused and not only the first.
struct FormsCheckCommand {
    static let spec = CommandSpec(
        words: ["forms", "check"], summary: "Check a folder of forms",
        about: "Check every description in DIR, or else in the folder of --forms, and report each that is refused.",
        operand: CommandSpec.Operand(name: "DIR", isRequired: false),
        statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey forms check ./Forms", "latchkey forms check --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in try FormsCheckCommand(context: context).run() }

    let context: CommandContext

    private func run() throws(ToolFailure) -> CommandResult {
        let folder = try folder()
        let sources = try FormFolder.sources(in: folder)
        let errors = FormCatalogue.read(sources).refusals.map { ToolFailure.FieldError($0, context.messages) }
        guard errors.isEmpty else { throw .formsRefused(errors) }
        return .lines(
            sources.map { context.messages.sentence("check.ok", ["check": .text($0.file)]) },
            json: [("forms", .array(sources.map { .string($0.file) }))])
    }

    private func folder() throws(ToolFailure) -> String {
        if let operand = context.invocation.operands.first {
            guard let path = operand.path else { throw .badPath(name: "DIR") }
            return path
        }
        guard let path = context.settings.values.text(.forms) else {
            throw .operandMissing(name: "DIR")
        }
        return path
    }
}

extension ToolFailure.FieldError {
    /// A refused description: `setup.json:3:5: …`.
    init(_ error: FormDescriptionError, _ messages: MessageTable) {
        field = error.file
        flag = nil
        code = error.problem.code
        values = ["line": .integer(error.place.line), "column": .integer(error.place.column)]
        message =
            "\(error.file):\(error.place.line):\(error.place.column): "
            + messages.sentence(error.problem.code, error.problem.values)
    }
}
