import LatchkeyForms

extension CommandSpec {
    static let configShow = CommandSpec(
        words: ["config", "show"], summary: "each setting in force, and where it came from",
        about: "Shows each setting with the flag, the environment variable or the file that gave it. Where a file or a"
            + " variable is refused, it says why, shows what the others say, and ends with 78. No store is touched.",
        toleratesSettings: true, statuses: [.done, .usage, .inputOutput, .configuration],
        examples: ["latchkey config show", "latchkey config show --policy nist --json"]
    ) { (context) async throws(ToolFailure) in
        try context.output.settings(SettingsReport(context.settings), context.messages)
    }
}
