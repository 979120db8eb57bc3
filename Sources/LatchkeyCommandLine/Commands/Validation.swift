import LatchkeyForms

/// `validate`: a verdict for each line of standard input, in the same order. No line can stop it.
struct Validation {
    /// Answers that wait for others, in bytes, before they are written together.
    private static let blockBytes = 65_536

    let run: Run

    func perform() throws(ToolFailure) {
        guard run.invocation.has("jsonl") else { throw ToolFailure(.usage, "jsonl_missing") }
        if let name = run.invocation.value("form") {
            guard let form = name.text.flatMap({ run.forms[$0] }) else {
                let known = run.forms.all.map(\.id).joined(separator: ", ")
                throw ToolFailure(.usage, "unknown_form", ["known": .text(known)])
            }
            var validator = FormLineValidator(form: form, messages: run.messages)
            try judge(by: &validator)
        } else {
            var validator = RuleLineValidator(rules: run.rules, messages: run.messages)
            try judge(by: &validator)
        }
    }

    private func judge(by validator: inout (some LineValidator & ~Copyable)) throws(ToolFailure) {
        var lines = try InputLines.ofStandardInput(run.messages)
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
        try run.output.result(lines: answers)
        answers.removeAll(keepingCapacity: true)
    }
}
