import Glibc
import LatchkeySystem

/// The outcome of a terminal session. The terminal is always restored.
public enum TerminalEnding<Value> {
    /// The user finished, with this result.
    case finished(Value)
    /// The user left without a result.
    case left
    /// A signal arrived, or the user pressed Ctrl-C (SIGINT) or Ctrl-\ (SIGQUIT).
    case killed(by: Int32)
    /// The terminal is gone, or could not be used.
    case hungUp

    /// The result; nil if the user left. After a signal or a hang-up, this ends the process with the same signal.
    ///
    /// A shell then detects that a signal ended the program, and Ctrl-C also stops the script that called it.
    @discardableResult
    public func valueOrDie() -> Value? {
        switch self {
        case .finished(let value): value
        case .left: nil
        case .killed(by: let signal): Self.die(of: signal)
        case .hungUp: Self.die(of: SIGHUP)
        }
    }

    private static func die(of signal: Int32) -> Never {
        ExitHandlers.run()
        // Unread input must not be executed as a command by the shell.
        TerminalGuard.restore(TCSAFLUSH)
        TerminalGuard.setDefault(signal)
        raise(signal)
        _exit(128 + signal)
    }
}

extension TerminalEnding: Sendable where Value: Sendable {}
extension TerminalEnding: Equatable where Value: Equatable {}
