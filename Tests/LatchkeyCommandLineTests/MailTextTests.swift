import LatchkeyAccounts
import Testing

@testable import LatchkeyCommandLine

@Suite struct MailTextTests {
    private func message(subject: String = "Hello", recipient: EmailAddress?) -> OutboxMessage {
        OutboxMessage(
            id: "0123456789abcdef", recipient: recipient, subject: subject, body: "The code is\n\nABCD\n",
            createdAt: Timestamp(milliseconds: 1_767_323_045_000), expiresAt: nil)
    }

    @Test func `a message has its headers, an empty line and its body`() throws {
        let text = try #require(
            MailText.text(of: message(recipient: EmailAddress("ada@example.org")), from: "Latchkey <a@b.example>"))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.contains("To: <ada@example.org>"))
        #expect(lines.contains("From: Latchkey <a@b.example>"))
        #expect(lines.contains("Date: Fri, 02 Jan 2026 03:04:05 +0000"))
        #expect(lines.contains("Message-ID: <0123456789abcdef@latchkey.invalid>"))
        #expect(text.hasSuffix("\n\nThe code is\n\nABCD\n"))
    }

    @Test func `a header cannot begin another`() throws {
        let text = try #require(
            MailText.text(
                of: message(subject: "Hello\r\nBcc: eve@example.org", recipient: EmailAddress("ada@example.org")),
                from: "Latchkey <a@b.example>"))
        #expect(!text.contains("\nBcc:"))
        #expect(!text.contains("\r"))
    }

    @Test func `a decoy is no message`() {
        #expect(MailText.text(of: message(recipient: nil), from: "Latchkey <a@b.example>") == nil)
    }

    @Test(arguments: [
        (Int64(0), "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400_000, "Tue, 29 Feb 2000 00:00:00 +0000"),
        (-1000, "Wed, 31 Dec 1969 23:59:59 +0000"), (4_102_444_800_000, "Fri, 01 Jan 2100 00:00:00 +0000"),
    ])
    func `a date has the right day of the week`(milliseconds: Int64, date: String) {
        #expect(MailText.date(Timestamp(milliseconds: milliseconds)) == date)
    }
}
