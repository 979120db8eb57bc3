import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// `run -- COMMAND`: signs in if necessary, and then becomes the program.
enum RunCommand {
    static let spec = CommandSpec(
        words: ["run"], summary: "Run a program after logging in",
        about: "Log in if you are not logged in, then replace this process with COMMAND. COMMAND gets the caller's"
            + " environment, umask, limits and files, and LATCHKEY_ACCOUNT_ID and LATCHKEY_ACCOUNT_NAME; its exit status"
            + " is the result. Latchkey asks in the terminal even if standard input is redirected: that is for COMMAND.",
        operand: CommandSpec.Operand(name: "COMMAND", isRequired: true, isProgram: true), hashesPasswords: true,
        readsForms: true, worksOverServer: true,
        statuses: [.done, .no] + ExitStatus.ofStores + [.cannotExecute, .programNotFound],
        examples: ["latchkey run -- env", "latchkey run -- sh -c 'echo \"Hello, $LATCHKEY_ACCOUNT_NAME\"'"]
    ) { (context) async throws(ToolFailure) in
        let owner = try await context.owner()
        // Standard input belongs to the program.
        let terminal = Terminal(context, inputIsAnothers: true)
        let account = try await owner.signIn(at: terminal, opening: .login).account
        guard let world = context.inherited else { throw .internal }
        throw become(context.invocation.operands, knowing: account, in: world)
    }

    /// Replaces this process with the program in `command` and passes it the account.
    ///
    /// - Returns: the reason why the program did not start.
    static func become(
        _ command: [Argument], knowing account: AccountSummary, in world: InheritedEnvironment,
        adding variables: [(name: String, value: String)] = []
    ) -> ToolFailure {
        guard account.isSafeForPrograms else { return .usernameUnsafe(username: account.name) }
        let error = world.become(
            command.map(\.bytes),
            adding: variables + [
                ("LATCHKEY_ACCOUNT_ID", account.id), ("LATCHKEY_ACCOUNT_NAME", account.name),
            ])
        let name = command.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        let isMissing = error.code == ENOENT || error.code == ENOTDIR
        return isMissing ? .programNotFound(name: name) : .cannotExecute(name: name)
    }
}

extension AccountSummary {
    /// Whether the login name is safe for programs, for example as part of a path. A service may send any string.
    fileprivate var isSafeForPrograms: Bool {
        if let username { return (try? Username(username))?.unsafety == nil }
        return (try? EmailAddress(email))?.unsafety == nil
    }
}

/// `checkpassword PROGRAM`: verifies a login for another program (<http://cr.yp.to/checkpwd/interface.html>).
struct CheckpasswordCommand {
    static let spec = CommandSpec(
        words: ["checkpassword"], summary: "Verify a login for a daemon",
        about:
            "Read a login name, a password and a timestamp from descriptor 3, each followed by a NUL, at most 512 bytes."
            + " If the login is valid, replace this process with PROGRAM: without descriptor 3, and with USER,"
            + " LATCHKEY_ACCOUNT_ID and LATCHKEY_ACCOUNT_NAME in its environment. The password can be an app password; for"
            + " an account with a second factor, it must be one. No session is created. Everything after the first"
            + " non-flag argument goes to PROGRAM. Prints nothing on standard output.",
        more: ["http://cr.yp.to/checkpwd/interface.html describes the interface and its exit statuses."],
        operand: CommandSpec.Operand(name: "PROGRAM", isRequired: true, isProgram: true, endsFlags: true),
        flags: [.source], hashesPasswords: true, statuses: [], externalExitCodes: .checkpassword,
        examples: [
            "printf '%s\\0' ada 'correct horse battery' now | latchkey checkpassword printenv USER 3<&0",
            "latchkey checkpassword --source 192.0.2.1 --store /var/lib/latchkey/accounts.sqlite imapd",
        ]
    ) { (context) async throws(ToolFailure) in try await CheckpasswordCommand(context: context).run() }

    let context: CommandContext

    private static let descriptor: Int32 = 3
    /// The maximum length in bytes, as the interface specifies.
    private static let maximumBytes = 512

    private func run() async throws(ToolFailure) -> CommandResult {
        guard var world = context.inherited else { throw .internal }
        let (name, password) = try login(in: &world)
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.asking { (service) async throws(AccountError) in
            try await service.verifyAppLogin(identifier: name, password: password)
        }
        // Until the owner changes the password, the account cannot be used for anything else.
        guard !account.mustChangePassword else { throw .changeRequired(username: account.name) }
        if account.unsafety != nil {
            // The interface prints nothing for a refused login, but an operator must solve this problem.
            let name = RuleFailure.Value.text(account.name)
            context.output.problem(context.messages.sentence("tool.username_unsafe", ["username": name]))
        }
        // Programs assume that the user can read messages sent to this address.
        if account.username == nil, account.emailVerifiedAt == nil {
            let name = RuleFailure.Value.text(account.name)
            context.output.problem(context.messages.sentence("tool.address_unverified", ["username": name]))
            throw .addressUnverified(username: account.name)
        }
        // Mailboxes and files need a single spelling, whatever the user typed.
        throw RunCommand.become(
            context.invocation.operands, knowing: AccountSummary(account), in: world,
            adding: [("USER", account.loginName.text)])
    }

    /// Reads and closes descriptor 3. A name that no account can have becomes nil and fails like any other unknown
    /// name.
    private func login(in world: inout InheritedEnvironment) throws(ToolFailure) -> (name: String?, password: Secret) {
        let misused = ToolFailure.checkpasswordInput(maximum: Self.maximumBytes)
        guard world.has(Self.descriptor) else { throw misused }
        let bytes: SecretBytes
        do throws(FileError) {
            bytes = try GivenFile(inherited: Self.descriptor).readSecret(limit: Self.maximumBytes)
        } catch .tooLarge, .notRegular {
            throw misused
        } catch {
            throw .reading("3", error)
        }
        world.close(Self.descriptor)
        let pieces = bytes.withBytes { bytes -> (String?, Secret)? in
            let zero: UInt8 = 0
            guard let nameEnd = bytes.firstIndex(of: zero),
                let passwordEnd = bytes.firstIndex(of: zero, from: nameEnd + 1),
                bytes.firstIndex(of: zero, from: passwordEnd + 1) != nil
            else { return nil }
            let name = bytes.extracting(..<nameEnd)
            let text = name.count > AccountLookup.maximumBytes ? nil : try? String(copying: UTF8Span(validating: name))
            return (text, Secret(copying: bytes.extracting((nameEnd + 1)..<passwordEnd)))
        }
        guard let pieces else { throw misused }
        return pieces
    }
}
