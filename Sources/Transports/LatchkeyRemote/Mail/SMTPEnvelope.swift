import LatchkeyAccounts
import LatchkeyForms
import LatchkeyText

/// The addresses of a message in the form for a mail server, and whether the server must support SMTPUTF8 (RFC 6531).
struct SMTPEnvelope {
    let sender: String
    let recipient: String

    /// - Throws: `address` if ``EmailRule`` refuses the recipient. Otherwise, a row written by another program could
    ///   contain a second SMTP command.
    init(from sender: EmailAddress, to recipient: EmailAddress) throws(MailServerFailure) {
        self.sender = try Self.asciiDomain(of: sender)
        self.recipient = try Self.asciiDomain(of: recipient)
    }

    var needsUTF8: Bool { !(sender + recipient).utf8.allSatisfy { $0 < 0x80 } }

    /// The address with A-labels in its domain, which every server accepts.
    private static func asciiDomain(of address: EmailAddress) throws(MailServerFailure) -> String {
        let rule = EmailRule(international: true)
        let typed = address.typed
        let isFit = typed.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar != "<" && scalar != ">" && scalar.properties.generalCategory != .control
        }
        guard isFit, rule.check(typed.utf8Span, in: FormValues()) == nil,
            rule.normalForm(of: typed.utf8Span)?.utf8.elementsEqual(address.folded.utf8) == true,
            let at = typed.lastIndex(of: "@")
        else { throw MailServerFailure(.address) }
        let domain = String(typed[typed.index(after: at)...])
        if domain.utf8.allSatisfy({ $0 < 0x80 }) { return typed }
        guard let ascii = InternationalDomain(domain.utf8Span)?.ascii else { throw MailServerFailure(.address) }
        return typed[...at] + ascii
    }
}
