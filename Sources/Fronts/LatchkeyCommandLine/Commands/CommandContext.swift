import LatchkeyAccounts
package import LatchkeyFlows
package import LatchkeyForms
package import LatchkeySystem

/// The environment of a command: its arguments, the settings, the forms and the output.
package struct CommandContext: Sendable {
    /// The parsed command line.
    package let invocation: Invocation
    var settings: Settings
    let forms: FormCatalogue
    /// The form whose fields are flags; nil if the command has none.
    let form: Form?
    let rules: RuleRegistry
    /// The sentences in the language of the settings, including the operator's custom sentences.
    package let messages: MessageTable
    /// The output for results and messages.
    package let output: Output
    /// The features of `latchkey-service`; nil in any other program.
    var parts: ServiceParts?
    /// The service to use instead of a local store; nil to use a store.
    var server: ServerConnection?
    /// The store in a PostgreSQL database; nil for an SQLite store and for a database without a store.
    var database: DatabaseStore?
    /// The environment for the program that `run` starts; nil in other programs than `latchkey`.
    package var inherited: InheritedEnvironment?
    /// Receives all events of this run.
    package var events = AccountEvents()
    /// Starts deliveries with the program in the setting `mailer`.
    let delivery = BackgroundDelivery()

    /// The forms for account owners. If addresses must be verified, sign-up does not ask for a password: the owner sets
    /// it with the code sent to the address.
    var formsOfPeople: FormCatalogue {
        // A service already sends the forms for its users.
        server == nil ? settings.signUp(of: forms) : forms
    }

    /// The policy for new passwords.
    var passwordPolicy: PasswordPolicy {
        PasswordPolicy(settings.policy, commonPasswords: rules.commonPasswords)
    }

    var environment: ProcessEnvironment { settings.environment }

    /// The location of the store.
    ///
    /// - Parameter mayBeMissing: whether the database may have no store yet.
    /// - Throws: status 64 if the settings name a service, 66 if the database has no store.
    func storeLocation(mayBeMissing: Bool = false) throws(ToolFailure) -> StoreLocation {
        if let address = settings.database {
            if parts == nil { throw .databaseUnusable(path: address.text) }
            if database == nil, !mayBeMissing { throw .store(.missing, path: address.text) }
        }
        return try StoreLocation(settings, id: database?.identity.id)
    }

    /// The origin of the request, as specified by the caller.
    func source() throws(ToolFailure) -> RequestSource? {
        guard let given = invocation.value("source") else { return nil }
        guard let source = given.text.flatMap({ RequestSource($0) }) else { throw .badValue("--source", .address) }
        return source
    }

    /// Shows the strength and the lifetime of a generated password.
    func noteGeneratedPassword() {
        let lifetime = messages.duration(seconds: Int(GeneratedPassword.lifetime.components.seconds))
        output.note(
            messages.sentence(
                "tool.generated_password", ["bits": .integer(GeneratedPassword.bits), "lifetime": .text(lifetime)]))
    }

    /// Emits the event of an operator's change.
    ///
    /// - Parameter account: the changed account; nil for several or none.
    func tellAdministered(_ account: AccountID? = nil) {
        events.emit(
            .administration(AdministrationEvent(invocation.command.name, account: account?.text)))
    }

    /// Prints a new secret, which cannot be shown again. If that fails, `undo` makes it invalid.
    func disclose(
        _ show: (Output) throws(ToolFailure) -> Void, orUndo undo: () async throws(ToolFailure) -> Void
    ) async throws(ToolFailure) {
        var output = output
        output.survivesClosedPipe = true
        do throws(ToolFailure) { try show(output) } catch {
            try await undo()
            throw .secretUnprinted
        }
    }

    /// The operand; nil if it is missing or not UTF-8.
    var operand: String? { invocation.operands.first?.text }
}
