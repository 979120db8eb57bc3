extension CommandSpec {
    static let validate = CommandSpec(
        words: ["validate"], summary: "verdicts of rules or forms over JSON Lines",
        about:
            "Answers each line of standard input with a line, in the same order. Each line names a rule, with its"
            + " arguments and a value, or with --form gives the values of a form's fields. What makes no sense is"
            + " answered with an error, and the rest goes on. No store is touched.",
        flags: [
            FlagSpec("jsonl", "read and write JSON Lines"),
            FlagSpec("form", value: "NAME", of: .form, "judge by a form, a name from forms list, and not by rules"),
        ],
        readsForms: true, statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: [
            #"printf '%s\n' '{"id":1,"rule":"email","args":{},"value":"ada@example.org"}' | latchkey validate --jsonl"#,
            #"printf '%s\n' '{"id":1,"values":{"email_field":"ada@example.org"}}'"#
                + " | latchkey validate --form forgotPassword --jsonl",
        ]
    ) { (context) async throws(ToolFailure) in
        try Validation(context: context).perform()
    }
}
