import LatchkeyForms

/// `accounts apply`: makes the accounts as a file describes them.
enum AccountsApplyCommand {
    static let spec = CommandSpec(
        words: ["accounts", "apply"], summary: "Apply a desired state",
        about:
            "Create, update, enable and disable accounts until they are as FILE describes, and print each change, or: no"
            + " changes. FILE is one JSON object, {\"accounts\":[{…}]}; - is standard input. An account is found by id, or"
            + " else by username; fields that are not given stay unchanged. Latchkey checks everything before it writes.",
        more: [
            "Keys are those of accounts import, except password. Credentials are",
            "password_hash, a first password that is left alone once its owner has logged",
            "in, or password_file, the path of a file (relative to FILE's folder) whose",
            "first line is the password, which is set if it is not the current one.",
            "require_change goes with them.",
        ],
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("dry-run", "Print the changes and write nothing"),
            FlagSpec("prune", "Delete accounts that FILE does not name; asks in a terminal, otherwise needs --yes"),
            FlagSpec("yes", "Do not ask for confirmation"),
        ],
        hashesPasswords: true, readsForms: true,
        statuses: [.done, .no, .data, .temporary, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts apply accounts.json --dry-run", "latchkey accounts apply accounts.json --prune --yes",
        ]
    ) { (context) async throws(ToolFailure) in
        try await ApplyRun(context).perform()
        return .printed
    }
}
