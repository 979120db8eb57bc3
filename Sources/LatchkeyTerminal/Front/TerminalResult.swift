public import LatchkeyFlows
public import LatchkeyForms
public import LatchkeySecrets

/// How a run of the terminal front ended.
public enum TerminalResult: Equatable, Sendable {
    /// The goal was reached, by that flow and with that answer.
    case finished(AccountType, NetworkResponse)
    /// The person left the first form.
    case left
    /// A signal came, or Ctrl-C, which is SIGINT. The terminal is given back; whoever ran the front should now die of it:
    /// ``TerminalDevice/die(of:)``.
    case killed(by: Int32)
    /// The terminal is gone, or was never there.
    case hungUp
}

/// A value that was given before the form was shown, by a flag of the command line.
public enum Prefilled: Sendable {
    case text(String)
    case secret(Secret)
}
