import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// `checkpassword PROGRAM`: verifies a login for another program (<http://cr.yp.to/checkpwd/interface.html>).
struct CheckpasswordCommand {
    static let spec = CommandSpec(
        words: ["checkpassword"], summary: "Verify a login for a daemon",
        about:
            "Read a login name, a password and a timestamp from descriptor 3, each followed by a NUL, at most 512 bytes."
            + " If the login is valid, replace this process with PROGRAM: without descriptor 3, and with USER,"
            + " LATCHKEY_ACCOUNT_ID and LATCHKEY_ACCOUNT_NAME in its environment. No session is created. Everything after"
            + " the first non-flag argument goes to PROGRAM. Prints nothing on standard output.",
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
    /// The interface's limit.
    private static let maximumBytes = 512

    private func run() async throws(ToolFailure) -> CommandResult {
        guard var world = context.inherited else { throw .internal }
        let (name, password) = try login(in: &world)
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.asking { (service) async throws(AccountError) in
            try await service.verifyCredentials(identifier: name, password: password)
        }
        // Until then, the account may be used for nothing else.
        guard !account.mustChangePassword else { throw .changeRequired(username: account.username.typed) }
        // Mailboxes and files need one spelling, however the name was typed.
        throw RunCommand.become(
            context.invocation.operands, knowing: account, in: world, adding: [("USER", account.username.prepared)])
    }

    /// Reads and closes descriptor 3. A name that no account can have is nil, and fails like any other.
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
