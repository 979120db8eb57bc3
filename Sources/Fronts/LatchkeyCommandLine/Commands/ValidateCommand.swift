import LatchkeyForms
import LatchkeyProvisioning

/// `validate`: prints a verdict for each line of standard input, in the order of the lines. It continues after invalid
/// lines.
struct ValidateCommand {
    static let spec = CommandSpec(
        words: ["validate"], summary: "Validate values from JSON Lines",
        about:
            "Answer each line of standard input with a line, in the same order. A line names a rule with its arguments"
            + " and a value, or with --form gives the values of a form's fields. A malformed line is answered with an error"
            + " and does not stop the command. Does not open the store.",
        flags: [
            FlagSpec("jsonl", "Read and write JSON Lines"),
            FlagSpec("form", value: "NAME", of: .form, "Validate with a form from forms list, not with single rules"),
        ],
        readsLists: true, readsForms: true,
        statuses: [.done, .usage, .noInput, .unavailable, .inputOutput, .notAllowed, .configuration],
        examples: [
            #"printf '%s\n' '{"id":1,"rule":"email","args":{},"value":"ada@example.org"}' | latchkey validate --jsonl"#,
            #"printf '%s\n' '{"id":1,"values":{"email_field":"ada@example.org"}}'"#
                + " | latchkey validate --form forgotPassword --jsonl",
        ]
    ) { (context) async throws(ToolFailure) in
        try ValidateCommand(context: context).run()
        return .printed
    }

    /// The size in bytes of the blocks in which verdicts are written.
    private static let blockBytes = 65_536

    let context: CommandContext

    private func run() throws(ToolFailure) {
        guard context.invocation.has("jsonl") else { throw .jsonlMissing }
        if let name = context.invocation.value("form") {
            guard let form = name.text.flatMap({ context.forms[$0] }) else {
                let known = context.forms.all.map(\.id).joined(separator: ", ")
                throw .unknownForm(known: known)
            }
            var validator = FormLineValidator(form: form, messages: context.messages)
            try validate(with: &validator)
        } else {
            var validator = RuleLineValidator(rules: context.rules, messages: context.messages)
            try validate(with: &validator)
        }
    }

    private func validate(with validator: inout (some LineValidator & ~Copyable)) throws(ToolFailure) {
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
            // The sender may wait for these verdicts before it sends more lines.
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
