import LatchkeyForms

/// `accounts export`: writes every account to a file.
enum AccountsExportCommand {
    static let spec = CommandSpec(
        words: ["accounts", "export"], summary: "Export every account to a file",
        about:
            "Write the accounts in the order of their usernames, in the format of accounts import; - is standard output."
            + " FILE gets mode 0600 and replaces an existing file. Unverified accounts are left out.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("format", value: "jsonl|csv", "File format, jsonl or csv [from the file's name]"),
            FlagSpec("with-hashes", "Include password hashes, which can be guessed; only to a file or a pipe"),
        ],
        readsForms: true,
        statuses: [.done, .cannotCreate] + ExitStatus.ofStores,
        examples: ["latchkey accounts export people.csv", "latchkey accounts export - --format jsonl"]
    ) { (context) async throws(ToolFailure) in
        try await ExportRun(context).perform()
        return .printed
    }
}
