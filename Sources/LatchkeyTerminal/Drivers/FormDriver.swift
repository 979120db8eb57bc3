import LatchkeyForms

/// What shows the machine on a terminal of some kind. Its front isolates it.
protocol FormDriver: AnyObject {
    /// How it wants the terminal's input.
    var mode: TerminalMode { get }

    /// Another form is shown from now on.
    func open()

    /// What the person means by `input`; nothing where the driver has dealt with it.
    func actions(for input: TerminalInput, on machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)
        -> [Action]

    /// Whether what was typed goes where it is seen, and so is no secret.
    func shows(_ input: TerminalInput, on machine: FormMachine, _ model: FormViewModel) -> Bool

    /// Shows how things are now.
    func show(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)

    /// Takes the form away; `line` stays in its place.
    func replace(with line: String?)

    /// The program is about to be stopped.
    func park(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)

    /// All is to be shown anew.
    func redraw()

    func bell()

    /// What the person asked for cannot be done yet: says how long it takes, where the form does not show it.
    func mustWait(_ machine: FormMachine, at now: FormMachine.Instant)
}
