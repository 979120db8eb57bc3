import Glibc

// The state that signal handlers use. The initial values are constants, so that no lazy initialiser runs in a handler.
//
// Proof: only the thread that takes over or restores the terminal writes them, and TerminalDevice.isTaken admits one
// thread at a time. Each is one word, so a handler reads either the old or the new value and restores that state. The
// memory behind the pointer is never freed. It is on the heap, because the compiler allocates too few bytes for a
// global `termios`. The pipe is created before the first handler is installed and is never closed, so that a late
// handler cannot write to a reused descriptor.
private nonisolated(unsafe) var signalPipe: Int32 = -1
private nonisolated(unsafe) var guarded: Int32 = -1
private nonisolated(unsafe) var original: UnsafeMutablePointer<termios>? = nil
private nonisolated(unsafe) var bracketsPaste = false
private nonisolated(unsafe) var showsAlternateScreen = false

/// Restores the terminal, however the process ends. Reports the signals that end, suspend or resize it.
enum TerminalGuard {
    /// The signals that are written to a pipe for the session.
    static let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
    /// The signals of a crash. Their handler only restores the terminal.
    static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

    /// Saves the modes of the terminal. Returns false if `descriptor` is not a terminal.
    static func save(_ descriptor: Int32) -> Bool {
        let modes = unsafe original ?? UnsafeMutablePointer<termios>.allocate(capacity: 1)
        unsafe modes.initialize(to: termios())
        guard unsafe tcgetattr(descriptor, modes) == 0 else { return false }
        unsafe original = unsafe modes
        unsafe guarded = descriptor
        _ = atExit
        return true
    }

    /// The saved modes; nil while the terminal is not in use.
    static var saved: termios? { unsafe guarded >= 0 ? original?.pointee : nil }

    /// Turns on bracketed paste (xterm's mode 2004). ``restore(_:)`` turns it off.
    static func bracketPaste() {
        unsafe bracketsPaste = true
        send(Self.paste, UInt8(ascii: "h"))
    }

    /// Whether the alternate screen is shown.
    static var isOnAlternateScreen: Bool { unsafe showsAlternateScreen }

    /// Shows the alternate screen (xterm's mode 1049) or the normal one, which ``restore(_:)`` shows again.
    static func showAlternateScreen(_ isOn: Bool) {
        unsafe showsAlternateScreen = isOn
        send(Self.alternateScreen, UInt8(ascii: isOn ? "h" : "l"))
    }

    /// Restores the saved modes. `when` is a constant for tcsetattr. Safe to call in a signal handler.
    static func restore(_ when: Int32) {
        guard unsafe guarded >= 0, let modes = unsafe original else { return }
        if unsafe showsAlternateScreen {
            unsafe showsAlternateScreen = false
            send(Self.alternateScreen, UInt8(ascii: "l"))
        }
        if unsafe bracketsPaste {
            unsafe bracketsPaste = false
            send(Self.paste, UInt8(ascii: "l"))
        }
        _ = unsafe tcsetattr(guarded, when, modes)
    }

    // The digits of two modes of xterm. They are computed, so that no lazy initialiser runs in a handler.
    private static var paste: (UInt8, UInt8, UInt8, UInt8) { (0x32, 0x30, 0x30, 0x34) }
    private static var alternateScreen: (UInt8, UInt8, UInt8, UInt8) { (0x31, 0x30, 0x34, 0x39) }

    // The bytes are in a tuple on the stack, because a handler must not allocate an array.
    private static func send(_ mode: (UInt8, UInt8, UInt8, UInt8), _ final: UInt8) {
        var bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (
            0x1B, 0x5B, 0x3F, mode.0, mode.1, mode.2, mode.3, final
        )
        _ = unsafe write(guarded, &bytes, 8)
    }

    /// Marks the terminal as no longer in use.
    static func forget() { unsafe guarded = -1 }

    // Restores the terminal when the process calls `exit` or `ExitHandlers.exit`. If the terminal is gone, this has no
    // effect.
    private static let atExit: Void = {
        _ = atexit { TerminalGuard.restore(TCSANOW) }
        _ = at_quick_exit { TerminalGuard.restore(TCSANOW) }
    }()

    // MARK: Signals

    /// The previous action of a signal.
    struct Before {
        let signal: Int32
        let action: sigaction
    }

    /// The pipe to which watched signals are written; nil if the system had no free descriptors.
    static let signals: Pipe? = {
        let pipe = Pipe()
        unsafe signalPipe = pipe?.writeEnd ?? -1
        return pipe
    }()

    /// Writes watched signals to ``signals``, one byte per signal. Ignored signals stay ignored, as `nohup` requires.
    static func watchSignals() -> [Before] {
        var before: [Before] = []
        for signal in watched {
            var old = sigaction()
            _ = unsafe sigaction(signal, nil, &old)
            if isIgnored(old) { continue }
            var new = sigaction()
            unsafe new.__sigaction_handler.sa_handler = noteSignal
            new.sa_flags = SA_RESTART
            _ = unsafe sigaction(signal, &new, nil)
            before.append(Before(signal: signal, action: old))
        }
        for signal in crashes {
            var old = sigaction()
            var new = sigaction()
            unsafe new.__sigaction_handler.sa_handler = restoreAndCrash
            // The handler returns with the default action restored, so the fault occurs again and kills the process.
            new.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            _ = unsafe sigaction(signal, &new, &old)
            before.append(Before(signal: signal, action: old))
        }
        return before
    }

    /// Leaves Ctrl-C and Ctrl-Z to another program on the terminal. Only that program ends on Ctrl-C, and both stop on
    /// Ctrl-Z. ``unwatchSignals(_:)`` and ``watchSignals()`` undo this.
    static func leaveKeySignals(_ before: [Before]) {
        for entry in before {
            switch entry.signal {
            case SIGINT, SIGQUIT: _ = signal(entry.signal, SIG_IGN)
            case SIGTSTP, SIGCONT: _ = signal(entry.signal, SIG_DFL)
            default: break
            }
        }
    }

    /// Restores the previous actions.
    static func unwatchSignals(_ before: [Before]) {
        for entry in before {
            var action = entry.action
            _ = unsafe sigaction(entry.signal, &action, nil)
        }
    }

    /// Restores the default action of a signal and unblocks it.
    static func setDefault(_ number: Int32) {
        _ = signal(number, SIG_DFL)
        var set = sigset_t()
        _ = unsafe sigemptyset(&set)
        _ = unsafe sigaddset(&set, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

private func noteSignal(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    // If the pipe is full, only a repeated signal is lost.
    _ = unsafe write(signalPipe, &byte, 1)
    errno = error
}

private func restoreAndCrash(_ number: Int32) {
    TerminalGuard.restore(TCSANOW)
    raise(number)
}
