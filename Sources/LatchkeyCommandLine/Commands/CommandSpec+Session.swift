import LatchkeyAccounts
import LatchkeyForms

extension CommandSpec {
    static let logout = CommandSpec(
        words: ["logout"], summary: "end the session of this user",
        about: "Ends the session that is kept for this user of the machine. Done, too, where there is none.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey logout", "latchkey logout --json"]
    ) { (context) async throws(ToolFailure) in
        let wasSignedIn = try await Installation.logOut(context)
        try context.output.done(context.messages.sentence(wasSignedIn ? "tool.logged_out" : "tool.was_logged_out"))
    }

    static let run = CommandSpec(
        words: ["run"], summary: "run a program behind the log-in",
        about:
            "Logs in where nobody is signed in, and becomes COMMAND, whose exit status is the answer. It has its caller's"
            + " environment, umask, limits and files, and beside them LATCHKEY_ACCOUNT_ID and LATCHKEY_ACCOUNT_NAME."
            + " A terminal is asked also where standard input is something else, for that is the program's.",
        operand: Operand(name: "COMMAND", isRequired: true, isProgram: true), hashesPasswords: true, readsForms: true,
        statuses: [.done, .no] + ExitStatus.ofStores + [.cannotExecute, .programNotFound],
        examples: ["latchkey run -- env", "latchkey run -- sh -c 'echo \"Hello, $LATCHKEY_ACCOUNT_NAME\"'"]
    ) { (context) async throws(ToolFailure) in
        try await ProgramRun(context: context).perform()
    }

    static let whoami = CommandSpec(
        words: ["whoami"], summary: "who is signed in",
        about:
            "Prints the username of the account that is signed in; not before a demanded change of password is done.",
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey whoami", "latchkey whoami --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        try context.output.account(try await installation.fullSession().account)
    }
}
