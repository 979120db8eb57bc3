import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `logout`: ends this user's session.
enum LogoutCommand {
    static let spec = CommandSpec(
        words: ["logout"], summary: "Log out",
        about: "End the session that is stored for this user of the machine. Succeeds if there is none.",
        worksOverServer: true, toleratesSettings: true, statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey logout", "latchkey logout --json"]
    ) { (context) async throws(ToolFailure) in
        for problem in context.settings.problems {
            context.output.problem(problem.failure.sentence(context.messages))
        }
        let wasSignedIn =
            if context.server != nil {
                try await context.owner().logOut()
            } else {
                try await Installation.logOut(context)
            }
        return .sentence(wasSignedIn ? "tool.logged_out" : "tool.was_logged_out")
    }
}

/// `whoami`: shows the logged-in account.
enum WhoamiCommand {
    static let spec = CommandSpec(
        words: ["whoami"], summary: "Show the logged-in account",
        about:
            "Print the username of the logged-in account, or its address if it has none. Fails while a change of password is required.",
        worksOverServer: true, statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey whoami", "latchkey whoami --json"]
    ) { (context) async throws(ToolFailure) in
        let account = try await context.owner(checkingKeys: false).fullSession().account
        return .answer(.success(account), sentence: account.name)
    }
}
