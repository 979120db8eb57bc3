import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// One run of a command: what was asked, and what is in force.
struct CommandContext: Sendable {
    let invocation: Invocation
    let settings: Settings
    let forms: FormCatalogue
    /// The form whose fields are flags.
    let form: Form?
    let rules: RuleRegistry
    let messages: MessageTable
    let output: Output
    /// What the caller had set, for the program that `run` becomes; nil where this process was not started for one.
    var inherited: InheritedEnvironment?
    /// Where everything that happens in this run is told.
    var events = AccountEvents()

    /// The forms as people see them who act for themselves: where addresses have to be proved, set-up asks for no password,
    /// which is chosen with the code that is sent there.
    var formsOfPeople: FormCatalogue {
        guard settings.verifiesEmail else { return forms }
        return forms.replacing(forms.form(for: .setup).without(.password))
    }

    /// What the service takes for a new password.
    var passwordPolicy: PasswordPolicy {
        PasswordPolicy(settings.policy, commonPasswords: rules.commonPasswords)
    }

    var environment: ProcessEnvironment { settings.environment }

    /// Where the caller says that the request came from.
    func source() throws(ToolFailure) -> RequestSource? {
        guard let given = invocation.value("source") else { return nil }
        guard let source = given.text.flatMap({ RequestSource($0) }) else { throw .badSource }
        return source
    }

    /// How strong a generated password is, and for how long it is one. It is printed beside.
    func noteGeneratedPassword() {
        let lifetime = messages.duration(seconds: Int(GeneratedPassword.lifetime.components.seconds))
        output.note(
            messages.sentence(
                "tool.generated_password", ["bits": .integer(GeneratedPassword.bits), "lifetime": .text(lifetime)]))
    }

    /// Tells that an operator's command has changed something.
    ///
    /// - Parameter account: whose; nil where it is about more or fewer than one.
    func tellAdministered(_ account: AccountID? = nil) {
        events.emit(
            .administration(AdministrationEvent(invocation.command.name, account: account?.text)))
    }

    /// The operand, where it is there and UTF-8.
    var operand: String? { invocation.operands.first?.text }
}
