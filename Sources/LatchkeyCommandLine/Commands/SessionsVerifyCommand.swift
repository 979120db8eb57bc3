import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `sessions verify`: the account of a token that another program got.
enum SessionsVerifyCommand {
    static let spec = CommandSpec(
        words: ["sessions", "verify"], summary: "Verify a session token",
        about: "Read a session token from standard input, one line, and print its account.",
        statuses: [.done, .no, .data] + ExitStatus.ofStores,
        examples: [
            "printf '%s\\n' \"$TOKEN\" | latchkey sessions verify",
            "printf '%s\\n' \"$TOKEN\" | latchkey sessions verify --json",
        ]
    ) { (context) async throws(ToolFailure) in
        guard isatty(STDIN_FILENO) == 0 else { throw .secretFromTerminal(flag: "sessions verify") }
        let token = try SecretSource.line(
            maximumBytes: maximumTokenBytes, named: context.messages.sentence("tool.standard_input"))
        let installation = try await Installation.open(context, creating: false)
        let live = try await installation.session(of: token)
        return .lines(
            [live.account.username.typed],
            json: [("account", AccountSummary(live.account).json), ("session", .object(live.session.members))])
    }

    /// More than a token has.
    private static let maximumTokenBytes = 255
}
