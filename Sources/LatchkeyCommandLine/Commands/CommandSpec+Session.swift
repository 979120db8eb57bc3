import LatchkeyAccounts
import LatchkeyForms

extension CommandSpec {
    static let logout = CommandSpec(
        words: ["logout"], summary: "end the session of this user",
        about: "Ends the session that is kept for this user of the machine. Done, too, where there is none.",
        statuses: [.done, .usage, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey logout", "latchkey logout --json"]
    ) { (run) async throws(ToolFailure) in
        let wasSignedIn = try await Installation.logOut(run)
        try run.output.done(run.messages.sentence(wasSignedIn ? "tool.logged_out" : "tool.was_logged_out"))
    }

    static let whoami = CommandSpec(
        words: ["whoami"], summary: "who is signed in",
        about: "Prints the username of the account that is signed in.",
        statuses: [.done, .no, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey whoami", "latchkey whoami --json"]
    ) { (run) async throws(ToolFailure) in
        let installation = try await Installation.open(run, creating: false)
        let account = try await installation.liveSession().account
        try run.output.account(account)
    }
}
