import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets

/// Shows a form on one kind of terminal. It is not `Sendable`; its session isolates it.
protocol FormDriver: AnyObject {
    /// Prepares for another form.
    func open()

    /// The actions for `input`; empty if the driver has already handled it.
    func actions(for input: TerminalInput, on machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)
        -> [Action]

    /// Shows the current state.
    func show(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)

    /// Replaces the form with `line`, preceded by a symbol if the screen can show it, and with what the owner sees only
    /// once.
    ///
    /// Saved codes stay above the next form. A screen shows a new authenticator app only as long as the next form.
    func replace(with line: String?, mark: Symbol?, disclosing disclosure: FactorDisclosure?)

    /// Prepares the screen for suspending the program.
    func park(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)

    /// Redraws the whole screen.
    func redraw()

    func bell()

    /// Shows the remaining wait, unless the form already shows it.
    func mustWait(_ machine: FormMachine, at now: FormMachine.Instant)
}

extension [Secret] {
    /// Saved codes as lines, below the sentence that says what they are for.
    func lines(columns: Int, _ messages: MessageTable) -> [String] {
        Cells.wrap(messages.sentence("factor.saved_codes"), to: columns - 1) + map { "  " + $0.shownText }
    }
}
