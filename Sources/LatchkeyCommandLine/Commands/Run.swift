import LatchkeyForms

/// One run of a command: what was asked, and what is in force.
struct Run: Sendable {
    let invocation: Invocation
    let settings: Settings
    let forms: FormCatalogue
    /// The form whose fields are flags.
    let form: Form?
    let rules: RuleRegistry
    let messages: MessageTable
    let output: Output

    var environment: ProcessEnvironment { settings.environment }

    /// The operand, where it is there and UTF-8.
    var operand: String? { invocation.operands.first?.text }
}
