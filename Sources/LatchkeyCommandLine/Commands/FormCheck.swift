import LatchkeyForms

/// `forms check`: reads every description, so that each that is refused is told and not only the first.
struct FormCheck {
    let context: CommandContext

    func perform() throws(ToolFailure) {
        let folder = try folder()
        let sources = try FormFolder.sources(in: folder)
        let errors = FormCatalogue.read(sources).refusals.map { ToolFailure.FieldError($0, context.messages) }
        guard errors.isEmpty else { throw .formsRefused(errors) }
        if context.output.json {
            try context.output.success([("forms", .array(sources.map { .string($0.file) }))])
        } else {
            for source in sources {
                try context.output.result(context.messages.sentence("check.ok", ["check": .text(source.file)]))
            }
        }
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
