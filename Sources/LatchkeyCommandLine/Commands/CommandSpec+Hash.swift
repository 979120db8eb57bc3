import LatchkeyAccounts
import LatchkeyForms

extension CommandSpec {
    static let hashCalibrate = CommandSpec(
        words: ["hash", "calibrate"], summary: "what a password hash may cost on this machine",
        about:
            "Finds the dearest Argon2id hash that takes no longer than --target-ms, with a quarter of the memory that"
            + " this process may count on for as many hashes as there are cores. Writes nothing without --apply.",
        flags: [
            FlagSpec("target-ms", value: "N", "milliseconds for one hash, 50 to 1000; 250 by default"),
            FlagSpec("apply", "write it into the configuration (--config, or the user's own)"),
        ],
        statuses: [.done, .usage, .software, .system, .inputOutput, .configuration],
        examples: ["latchkey hash calibrate", "latchkey hash calibrate --target-ms 500 --apply"]
    ) { (context) async throws(ToolFailure) in
        try await HashCalibration(context: context).perform()
    }

    static let hashInspect = CommandSpec(
        words: ["hash", "inspect"], summary: "what a stored hash is",
        about: "Reads a hash from standard input, a line, and tells its scheme, its parameters, and whether it would be"
            + " made anew at its owner's next login. The hash itself is not printed.",
        statuses: [.done, .usage, .data, .noInput, .configuration],
        examples: [
            "printf '%s\\n' \"$HASH\" | latchkey hash inspect",
            "getent shadow ada | cut -d: -f2 | latchkey hash inspect --json",
        ]
    ) { (context) async throws(ToolFailure) in
        try HashInspection(context: context).perform()
    }

    static let hashReport = CommandSpec(
        words: ["hash", "report"], summary: "which hashes the store has",
        about: "Counts the stored hashes by scheme, parameters and the key that they are sealed with, the most frequent"
            + " first; with --json one object a line.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey hash report", "latchkey hash report --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let report = try await installation.asking { (service) async throws(AccountError) in
            try await service.hashReport()
        }
        for entry in report.entries { try context.output.row(of: entry) }
    }

    static let hashVerify = CommandSpec(
        words: ["hash", "verify"], summary: "whether passwords are those that hashes were made of",
        about:
            "Answers each line of standard input with a line, in the same order. Each has a hash and a password, which"
            + " is taken byte for byte. No store is touched, and no line can stop it.",
        flags: [FlagSpec("jsonl", "read and write JSON Lines")],
        statuses: [.done, .usage, .noInput, .inputOutput, .configuration],
        examples: [
            "latchkey hash verify --jsonl",
            #"printf '%s\n' '{"id":1,"hash":"","password":""}' | latchkey hash verify --jsonl"#,
        ]
    ) { (context) async throws(ToolFailure) in
        try await HashVerification(context: context).perform()
    }
}
