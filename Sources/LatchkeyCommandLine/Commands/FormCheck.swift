import LatchkeyForms

/// `forms check`: reads every description, so that each that is refused is told and not only the first.
struct FormCheck {
    let run: Run

    func perform() throws(ToolFailure) {
        let folder = try folder()
        let sources = try FormFolder.sources(in: folder)
        let errors = FormCatalogue.read(sources).refusals.map { ToolFailure.FieldError($0, run.messages) }
        guard errors.isEmpty else {
            var failure = ToolFailure(.configuration, "forms_refused", ["count": .integer(errors.count)])
            failure.errors = errors
            throw failure
        }
        if run.output.json {
            try run.output.success([("forms", .array(sources.map { .string($0.file) }))])
        } else {
            for source in sources {
                try run.output.result(run.messages.sentence("check.ok", ["check": .text(source.file)]))
            }
        }
    }

    private func folder() throws(ToolFailure) -> String {
        if let operand = run.invocation.operands.first {
            guard let path = operand.path else { throw ToolFailure(.usage, "bad_path", ["name": .text("DIR")]) }
            return path
        }
        guard let path = run.settings.values.forms else {
            throw ToolFailure(.usage, "operand_missing", ["name": .text("DIR")])
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
