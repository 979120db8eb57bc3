import Glibc
import LatchkeySecrets
public import LatchkeySystem

/// The terminal of this process.
public final class TerminalDevice: TerminalPort {
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private let state = Locked(State())
    /// Input for the next ``inputs()``.
    private let unhandled = Locked<[TerminalInput]>([])

    /// Whether a terminal is in use. There can be only one, because signal handlers and saved modes belong to the
    /// process.
    private static let isTaken = Locked(false)

    private struct State {
        var mode: TerminalMode?
        var echoes = false
        var showsAlternateScreen = false
        var reader: TerminalReader?
        /// The editor that is using the terminal, and the pipe that signals its end.
        var editor: (program: TextEditor, ended: Pipe)?
        var before: [TerminalGuard.Before] = []
    }

    /// Opens the controlling terminal, even if the standard streams are redirected. Nil if there is no controlling
    /// terminal.
    public static func open() -> TerminalDevice? {
        let descriptor = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        return TerminalDevice(descriptor, owns: true)
    }

    /// Uses an open terminal, which the caller must keep open. Nil if `descriptor` is not a terminal.
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

    // MARK: Taking over and restoring

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
            // Discard earlier signals.
            while !signals.read().isEmpty {}
            state.before = TerminalGuard.watchSignals()
            apply(mode, echoes: false, TCSAFLUSH)
        }
        return true
    }

    public func inputs() -> AsyncStream<TerminalInput> {
        let first = unhandled.withLock { inputs in
            defer { inputs = [] }
            return inputs
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: TerminalInput.self, bufferingPolicy: .bufferingOldest(TerminalReader.longestQueue + first.count))
        for input in first { continuation.yield(input) }
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

    public func tick() -> Bool { state.withLock { $0.reader?.tick() ?? false } }

    public func setEcho(_ isOn: Bool) {
        state.withLock { state in
            guard let mode = state.mode, state.echoes != isOn else { return }
            state.echoes = isOn
            apply(mode, echoes: isOn, TCSADRAIN)
        }
    }

    public func showAlternateScreen(_ isOn: Bool) {
        state.withLock { state in
            guard state.mode != nil, state.showsAlternateScreen != isOn else { return }
            state.showsAlternateScreen = isOn
            TerminalGuard.showAlternateScreen(isOn)
        }
    }

    public func end() {
        if let editor = state.withLock({ $0.editor }) {
            editor.program.stop(by: SIGHUP)
            if !editor.ended.wait(within: 2000) { editor.program.stop(by: SIGKILL) }
            editor.ended.wait()
        }
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

    public func putBack(_ inputs: [TerminalInput]) { unhandled.withLock { $0 = inputs } }

    // MARK: Suspending

    public func suspend() {
        state.withLock { state in
            guard state.mode != nil else { return }
            TerminalGuard.restore(TCSADRAIN)
            // This stops the other processes of the group first, then this thread. `raise` stops the thread before it
            // returns. A signal to the whole process could arrive after the terminal is back in raw mode.
            _ = signal(SIGCONT, SIG_DFL)
            _ = signal(SIGTSTP, SIG_IGN)
            kill(0, SIGTSTP)
            // Ignoring the signal again discards a pending one, which would stop this process a second time (POSIX,
            // section 2.4.3). A signal can be pending because a thread was still in the handler.
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
            takeBackScreen(state)
        }
    }

    // MARK: The editor

    public func edit(_ text: [UInt8], with editor: TextEditor) {
        guard let reader = state.withLock({ $0.editor == nil ? $0.reader : nil }) else { return }
        guard let ended = Pipe() else { return reader.resume(after: .action(.key(.editorFailed))) }
        // This is outside the lock, because the reader may be waiting for the lock.
        reader.pause()
        state.withLock { state in
            state.editor = (editor, ended)
            TerminalGuard.restore(TCSADRAIN)
            TerminalGuard.leaveKeySignals(state.before)
        }
        do {
            // This starts a thread, because waiting for a program blocks.
            try DetachedThread.start { [self] in
                let edited = try? editor.edit(text, on: descriptor, limit: Self.longestText)
                takeBack(from: edited)
                ended.write(1)
            }
        } catch {
            takeBack(from: nil)
        }
    }

    /// The maximum length of text from an editor, in bytes. A field still refuses text above its limit.
    private static let longestText = 65_536

    private func takeBack(from edited: [UInt8]?) {
        waitForTurn()
        let reader = state.withLock { state in
            state.editor = nil
            TerminalGuard.unwatchSignals(state.before)
            state.before = TerminalGuard.watchSignals()
            if let mode = state.mode { apply(mode, echoes: state.echoes, TCSAFLUSH) }
            takeBackScreen(state)
            return state.reader
        }
        let input = edited.map { Action.edited(Secret(copying: $0.span)) } ?? .key(.editorFailed)
        reader?.resume(after: .action(input))
    }

    // Entering the alternate screen twice would lose the position of the cursor on the normal one.
    private func takeBackScreen(_ state: State) {
        if state.showsAlternateScreen, !TerminalGuard.isOnAlternateScreen { TerminalGuard.showAlternateScreen(true) }
    }

    /// Stops this process until it is in the foreground, like a background job that reads from the terminal.
    private func waitForTurn() {
        // The system does not stop an orphaned group. The group's next read fails and ends the session.
        for _ in 0..<100 {
            let group = tcgetpgrp(descriptor)
            guard group > 0, group != getpgrp() else { return }
            TerminalGuard.setDefault(SIGTTIN)
            raise(SIGTTIN)
        }
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
