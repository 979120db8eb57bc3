import Glibc
package import LatchkeyAccounts
package import LatchkeyForms
import LatchkeySystem

/// What only the program `latchkey-service` can do, because it has the libraries for it
/// (docs/decisions/0039-two-programs.md).
package struct ServiceParts: Sendable {
    /// Carries out `serve`.
    let serve: @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult
    /// Makes the mailer for a server, as the setting `mailer` describes it.
    let mailer: @Sendable (JSONValue, CommandContext) throws(ToolFailure) -> any Mailer

    package init(
        serve: @escaping @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult,
        mailer: @escaping @Sendable (JSONValue, CommandContext) throws(ToolFailure) -> any Mailer
    ) {
        self.serve = serve
        self.mailer = mailer
    }
}

extension CommandContext {
    /// The certificate authorities to trust instead of the system's, in a PEM file, as programs with OpenSSL take it.
    package var authorities: String? { environment.text("SSL_CERT_FILE") }

    /// Replaces this process with `latchkey-service` and the same arguments, if the command needs a part that this
    /// program does not have.
    func becomeServiceIfNeeded() throws(ToolFailure) {
        let command = invocation.command
        guard parts == nil, command.isOfService || command.delivers && settings.mailServer != nil else { return }
        guard let inherited, let own = OwnProgram.path else { throw .internal }
        let folder = FilePlace(own).folder
        // Installed, and where both are built.
        let places = [folder + "/../libexec/latchkey/latchkey-service", folder + "/latchkey-service"]
        let arguments = CommandLineTool.processArguments().map(\.bytes)
        for place in places {
            let error = inherited.become([Array(place.utf8)] + arguments, adding: [])
            guard error.code == ENOENT || error.code == ENOTDIR else { throw .cannotExecute(name: place) }
        }
        throw .serviceMissing
    }
}
