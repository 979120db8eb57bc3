import TestSupport
import Testing

@testable import LatchkeyAccounts

@Suite(.timeLimit(.minutes(60))) struct MailTextTests {
    private func message(subject: String = "Hello", recipient: EmailAddress?) -> OutboxMessage {
        OutboxMessage(
            id: "0123456789abcdef", recipient: recipient, subject: subject, body: "The code is\n\nABCD\n",
            createdAt: Timestamp(milliseconds: 1_767_323_045_000), expiresAt: nil)
    }

    @Test func `a message has its headers, an empty line and its body`() throws {
        let text = MailText.text(
            of: try message(recipient: EmailAddress("ada@example.org")), from: "Latchkey <a@b.example>")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.contains("To: <ada@example.org>"))
        #expect(lines.contains("From: Latchkey <a@b.example>"))
        #expect(lines.contains("Date: Fri, 02 Jan 2026 03:04:05 +0000"))
        #expect(lines.contains("Message-ID: <0123456789abcdef@b.example>"))
        #expect(text.hasSuffix("\n\nThe code is\n\nABCD\n"))
    }

    @Test func `a value cannot inject another header`() throws {
        let text = MailText.text(
            of: try message(subject: "Hello\r\nBcc: eve@example.org", recipient: EmailAddress("ada@example.org")),
            from: "Latchkey <a@b.example>")
        #expect(!text.contains("\nBcc:"))
        #expect(!text.contains("\r"))
    }

    /// The header that Python's `email` package decodes as `value`.
    struct Header: Decodable, Sendable {
        let header: String
        let value: String
        let written: String
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: Header.self, in: "mail/headers.jsonl"))
    func `a non-ASCII header is written in encoded words`(row: Header) throws {
        let isSubject = row.header == "Subject"
        let text = MailText.text(
            of: try message(subject: isSubject ? row.value : "Hello", recipient: EmailAddress("ada@example.org")),
            from: isSubject ? "Desk <desk@example.org>" : row.value)
        let expected = "\n" + row.header + ": " + row.written + "\n"
        #expect(text.contains(expected), "\(row.why): \(text)")
        for line in text.split(separator: "\n") where line.contains("=?utf-8?b?") {
            #expect(line.utf8.count <= 76)
            for word in line.split(separator: " ") where word.hasPrefix("=?") { #expect(word.utf8.count <= 75) }
        }
    }

    @Test(arguments: [
        ("desk@example.org", "example.org"), ("Desk <desk@Küche.example>", "xn--kche-0ra.example"),
        ("nobody", "latchkey.invalid"),
    ])
    func `the message ID has the sender's domain`(sender: String, domain: String) throws {
        let text = MailText.text(of: try message(recipient: EmailAddress("ada@example.org")), from: sender)
        #expect(text.contains("\nMessage-ID: <0123456789abcdef@\(domain)>\n"), "\(text)")
    }

    /// S-147.
    @Test func `a decoy has no recipient`() {
        #expect(MailText.text(of: message(recipient: nil), from: "Latchkey <a@b.example>").contains("\nTo: <>\n"))
    }

    @Test(arguments: [
        (Int64(0), "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400_000, "Tue, 29 Feb 2000 00:00:00 +0000"),
        (-1000, "Wed, 31 Dec 1969 23:59:59 +0000"), (4_102_444_800_000, "Fri, 01 Jan 2100 00:00:00 +0000"),
    ])
    func `a date is formatted for a mail header with the correct weekday`(milliseconds: Int64, date: String) {
        #expect(MailText.date(Timestamp(milliseconds: milliseconds)) == date)
    }
}
