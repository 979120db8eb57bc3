import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// Where results and messages go. Every text passes the escaper on its way.
struct Output: Sendable {
    let json: Bool
    let quiet: Bool

    /// A line of the result.
    func result(_ line: String) throws(ToolFailure) {
        try write(TerminalEscaper.visible(line) + "\n", to: STDOUT_FILENO)
    }

    /// An object of the result, on a line of its own. The encoder has escaped what a terminal must not see.
    func result(_ object: JSONValue) throws(ToolFailure) {
        try write(object.encoded + "\n", to: STDOUT_FILENO)
    }

    /// Lines of JSON, with their newlines. Whoever encoded them has escaped what a terminal must not see.
    func result(lines: [UInt8]) throws(ToolFailure) { try write(lines, to: STDOUT_FILENO) }

    /// The same of bytes that are lent.
    func result(bytes: Span<UInt8>) throws(ToolFailure) { try write(bytes, to: STDOUT_FILENO) }

    /// That the command did what it was asked, with what it found out.
    func success(_ members: [(key: String, value: JSONValue)]) throws(ToolFailure) {
        guard case .object(let common) = NetworkResponse.success().json else { return }
        try result(.object(common + members))
    }

    /// That the command did what it was asked, where there is nothing else to tell.
    func done(_ sentence: String) throws(ToolFailure) {
        guard json else { return try result(sentence) }
        try result(NetworkResponse.success().json)
    }

    /// A secret that is shown this once: alone, or with `--json` as a member of `answer`. No text is made of it on the way.
    func secret(
        _ secret: Secret, named name: String, beside answer: JSONValue = NetworkResponse.success().json
    ) throws(ToolFailure) {
        let newline = UInt8(ascii: "\n")
        guard json else {
            var line = SecretBytes(capacity: secret.count + 1)
            _ = secret.withBytes { line.append($0) } && line.append(newline)
            return try line.withBytes { (bytes) throws(ToolFailure) in try write(bytes, to: STDOUT_FILENO) }
        }
        guard case .object(let members) = answer else { return }
        // It is of letters, digits and hyphens alone: nothing is to be escaped.
        let place = JSONValue.object(members + [(name, .string(""))]).encoded.utf8.dropLast(2)
        var line = SecretBytes(capacity: place.count + secret.count + 3)
        _ = line.append(Array(place).span) && secret.withBytes { line.append($0) }
        _ = line.append(Array("\"}\n".utf8).span)
        try line.withBytes { (bytes) throws(ToolFailure) in try write(bytes, to: STDOUT_FILENO) }
    }

    /// A text of several lines, such as help; with `--json`, a member of the result.
    func text(_ lines: [String], named name: String) throws(ToolFailure) {
        guard !json else { return try success([(name, .string(lines.joined(separator: "\n")))]) }
        try write(lines.map { TerminalEscaper.visible($0) + "\n" }.joined(), to: STDOUT_FILENO)
    }

    /// Something that a person may want to know; silent with `--quiet`.
    func note(_ line: String) {
        guard !quiet else { return }
        try? write(TerminalEscaper.visible(line) + "\n", to: STDERR_FILENO)
    }

    /// One of many things that are wrong, of which the command goes on to tell the rest.
    func problem(_ line: String) { try? write(TerminalEscaper.visible(line) + "\n", to: STDERR_FILENO) }

    /// Says why the command failed: on stderr in words, and with `--json` on stdout as an object.
    func failure(_ failure: ToolFailure, _ messages: MessageTable) {
        let sentence = failure.sentence(messages)
        var lines = ["latchkey: " + sentence]
        for error in failure.errors {
            lines.append("  " + (error.flag.map { $0 + ": " } ?? "") + error.message)
        }
        if !failure.isShown { try? write(lines.map { TerminalEscaper.visible($0) + "\n" }.joined(), to: STDERR_FILENO) }
        guard json else { return }
        var members: [(key: String, value: JSONValue)] = [
            ("ok", .bool(false)),
            ("status", .integer(failure.httpStatus)), ("code", .string(failure.code)),
            ("message", .string(sentence)),
        ]
        members += failure.members
        if !failure.errors.isEmpty { members.append(("errors", .array(failure.errors.map(\.json)))) }
        try? result(.object(members))
    }

    /// Ends the process as a reader that goes away ends others, unless whoever started it wants to be told. The signal waits
    /// where this is a thread of Swift's, which block it.
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
                // Whoever shares the pipe may have set it so that nothing waits for its reader.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if errno == EAGAIN, unsafe poll(&request, 1, -1) >= 0 || errno == EINTR { continue }
                if errno == EPIPE { Self.takeSignalOfPipe() }
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
