import LatchkeyAccounts

/// A message as it goes out (RFC 5322), lines ending in LF as a Maildir keeps them.
enum MailText {
    /// Nil for a message that is for nobody.
    static func text(of message: OutboxMessage, from sender: String) -> String? {
        guard let recipient = message.recipient else { return nil }
        let headers = [
            ("Date", date(message.createdAt)),
            ("From", sender),
            ("To", "<" + recipient.typed + ">"),
            ("Subject", message.subject),
            ("Message-ID", "<" + message.id + "@latchkey.invalid>"),
            ("Auto-Submitted", "auto-generated"),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]
        return headers.map { $0.0 + ": " + unfolded($0.1) + "\n" }.joined() + "\n" + message.body
    }

    /// Without the characters that could begin another header.
    private static func unfolded(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar) }
        return String(scalars)
    }

    /// As RFC 5322, section 3.3 writes it, in UTC.
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
