import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `logout`: ends this user's session.
enum LogoutCommand {
    static let spec = CommandSpec(
        words: ["logout"], summary: "Log out",
        about: "End the session that is stored for this user of the machine. Succeeds if there is none.",
        toleratesSettings: true, statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey logout", "latchkey logout --json"]
    ) { (context) async throws(ToolFailure) in
        for problem in context.settings.problems {
            context.output.problem(problem.failure.sentence(context.messages))
        }
        let wasSignedIn = try await Installation.logOut(context)
        return .sentence(wasSignedIn ? "tool.logged_out" : "tool.was_logged_out")
    }
}

/// `whoami`: the signed-in account.
enum WhoamiCommand {
    static let spec = CommandSpec(
        words: ["whoami"], summary: "Show the signed-in account",
        about:
            "Print the username of the signed-in account, or its address if it has none. Fails while a change of password is required.",
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey whoami", "latchkey whoami --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let account = try await installation.fullSession().account
        return .answer(.success(AccountSummary(account)), sentence: account.name)
    }
}
