import LatchkeyAccounts
import LatchkeyForms

extension CommandSpec {
    static let logout = CommandSpec(
        words: ["logout"], summary: "end the session of this user",
        about: "Ends the session that is kept for this user of the machine. Done, too, where there is none.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey logout", "latchkey logout --json"]
    ) { (run) async throws(ToolFailure) in
        let wasSignedIn = try await Installation.logOut(run)
        try run.output.done(run.messages.sentence(wasSignedIn ? "tool.logged_out" : "tool.was_logged_out"))
    }

    static let whoami = CommandSpec(
        words: ["whoami"], summary: "who is signed in",
        about:
            "Prints the username of the account that is signed in; not before a demanded change of password is done.",
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey whoami", "latchkey whoami --json"]
    ) { (run) async throws(ToolFailure) in
        let installation = try await Installation.open(run, creating: false, checkingKeys: false)
        try run.output.account(try await installation.fullSession().account)
    }
}
