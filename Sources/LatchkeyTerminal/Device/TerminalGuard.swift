import Glibc

// What a signal handler may touch: constants at first, so that no lazy initialiser runs inside one.
//
// Proof: they are written only by the thread that takes or gives back the terminal, of which there is one
// at a time (TerminalDevice.isTaken), a word each; a handler that sees the old word restores the old state. The memory
// behind the pointer is never freed. It lies on the heap because `termios` is larger than the global that the compiler
// would make of it. The pipe is the exception: it is made before the first handler is there, and never closed, so that a
// handler that comes late still writes to it, and not to a file that has got its number.
private nonisolated(unsafe) var signalPipe: Int32 = -1
private nonisolated(unsafe) var guarded: Int32 = -1
private nonisolated(unsafe) var original: UnsafeMutablePointer<termios>? = nil
private nonisolated(unsafe) var bracketsPaste = false

/// Sees to it that the terminal is given back whichever way the process ends, and hears the signals that end, stop or
/// resize it.
enum TerminalGuard {
    /// Ended, stopped, continued, resized: written to a pipe, for the front to decide.
    static let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
    /// The process is about to die of its own fault: there is time for one system call.
    static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

    /// Remembers how the terminal is now. Answers false where it is none.
    static func save(_ descriptor: Int32) -> Bool {
        let modes = unsafe original ?? UnsafeMutablePointer<termios>.allocate(capacity: 1)
        unsafe modes.initialize(to: termios())
        guard unsafe tcgetattr(descriptor, modes) == 0 else { return false }
        unsafe original = unsafe modes
        unsafe guarded = descriptor
        _ = atExit
        return true
    }

    /// How the terminal was; nil where it is not ours.
    static var saved: termios? { unsafe guarded >= 0 ? original?.pointee : nil }

    /// Asks the terminal to mark what is pasted (xterm's mode 2004); ``restore(_:)`` takes it back.
    static func bracketPaste() {
        unsafe bracketsPaste = true
        sendPasteMode(UInt8(ascii: "h"))
    }

    /// Puts the terminal back. `when` is one of tcsetattr's. Fit for a signal handler.
    static func restore(_ when: Int32) {
        guard unsafe guarded >= 0, let modes = unsafe original else { return }
        if unsafe bracketsPaste {
            unsafe bracketsPaste = false
            sendPasteMode(UInt8(ascii: "l"))
        }
        _ = unsafe tcsetattr(guarded, when, modes)
    }

    // Byte for byte on the stack: an array may take memory, which a handler must not.
    private static func sendPasteMode(_ final: UInt8) {
        var bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (
            0x1B, 0x5B, 0x3F, 0x32, 0x30, 0x30, 0x34, final
        )
        _ = unsafe write(guarded, &bytes, 8)
    }

    /// The terminal is no longer ours.
    static func forget() { unsafe guarded = -1 }

    // `exit()` from anywhere; the terminal may be gone by then, which is no matter.
    private static let atExit: Void = {
        _ = atexit { TerminalGuard.restore(TCSANOW) }
    }()

    // MARK: Signals

    /// What a signal did before.
    struct Before {
        let signal: Int32
        let action: sigaction
    }

    /// What signals are read from, while they are watched; nil where the system had no descriptors for it.
    static let signals: Pipe? = {
        let pipe = Pipe()
        unsafe signalPipe = pipe?.writeEnd ?? -1
        return pipe
    }()

    /// Watches signals, each written to ``signals`` as one byte. What was ignored stays so: that is what `nohup` asks for.
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
            // Reset on entry: the fault happens again when the handler returns, and then kills.
            new.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            _ = unsafe sigaction(signal, &new, &old)
            before.append(Before(signal: signal, action: old))
        }
        return before
    }

    /// Signals do again what they did before.
    static func unwatchSignals(_ before: [Before]) {
        for entry in before {
            var action = entry.action
            _ = unsafe sigaction(entry.signal, &action, nil)
        }
    }

    /// Gives a signal its default action and lets it through.
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
    // A full pipe has enough to be read: what is lost is a repetition.
    _ = unsafe write(signalPipe, &byte, 1)
    errno = error
}

private func restoreAndCrash(_ number: Int32) {
    TerminalGuard.restore(TCSANOW)
    raise(number)
}
