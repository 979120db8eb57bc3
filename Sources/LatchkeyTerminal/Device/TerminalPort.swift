/// Where frames can be drawn.
public protocol TerminalOutput: Sendable {
    /// Now; 80 by 24 where the terminal does not tell.
    var size: TerminalSize { get }

    /// Writes all of it. The bytes are the drawer's, who has escaped what is not its own.
    func write(_ bytes: Span<UInt8>)
}

/// A terminal as the drivers see it: the device, or a double in a test.
public protocol TerminalPort: TerminalOutput {
    /// Takes the terminal over. Answers false where that cannot be: it is gone, or taken already.
    func begin(_ mode: TerminalMode) -> Bool

    /// What comes in, from now until ``end()``. To be called once after each ``begin(_:)``.
    func inputs() -> AsyncStream<TerminalInput>

    /// Whether what is typed shows, in ``TerminalMode/lines``. It does not, until this says so.
    func setEcho(_ isOn: Bool)

    /// Gives the terminal back, stops the process group until it is continued, and takes the terminal again.
    func suspend()

    /// Takes the terminal again after something else may have changed it.
    func resume()

    /// Gives the terminal back as it was. What was typed and not read is thrown away: the end of an overlong answer must
    /// not reach a shell.
    func end()
}

/// How large a terminal is, in cells.
public struct TerminalSize: Equatable, Sendable {
    public let columns: Int
    public let rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

extension TerminalOutput {
    func write(_ text: String) { write(text.utf8Span.span) }
}
