import LatchkeyForms

/// Shows a form on one kind of terminal. Not `Sendable`: its session isolates it.
protocol FormDriver: AnyObject {
    /// Prepares for another form.
    func open()

    /// The actions that `input` stands for; empty if the driver has handled it itself.
    func actions(for input: TerminalInput, on machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)
        -> [Action]

    /// Shows the current state.
    func show(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)

    /// Removes the form and leaves `line` in its place, with a symbol in front if the screen has any.
    func replace(with line: String?, mark: Symbol?)

    /// Shows lines that stay above the next form.
    func disclose(_ lines: [DisclosedLine])

    /// Prepares the screen for suspending the program.
    func park(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)

    /// Shows everything again.
    func redraw()

    func bell()

    /// Shows how long the user must wait, unless the form shows it already.
    func mustWait(_ machine: FormMachine, at now: FormMachine.Instant)
}
