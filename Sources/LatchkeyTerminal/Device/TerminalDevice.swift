import Glibc
import LatchkeySecrets
import LatchkeySystem

/// The terminal of this process, by its device.
public final class TerminalDevice: TerminalPort {
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private let state = Locked(State())

    /// Signals and the modes to restore are the process's: one terminal is taken at a time.
    private static let isTaken = Locked(false)

    private struct State {
        var mode: TerminalMode?
        var echoes = false
        var reader: TerminalReader?
        var before: [TerminalGuard.Before] = []
    }

    /// The controlling terminal, whatever the standard streams are; nil where there is none.
    public static func open() -> TerminalDevice? {
        let descriptor = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        return TerminalDevice(descriptor, owns: true)
    }

    /// A terminal that is open already and stays its caller's; nil where `descriptor` is none.
    public convenience init?(descriptor: Int32) {
        guard isatty(descriptor) == 1 else { return nil }
        self.init(descriptor, owns: false)
    }

    private init(_ descriptor: Int32, owns: Bool) {
        self.descriptor = descriptor
        ownsDescriptor = owns
    }

    deinit {
        if ownsDescriptor { close(descriptor) }
    }

    public var size: TerminalSize { DescriptorOutput(descriptor).size }

    // MARK: Taking and giving back

    public func begin(_ mode: TerminalMode) -> Bool {
        let isFree = Self.isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else { return false }
        waitForTurn()
        guard let signals = TerminalGuard.signals, TerminalGuard.save(descriptor) else {
            Self.isTaken.withLock { $0 = false }
            return false
        }
        state.withLock { state in
            state.mode = mode
            state.echoes = false
            // Those of whoever had the terminal before are not ours.
            while !signals.read().isEmpty {}
            state.before = TerminalGuard.watchSignals()
            apply(mode, echoes: false, TCSAFLUSH)
        }
        return true
    }

    public func inputs() -> AsyncStream<TerminalInput> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TerminalInput.self, bufferingPolicy: .bufferingOldest(TerminalReader.longestQueue))
        state.withLock { state in
            guard let mode = state.mode, let signals = TerminalGuard.signals, state.reader == nil,
                let reader = TerminalReader(terminal: descriptor, signals: signals, mode: mode, into: continuation)
            else {
                continuation.finish()
                return
            }
            state.reader = reader
        }
        return stream
    }

    public func setEcho(_ isOn: Bool) {
        state.withLock { state in
            guard let mode = state.mode, state.echoes != isOn else { return }
            state.echoes = isOn
            apply(mode, echoes: isOn, TCSADRAIN)
        }
    }

    public func end() {
        let wasTaken = state.withLock { state in
            guard state.mode != nil else { return false }
            state.reader?.stop()
            TerminalGuard.restore(TCSAFLUSH)
            TerminalGuard.unwatchSignals(state.before)
            TerminalGuard.forget()
            state = State()
            return true
        }
        if wasTaken { Self.isTaken.withLock { $0 = false } }
    }

    // MARK: Stopping

    public func suspend() {
        state.withLock { state in
            guard state.mode != nil else { return }
            TerminalGuard.restore(TCSADRAIN)
            // First the others of the group, as the terminal would, and then this thread: a signal to oneself arrives
            // before `raise` returns, one to the process may not, and the terminal would be raw again when it does.
            _ = signal(SIGCONT, SIG_DFL)
            _ = signal(SIGTSTP, SIG_IGN)
            kill(0, SIGTSTP)
            // Ignored again: where a thread is still in the handler, the signal is kept for later all the same, and would
            // stop us a second time. This throws it away (POSIX, section 2.4.3).
            _ = signal(SIGTSTP, SIG_IGN)
            TerminalGuard.setDefault(SIGTSTP)
            raise(SIGTSTP)
            TerminalGuard.unwatchSignals(state.before)
            state.before = TerminalGuard.watchSignals()
        }
        resume()
    }

    public func resume() {
        waitForTurn()
        state.withLock { state in
            guard let mode = state.mode else { return }
            apply(mode, echoes: state.echoes, TCSADRAIN)
        }
    }

    /// Stops a job that is begun or continued behind another, as whoever reads there is stopped: the terminal is the other's.
    /// Until it is continued in front.
    private func waitForTurn() {
        // Where nobody is left to continue it the system does not stop it either, and its next read ends it.
        for _ in 0..<100 {
            let group = tcgetpgrp(descriptor)
            guard group > 0, group != getpgrp() else { return }
            TerminalGuard.setDefault(SIGTTIN)
            raise(SIGTTIN)
        }
    }

    /// Ends the process by `signal`, so that its caller sees that it was one. The terminal is given back first.
    public static func die(of signal: Int32) -> Never {
        ExitHandlers.run()
        // What was typed meanwhile was meant for this program, and must not run as a command of the next.
        TerminalGuard.restore(TCSAFLUSH)
        TerminalGuard.setDefault(signal)
        raise(signal)
        _exit(128 + signal)
    }

    // MARK: Bytes

    public func write(_ bytes: Span<UInt8>) { DescriptorOutput(descriptor).write(bytes) }

    private func apply(_ mode: TerminalMode, echoes: Bool, _ when: Int32) {
        guard var modes = TerminalGuard.saved else { return }
        switch mode {
        case .keys:
            modes.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
            modes.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
            modes.c_cflag |= tcflag_t(CS8)
            modes.c_oflag |= tcflag_t(OPOST)
            modes.c_cc.5 = 0  // VTIME
            modes.c_cc.6 = 1  // VMIN
        case .lines:
            modes.c_iflag |= tcflag_t(ICRNL)
            modes.c_lflag |= tcflag_t(ICANON | ISIG)
            modes.c_lflag &= ~tcflag_t(ECHO | ECHONL)
            if echoes { modes.c_lflag |= tcflag_t(ECHO) }
        }
        _ = unsafe tcsetattr(descriptor, when, &modes)
        if mode == .keys { TerminalGuard.bracketPaste() }
    }
}
