import LatchkeyForms

/// `validate`: a verdict for each line of standard input, in the same order. No line can stop it.
struct Validation {
    /// Answers that wait for others, in bytes, before they are written together.
    private static let blockBytes = 65_536

    let context: CommandContext

    func perform() throws(ToolFailure) {
        guard context.invocation.has("jsonl") else { throw .jsonlMissing }
        if let name = context.invocation.value("form") {
            guard let form = name.text.flatMap({ context.forms[$0] }) else {
                let known = context.forms.all.map(\.id).joined(separator: ", ")
                throw .unknownForm(known: known)
            }
            var validator = FormLineValidator(form: form, messages: context.messages)
            try judge(by: &validator)
        } else {
            var validator = RuleLineValidator(rules: context.rules, messages: context.messages)
            try judge(by: &validator)
        }
    }

    private func judge(by validator: inout (some LineValidator & ~Copyable)) throws(ToolFailure) {
        var lines = try InputLines.ofStandardInput(context.messages)
        var answers: [UInt8] = []
        repeat {
            while lines.take({ line, bytes in
                switch line {
                case .whole: validator.answer(bytes, to: &answers)
                case .overlong: validator.answerOverlong(to: &answers)
                }
            }) {
                if answers.count >= Self.blockBytes { try flush(&answers) }
            }
            // Whoever waits for these before they send more must not wait for ever.
            if !lines.isReady { try flush(&answers) }
        } while try lines.refill()
        try flush(&answers)
    }

    private func flush(_ answers: inout [UInt8]) throws(ToolFailure) {
        guard !answers.isEmpty else { return }
        try context.output.result(lines: answers)
        answers.removeAll(keepingCapacity: true)
    }
}
