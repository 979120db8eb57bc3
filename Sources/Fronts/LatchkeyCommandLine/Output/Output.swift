import Glibc
import LatchkeyAccounts
import LatchkeyFlows
package import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyTerminal
import LatchkeyText

/// The level of a line in the log of `serve`.
package enum LogLevel: String, Sendable {
    case info
    /// Something failed that the service tries again.
    case warning
    /// A request or a job failed because of the service, not of the client.
    case error
}

/// Prints results on standard output and messages on standard error. Escapes unsafe characters for the terminal.
package struct Output: Sendable {
    /// The name at the start of failures.
    var program = "latchkey"
    var json = false
    var quiet = false
    /// Whether standard error is a log: each message is an object with a level on one line.
    var isLog = false
    /// Whether the process survives a closed pipe on standard output, so that it can undo a change.
    var survivesClosedPipe = false

    /// Whether standard output is a terminal.
    var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard error is a terminal.
    var showsProblemsOnTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The width of the terminal on standard output, in columns.
    var columns: Int { DescriptorOutput(STDOUT_FILENO).size.columns }

    /// A line of the result.
    func result(_ line: String) throws(ToolFailure) { try result([line]) }

    /// Lines of the result. They stay whole, so that people can copy them.
    func result(_ lines: [String]) throws(ToolFailure) {
        try write(lines.map { TerminalEscaper.visible($0) + "\n" }.joined(), to: STDOUT_FILENO)
    }

    /// Sentences of the result. On a terminal they are broken between words.
    func sentences(_ lines: [String]) throws(ToolFailure) {
        try write(lines.map { wrapped(TerminalEscaper.visible($0), for: STDOUT_FILENO) }.joined(), to: STDOUT_FILENO)
    }

    /// Complete lines of the result with their newlines. The caller has escaped them.
    func result(escaped lines: String) throws(ToolFailure) { try write(lines, to: STDOUT_FILENO) }

    /// An object of the result, on a separate line. The encoder has escaped it.
    func result(_ object: JSONValue) throws(ToolFailure) {
        try write(object.encoded + "\n", to: STDOUT_FILENO)
    }

    /// Complete lines of JSON with their newlines. The encoder has escaped them.
    func result(lines: [UInt8]) throws(ToolFailure) { try write(lines, to: STDOUT_FILENO) }

    /// Lines of JSON or CSV. They are written unchanged to a file or pipe. On a terminal each line is escaped, because
    /// CSV has no escapes.
    func result(bytes: Span<UInt8>) throws(ToolFailure) {
        guard isTerminal else { return try write(bytes, to: STDOUT_FILENO) }
        var text = ""
        var start = 0
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
            let end = index > start && bytes[index - 1] == UInt8(ascii: "\r") ? index - 1 : index
            text += TerminalEscaper.visible(bytes.extracting(start..<end)) + "\n"
            start = index + 1
        }
        try write(text + TerminalEscaper.visible(bytes.extracting(start...)), to: STDOUT_FILENO)
    }

    /// A secret that is shown only once. With `--json` it is printed as a member of the response. It is never converted
    /// to a `String`.
    func secret(
        _ secret: Secret, named name: String, of response: NetworkResponse, _ members: CommandResult.Members
    ) throws(ToolFailure) {
        guard json else { return try line(of: secret) }
        try line(of: response.json.adding(members).encoded(adding: [(name, .text(secret))]))
    }

    /// One line with a secret, which is never converted to a `String`.
    func line(of secret: Secret) throws(ToolFailure) {
        var line = SecretBytes(capacity: secret.count + 1)
        _ = secret.withBytes { line.append($0) } && line.append(UInt8(ascii: "\n"))
        try line.withBytes { (bytes) throws(ToolFailure) in try write(bytes, to: STDOUT_FILENO) }
    }

    /// Prints a note on standard error. With `--quiet`, the line is not evaluated.
    package func note(_ line: @autoclosure () -> String) {
        guard !quiet else { return }
        message(line(), .info)
    }

    /// One of several problems, on standard error.
    func problem(_ line: String) { message(line, .error) }

    private func message(_ text: String, _ level: LogLevel) {
        guard isLog else {
            try? write(wrapped(TerminalEscaper.visible(text), for: STDERR_FILENO), to: STDERR_FILENO)
            return
        }
        write(level, [("message", .string(text))])
    }

    /// The line with its newline. On a terminal, a line that does not fit is broken between words and continues with its
    /// indentation. A word that is longer than a line stays whole, so that people can copy it.
    private func wrapped(_ line: String, for descriptor: Int32) -> String {
        guard isatty(descriptor) == 1 else { return line + "\n" }
        let columns = DescriptorOutput(descriptor).size.columns
        guard CellWidth.of(line) > columns else { return line + "\n" }
        let indent = String(line.prefix { $0 == " " })
        let width = columns - indent.count
        return HelpText.wrapped(line, width: max(width, 20)).map { indent + $0 + "\n" }.joined()
    }

    /// Writes an entry of a log on standard error. With `--quiet`, entries of level `info` are not even computed.
    package func log(_ level: LogLevel, _ members: @autoclosure () -> [(key: String, value: JSONValue)]) {
        guard !quiet || level != .info else { return }
        write(level, members())
    }

    private func write(_ level: LogLevel, _ members: [(key: String, value: JSONValue)]) {
        let time = Timestamp(milliseconds: SystemTime.wallMilliseconds()).rfc3339
        let start: [(key: String, value: JSONValue)] = [("time", .string(time)), ("level", .string(level.rawValue))]
        try? write(JSONValue.object(start + members).encoded + "\n", to: STDERR_FILENO)
    }

    /// Prints a failure: a sentence on standard error and, with `--json`, an object on standard output.
    ///
    /// - Parameter name: the operand that failed, if there are several.
    func failure(_ failure: ToolFailure, _ messages: MessageTable, named name: String? = nil) {
        let sentence = failure.sentence(messages)
        var lines = [program + ": " + (name.map { $0 + ": " } ?? "") + sentence]
        for error in failure.errors {
            lines.append("  " + (error.flag.map { $0 + ": " } ?? "") + error.message)
        }
        if !failure.isShown {
            try? write(
                lines.map { wrapped(TerminalEscaper.visible($0), for: STDERR_FILENO) }.joined(), to: STDERR_FILENO)
        }
        guard json else { return }
        var members: [(key: String, value: JSONValue)] = name.map { [("name", .string($0))] } ?? []
        members += [
            ("ok", .bool(false)),
            ("status", .integer(failure.httpStatus)), ("code", .string(failure.code)),
            ("message", .string(sentence)),
        ]
        members += failure.members
        if !failure.errors.isEmpty { members.append(("errors", .array(failure.errors.map(\.json)))) }
        try? result(.object(members))
    }

    /// Ends the process with SIGPIPE, unless its parent ignores that signal. Swift's threads block the signal, so it is
    /// unblocked here.
    private static func takeSignalOfPipe() {
        ExitHandlers.run()
        var signals = sigset_t()
        _ = unsafe sigemptyset(&signals)
        _ = unsafe sigaddset(&signals, SIGPIPE)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private func write(_ text: String, to descriptor: Int32) throws(ToolFailure) {
        try write(Array(text.utf8), to: descriptor)
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(ToolFailure) {
        try write(bytes.span, to: descriptor)
    }

    private func write(_ bytes: Span<UInt8>, to descriptor: Int32) throws(ToolFailure) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                // Another process may have made the shared pipe non-blocking.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if errno == EAGAIN, unsafe poll(&request, 1, -1) >= 0 || errno == EINTR { continue }
                if errno == EPIPE, !survivesClosedPipe { Self.takeSignalOfPipe() }
                throw .outputFailed
            }
            written += count
        }
    }
}

extension ToolFailure.FieldError {
    fileprivate var json: JSONValue {
        .object([
            ("field", .string(field)), ("code", .string(code)),
            ("values", JSONValue(values)),
            ("message", .string(message)),
        ])
    }
}
