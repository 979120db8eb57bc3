public import LatchkeySecrets
public import LatchkeySystem

/// A destination for frames.
public protocol TerminalOutput: Sendable {
    /// The current size; 80 by 24 if it is unknown.
    var size: TerminalSize { get }

    /// Writes all bytes. The caller must have escaped any text in them.
    func write(_ bytes: Span<UInt8>)
}

/// The terminal that the drivers use: the device, or a test double.
public protocol TerminalPort: TerminalOutput {
    /// Takes over the terminal.
    ///
    /// - Returns: false if the terminal is gone or already in use.
    func begin(_ mode: TerminalMode) -> Bool

    /// The input from now until ``end()``. Call once after each ``begin(_:)``.
    func inputs() -> AsyncStream<TerminalInput>

    /// Adds ``Action/Key/tick`` to the input. Can be called from any thread.
    ///
    /// - Returns: false if the input is full or has ended.
    func tick() -> Bool

    /// Turns echo on or off in ``TerminalMode/lines``. Echo is off at first.
    func setEcho(_ isOn: Bool)

    /// Shows the alternate screen, which has no scrollback, or the normal one as it was before (xterm's mode 1049).
    /// ``suspend()``, ``edit(_:with:)`` and ``end()`` show the normal one too.
    func showAlternateScreen(_ isOn: Bool)

    /// Restores the terminal, suspends the process group until it is continued, and takes over the terminal again.
    func suspend()

    /// Takes over the terminal again, because another program may have changed it.
    func resume()

    /// Lends the terminal to the user's text editor. When the editor ends, its text arrives as ``Action/edited(_:)``,
    /// or ``Action/Key/editorFailed`` arrives if it failed. Meanwhile, no other keys arrive.
    func edit(_ text: [UInt8], with editor: TextEditor)

    /// Restores the terminal and discards unread input, so that the rest of an overlong line does not reach a shell.
    func end()

    /// Returns input that was read and not handled. The next ``inputs()`` begins with it.
    ///
    /// Call it after ``end()``. A screen does so for keys that were typed for the screen after it.
    func putBack(_ inputs: [TerminalInput])
}

extension TerminalOutput {
    func write(_ text: String) { write(text.utf8Span.span) }
}

/// The size of a terminal, in cells.
public struct TerminalSize: Equatable, Sendable {
    /// The width, in cells.
    public let columns: Int
    /// The height, in cells.
    public let rows: Int

    /// Creates a size in cells.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// The mode in which a terminal delivers typed input.
public enum TerminalMode: Sendable {
    /// Raw mode: delivers every key immediately, without echo.
    case keys
    /// Cooked mode: delivers whole lines, which the user can edit first.
    case lines
}

/// One input from a terminal.
public enum TerminalInput: Sendable {
    /// The meaning of a key, in ``TerminalMode/keys``.
    case action(Action)
    /// A line without its line break, in ``TerminalMode/lines``. It is treated as a secret, because the terminal does
    /// not know the field.
    case line(Secret)
    /// A line that exceeds the system's limit. The rest of the line has been discarded.
    case overlongLine
    /// Ctrl-D at the start of a line.
    case endOfInput
    /// The size of the terminal has changed.
    case resized
    /// A signal that ends, stops or continues the program.
    case signal(Int32)
    /// The terminal has been closed.
    case hungUp
}
