import LatchkeyText

/// The text of an outgoing message (RFC 5322).
package enum MailText {
    /// The message with LF line endings, as in a Maildir. A decoy has the same size as a real message.
    package static func text(of message: OutboxMessage, from sender: String) -> String {
        var body = message.body[...]
        if message.recipient == nil {
            // Half of the trailing spaces stand in for the address in `To`, because the store contains the address
            // twice.
            body = body.dropLast(body.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count / 2)
        }
        return headers(of: message, from: sender, encoding: "8bit") + body
    }

    /// The message in wire format, with lines that end in CR LF. A body that is not plain ASCII is encoded as
    /// quoted-printable, because some servers do not accept eight bits (RFC 6152) or long lines.
    ///
    /// The headers are ASCII unless they contain a non-ASCII address, which requires SMTPUTF8 (RFC 6531).
    package static func wire(of message: OutboxMessage, from sender: String) -> [UInt8] {
        let body = Array(message.body.utf8)
        let isPlain = QuotedPrintable.isNeedless(for: body)
        let headers = headers(of: message, from: sender, encoding: isPlain ? "7bit" : "quoted-printable")
        return withLineEnds(headers.utf8) + (isPlain ? withLineEnds(body) : QuotedPrintable.text(of: body))
    }

    private static func withLineEnds(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }
    }

    /// The headers, followed by an empty line.
    private static func headers(of message: OutboxMessage, from sender: String, encoding: String) -> String {
        let headers = [
            ("Date", date(message.createdAt)),
            ("From", self.sender(unfolded(sender))),
            ("To", "<" + unfolded(message.recipient?.typed ?? "") + ">"),
            ("Subject", subject(unfolded(message.subject))),
            ("Message-ID", "<" + message.id + "@" + (domain(of: sender) ?? "latchkey.invalid") + ">"),
            ("Auto-Submitted", "auto-generated"),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", encoding),
        ]
        return headers.map { $0.0 + ": " + $0.1 + "\n" }.joined() + "\n"
    }

    private static func subject(_ text: String) -> String {
        EncodedWords.areNeeded(for: text) ? EncodedWords.text(of: text, behind: "Subject: ".utf8.count) : text
    }

    /// The sender's domain in ASCII; nil if the sender has no address.
    package static func domain(of sender: String) -> String? {
        let address = sender.hasSuffix(">") ? sender.dropLast() : sender[...]
        guard let sign = address.lastIndex(of: "@") else { return nil }
        return InternationalDomain(address[address.index(after: sign)...].utf8Span)?.ascii
    }

    /// The encoded sender, such as `Desk <desk@example.org>`. The name is put in encoded words if it is not ASCII, and in
    /// quotation marks if it has characters with a meaning in the header, such as a comma (RFC 5322, section 3.4). An
    /// address that is not ASCII stays unchanged (RFC 6532).
    private static func sender(_ text: String) -> String {
        guard text.hasSuffix(">"), let start = text.lastIndex(of: "<") else { return text }
        let written = text[..<start].drop { $0 == " " }
        let name = unquoted(written)
        if EncodedWords.areNeeded(for: String(written)) {
            return EncodedWords.text(of: name, behind: "From: ".utf8.count) + "\n " + text[start...]
        }
        guard !name.utf8.allSatisfy({ isAtomic($0) || $0 == UInt8(ascii: " ") }) else {
            return (name.isEmpty ? "" : name + " ") + text[start...]
        }
        let quoted = name.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(quoted)\" " + text[start...]
    }

    /// Whether the character may be in a phrase without quotation marks (`atext` of RFC 5322, section 3.2.3).
    private static func isAtomic(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }
    }

    /// The content of a quoted string (RFC 5322, section 3.2.4); any other string without trailing white space, also if
    /// a quotation mark in it is not escaped.
    private static func unquoted(_ name: Substring) -> String {
        var name = name
        while name.last == " " { name.removeLast() }
        guard name.count > 1, name.first == "\"", name.last == "\"" else { return String(name) }
        var text = ""
        var isEscaped = false
        for character in name.dropFirst().dropLast() {
            if character == "\"", !isEscaped { return String(name) }
            isEscaped = character == "\\" && !isEscaped
            if !isEscaped { text.append(character) }
        }
        return isEscaped ? String(name) : text
    }

    /// Removes the control characters that could start another header.
    private static func unfolded(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar) }
        return String(scalars)
    }

    /// The date in UTC, formatted as in RFC 5322, section 3.3.
    static func date(_ time: Timestamp) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = Int((Double(time.milliseconds) / 86_400_000).rounded(.down))
        // `2026-01-02T03:04:05Z`
        let parts = time.rfc3339.split { "-T".contains($0) }
        guard parts.count == 4, let month = Int(parts[1]), (1...12).contains(month) else { return time.rfc3339 }
        let weekday = days[((day % 7) + 7) % 7]
        return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3].dropLast()) +0000"
    }
}
