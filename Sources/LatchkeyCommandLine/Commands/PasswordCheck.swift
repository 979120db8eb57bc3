import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// `checkpassword PROGRAM`: a login for another program's sake, by the interface of
/// <http://cr.yp.to/checkpwd/interface.html>.
struct PasswordCheck {
    let context: CommandContext

    /// Where the interface has the name and the password come from.
    private static let descriptor: Int32 = 3
    private static let maximumBytes = 512

    func perform() async throws(ToolFailure) {
        guard var world = context.inherited else { throw .internal }
        let (name, password) = try given(in: &world)
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.asking { (service) async throws(AccountError) in
            try await service.verifyCredentials(identifier: name, password: password)
        }
        // Before the change nobody may use it for anything else.
        guard !account.mustChangePassword else { throw .changeRequired(username: account.username.typed) }
        // One spelling, however the name was typed at the daemon: mailboxes and files go by it.
        throw ProgramRun.become(
            context.invocation.operands, knowing: account, in: world, adding: [("USER", account.username.prepared)])
    }

    /// What came on descriptor 3, which is closed then. A name that can be nobody's is judged like any other.
    private func given(in world: inout InheritedEnvironment) throws(ToolFailure) -> (name: String?, password: Secret) {
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
