import Glibc
package import LatchkeyAccounts
package import LatchkeyForms
import LatchkeySystem

/// What only the program `latchkey-service` can do, because it has the libraries for it
/// (docs/decisions/0039-two-programs.md).
package struct ServiceParts: Sendable {
    /// Carries out `serve`.
    let serve: @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult
    /// Finds a service, by the value of `--server`.
    let connect: @Sendable (String, _ authorities: String?, MessageTable) throws(ToolFailure) -> any RemoteService
    /// Makes the mailer for a server, as the setting `mailer` describes it.
    let mailer: @Sendable (JSONValue, CommandContext) throws(ToolFailure) -> any Mailer

    package init(
        serve: @escaping @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult,
        connect: @escaping @Sendable (String, String?, MessageTable) throws(ToolFailure) -> any RemoteService,
        mailer: @escaping @Sendable (JSONValue, CommandContext) throws(ToolFailure) -> any Mailer
    ) {
        self.serve = serve
        self.connect = connect
        self.mailer = mailer
    }
}

extension CommandContext {
    /// The certificate authorities to trust instead of the system's, in a PEM file.
    package var authorities: String? { settings.authorities }
}

extension Settings {
    /// The certificate authorities to trust instead of the system's, in a PEM file, as programs with OpenSSL take it.
    var authorities: String? { environment.text("SSL_CERT_FILE") }
}

extension CommandSpec {
    /// Whether only `latchkey-service` can carry it out with these settings.
    func needsService(_ settings: Settings) -> Bool {
        isOfService || delivers && settings.mailServer != nil || worksOverServer && settings.server != nil
    }
}

extension InheritedEnvironment {
    /// Replaces this process with `latchkey-service` and the same arguments.
    func becomeService() throws(ToolFailure) {
        guard let own = OwnProgram.path else { throw .internal }
        let folder = FilePlace(own).folder
        // Installed, and where both are built.
        let places = [folder + "/../libexec/latchkey/latchkey-service", folder + "/latchkey-service"]
        let arguments = CommandLineTool.processArguments().map(\.bytes)
        for place in places {
            let error = become([Array(place.utf8)] + arguments, adding: [])
            guard error.code == ENOENT || error.code == ENOTDIR else { throw .cannotExecute(name: place) }
        }
        throw .serviceMissing
    }
}
