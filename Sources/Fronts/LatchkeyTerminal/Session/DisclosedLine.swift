import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// A line that contains a secret and is shown to the owner only once.
struct DisclosedLine {
    let text: String
    var role = Role.plain
}

extension FactorDisclosure {
    /// The number of rows that the form below a QR code needs.
    private static let rowsOfForm = 8

    /// The lines for a terminal. An authenticator is shown as a QR code if the whole code and its form fit on the
    /// screen.
    ///
    /// - Parameter drawsBlocks: whether the terminal can draw a QR code.
    func lines(on size: TerminalSize, _ drawsBlocks: Bool, _ messages: MessageTable) -> [DisclosedLine] {
        switch self {
        case .authenticator(let uri, let secret):
            let key = DisclosedLine(text: messages.sentence("factor.key", ["key": .text(secret.shownText)]))
            let code = drawsBlocks ? QRCode(uri)?.halfBlockLines ?? [] : []
            guard let width = code.first?.count, width < size.columns, code.count + Self.rowsOfForm <= size.rows else {
                return [DisclosedLine(text: messages.sentence("factor.uri", ["uri": .text(uri.shownText)])), key]
            }
            return code.map { DisclosedLine(text: $0, role: .qrCode) } + [key]
        case .savedCodes(let codes):
            return Cells.wrap(messages.sentence("factor.saved_codes"), to: max(size.columns - 1, 1)).map {
                DisclosedLine(text: $0)
            }
                + codes.map { DisclosedLine(text: "  " + $0.shownText) }
        }
    }
}
