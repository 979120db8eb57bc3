import CCurl
import LatchkeyAccounts
import LatchkeySecrets

/// The transfer of one message to a mail server.
struct SMTPTransfer: Sendable {
    let server: SMTPServer
    let envelope: SMTPEnvelope
    /// The headers and the body, with CR LF. libcurl doubles dots at the start of lines.
    let text: [UInt8]
    let limits: TransferLimits

    /// Runs the transfer on the calling thread, and returns the server's reply to the message.
    func run() throws(MailServerFailure) -> String? {
        let exchange = SMTPExchange(self)
        guard let handle = CurlHandle(scheme: server.address.scheme, limits: limits),
            let recipients = Self.list(of: "<" + envelope.recipient + ">")
        else { throw exchange.dialogue.failure(.exhausted) }
        // The path of the URL is the name for EHLO.
        handle.set(CURLOPT_URL, server.url + "/" + PercentEncoding.encoded(server.hello))
        handle.set(CURLOPT_USE_SSL, Int((server.isPlain ? CURLUSESSL_NONE : CURLUSESSL_ALL).rawValue))
        handle.set(CURLOPT_MAIL_FROM, "<" + envelope.sender + ">")
        handle.set(CURLOPT_MAIL_RCPT, recipients)
        if let login = server.login {
            guard let password = SecretText(login.password) else { throw exchange.dialogue.failure(.exhausted) }
            handle.set(CURLOPT_USERNAME, login.user)
            handle.set(CURLOPT_PASSWORD, password)
            // The connection is encrypted, so a login method that hashes the password weakly is unnecessary.
            handle.set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
            handle.set(CURLOPT_SASL_IR, 1)
        }
        handle.set(CURLOPT_UPLOAD, 1)
        handle.set(CURLOPT_INFILESIZE, text.count)
        let code = withExtendedLifetime(exchange) { () -> CURLcode in
            let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
            unsafe handle.set(CURLOPT_READFUNCTION, Self.give, CURLOPT_READDATA, context)
            unsafe handle.set(CURLOPT_HEADERFUNCTION, Self.take, CURLOPT_HEADERDATA, context)
            unsafe handle.set(progress: Self.watch, context)
            return handle.perform()
        }
        // The server has accepted the message, even if the connection broke afterwards.
        if exchange.dialogue.step == .quit { return exchange.accepted }
        throw exchange.dialogue.failure(exchange.isLate ? .timedOut : TransferFailure(code))
    }

    private static func list(of text: String) -> OwnedList? {
        let list = OwnedList()
        return list.append(text) ? list : nil
    }

    /// Passes the next bytes of the message to libcurl.
    private static let give: latchkey_curl_callback = { room, size, count, context in
        guard let room = unsafe room, let context = unsafe context else { return 0 }
        let exchange = unsafe Unmanaged<SMTPExchange>.fromOpaque(context).takeUnretainedValue()
        return unsafe exchange.give(into: UnsafeMutableRawBufferPointer(start: room, count: size * count))
    }

    /// Ends a transfer that exceeds its time limit.
    private static let watch: latchkey_curl_progress = { context, _, _, _, _ in
        guard let context = unsafe context else { return 1 }
        return unsafe Unmanaged<SMTPExchange>.fromOpaque(context).takeUnretainedValue().isLate ? 1 : 0
    }

    /// Processes a line of a reply. Any result other than the number of bytes ends the transfer.
    private static let take: latchkey_curl_callback = { line, size, count, context in
        guard let line = unsafe line, let context = unsafe context else { return 0 }
        let exchange = unsafe Unmanaged<SMTPExchange>.fromOpaque(context).takeUnretainedValue()
        let bytes = unsafe UnsafeRawBufferPointer(start: line, count: size * count)
        return unsafe exchange.take(bytes.bindMemory(to: UInt8.self).span) ? size * count : 0
    }
}

/// The shared state of one transfer's callbacks. Only the thread of the transfer uses it.
private final class SMTPExchange {
    var dialogue: SMTPDialogue
    /// The server's reply to the message; nil if there is none.
    private(set) var accepted: String?
    private let text: [UInt8]
    private var sent = 0
    /// The time at which the transfer is given up. libcurl's own limit does not apply to the reply to QUIT, for which
    /// it waits two minutes.
    private var deadline: ContinuousClock.Instant

    init(_ transfer: SMTPTransfer) {
        text = transfer.text
        deadline = ContinuousClock.now + transfer.limits.total
        dialogue = SMTPDialogue(
            needsSTARTTLS: transfer.server.needsSTARTTLS, needsLogin: transfer.server.login != nil,
            needsUTF8: transfer.envelope.needsUTF8, byteLimit: transfer.limits.responseBytes)
    }

    /// Whether the deadline has passed.
    var isLate: Bool { ContinuousClock.now >= deadline }

    func give(into room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, text.count - sent)
        unsafe room.copyBytes(from: text[sent..<(sent + count)])
        sent += count
        return count
    }

    func take(_ line: Span<UInt8>) -> Bool {
        let before = dialogue.step
        let goesOn = dialogue.take(line)
        if dialogue.step == .quit, before != .quit {
            accepted = dialogue.reply
            // The message is delivered, and only the reply to QUIT is missing.
            deadline = min(deadline, ContinuousClock.now + .seconds(1))
        }
        return goesOn
    }
}
