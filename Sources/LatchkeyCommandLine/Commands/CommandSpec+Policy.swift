import LatchkeyForms

extension CommandSpec {
    static let policyShow = CommandSpec(
        words: ["policy", "show"], summary: "the policy in force",
        about: "Shows each number of the policy in force (--policy), and where it departs from NIST SP 800-63B-4."
            + " No store is touched.",
        statuses: [.done, .usage, .inputOutput, .configuration],
        examples: ["latchkey policy show", "latchkey policy show --policy nist --json"]
    ) { (context) async throws(ToolFailure) in
        try context.output.policy(PolicyReport(context.settings.policy), context.messages)
    }

    static let policyTest = CommandSpec(
        words: ["policy", "test"], summary: "whether a password may be set",
        about: "Judges one password by the policy in force, as whoever sets one is judged. The other flags say whose it"
            + " would be, for it must not be made of that. No store is touched, and the password is not printed.",
        form: .flow(.setup),
        statuses: [.done, .usage, .data, .noInput, .system, .inputOutput, .configuration],
        examples: [
            "latchkey policy test --username ada --email ada@example.org",
            "printf '%s\\n' 'correct horse battery' | latchkey policy test --policy nist --password-stdin",
        ]
    ) { (context) async throws(ToolFailure) in
        try await PolicyTrial(context: context).perform()
    }
}
