public import LatchkeySecrets

/// What comes from a terminal.
public enum TerminalInput: Sendable {
    /// A key, in ``TerminalMode/keys``.
    case key(Action)
    /// A line without its end, in ``TerminalMode/lines``; which of them are secret, the terminal does not know.
    case line(Secret)
    /// A line longer than the system takes. Nothing of it is left to be read.
    case overlongLine
    /// Ctrl-D at the start of a line: no more is to come.
    case endOfInput
    case resized
    /// One of the signals that are watched came; see ``SignalWatch``.
    case signal(Int32)
    /// There is nobody at the other end.
    case hungUp
}

/// How a terminal gives what is typed.
public enum TerminalMode: Sendable {
    /// Raw: every key as it is pressed, nothing echoed.
    case keys
    /// Cooked: whole lines, edited by the terminal itself.
    case lines
}
