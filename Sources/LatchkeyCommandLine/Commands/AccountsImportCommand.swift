import LatchkeyForms

/// `accounts import`: creates many accounts from a file.
enum AccountsImportCommand {
    static let spec = CommandSpec(
        words: ["accounts", "import"], summary: "Import accounts from a file",
        about:
            "Create an account from each row of FILE: JSON Lines, or CSV with a header; - is standard input. Latchkey"
            + " checks every row first; one invalid row, and nothing is written. It then writes batches, each whole or not"
            + " at all: after an interruption, run it again with --on-conflict skip.",
        more: [
            "Columns are the fields of the sign-up form, by key or flag, and id, password,",
            "password_hash, disabled, require_change and created_at. Null and empty cells",
            "count as not given.",
        ],
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("format", value: "jsonl|csv", "File format, jsonl or csv [from the file's name]"),
            FlagSpec(
                "on-conflict", value: "fail|skip|update", "For rows whose account exists: fail, skip or update [fail]"),
            FlagSpec("keep-going", "Import the valid rows even if others are invalid"),
            FlagSpec("dry-run", "Check everything and write nothing"),
            FlagSpec("report", value: "FILE", "Write each row's outcome to FILE as JSON Lines, without its values"),
            FlagSpec(
                "weak-as-reset", "Import rows with a hash too weak to use (DES, MD5, NT, {SSHA}) without a password"),
        ],
        hashesPasswords: true, readsForms: true,
        statuses: [.done, .data, .cannotCreate, .temporary, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts import people.csv --dry-run",
            "latchkey accounts import people.jsonl --on-conflict skip --report verdicts.jsonl",
        ]
    ) { (context) async throws(ToolFailure) in
        try await ImportRun(context).perform()
        return .printed
    }
}
