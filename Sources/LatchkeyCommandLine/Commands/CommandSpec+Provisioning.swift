import LatchkeyForms

extension CommandSpec {
    static let accountsImport = CommandSpec(
        words: ["accounts", "import"], summary: "make many accounts of a file",
        about:
            "Makes an account of each row of FILE: JSON Lines or CSV with a header; - is standard input. Every row is"
            + " checked before anything is written; one bad row, and nothing is. Then they are written in batches, each"
            + " whole or not at all: what was interrupted is finished by running it again with --on-conflict skip.",
        more: [
            "Columns are the fields of the set-up form, by key or flag, and id, password, password_hash, disabled,",
            "require_change and created_at. What is null or an empty cell was not given.",
        ],
        operand: Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("format", value: "jsonl|csv", "jsonl or csv, where the file's name does not tell"),
            FlagSpec(
                "on-conflict", value: "fail|skip|update",
                "what becomes of rows whose account there is: fail (the default), skip or update"),
            FlagSpec("keep-going", "take the good rows where others are bad"),
            FlagSpec("dry-run", "check everything, and write nothing"),
            FlagSpec("report", value: "FILE", "what has become of each row, as JSON Lines, without its values"),
            FlagSpec(
                "weak-as-reset",
                "hashes too weak to be used (DES, MD5, NT, {SSHA}, no hash at all): the owner recovers the account"),
        ],
        hashesPasswords: true, readsForms: true,
        statuses: [.done, .data, .cannotCreate, .temporary, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts import people.csv --dry-run",
            "latchkey accounts import people.jsonl --on-conflict skip --report verdicts.jsonl",
        ]
    ) { (context) async throws(ToolFailure) in
        try await ImportRun(context).perform()
    }

    static let accountsApply = CommandSpec(
        words: ["accounts", "apply"], summary: "bring the accounts to a desired state",
        about:
            "Creates, updates, enables and disables accounts until they are as FILE says, and tells each change; where"
            + " all is so already: no changes. FILE is one JSON object, {\"accounts\":[{…}]}; - is standard input. An account"
            + " is the one with its id, or else its username; what is not given stays as it is. All is checked before"
            + " anything is written.",
        more: [
            "Keys are those of accounts import, but for password: credentials are password_hash, a first password that",
            "stays whatever it becomes once its owner has logged in, or password_file, the path of a file (from FILE's",
            "folder) whose first line is the password, which is set where it is not right. require_change goes with them.",
        ],
        operand: Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("dry-run", "tell what would be done, and write nothing"),
            FlagSpec(
                "prune", "remove the accounts that FILE does not name; a terminal asks, elsewhere --yes is needed"),
            FlagSpec("yes", "do not ask"),
        ],
        hashesPasswords: true, readsForms: true,
        statuses: [.done, .no, .data, .temporary, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts apply accounts.json --dry-run", "latchkey accounts apply accounts.json --prune --yes",
        ]
    ) { (context) async throws(ToolFailure) in
        try await ApplyRun(context).perform()
    }

    static let accountsExport = CommandSpec(
        words: ["accounts", "export"], summary: "write every account to a file",
        about:
            "Writes the accounts in the order of their usernames as accounts import takes them; - is standard output."
            + " The file is made with mode 0600, in the place of one that is there. Accounts whose owners have still to"
            + " prove their address are left out.",
        operand: Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("format", value: "jsonl|csv", "jsonl or csv, where the file's name does not tell"),
            FlagSpec("with-hashes", "password hashes too, which can be guessed at; only to a file or a pipe"),
        ],
        readsForms: true,
        statuses: [.done, .cannotCreate] + ExitStatus.ofStores,
        examples: ["latchkey accounts export people.csv", "latchkey accounts export - --format jsonl"]
    ) { (context) async throws(ToolFailure) in
        try await ExportRun(context).perform()
    }
}
