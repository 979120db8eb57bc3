import LatchkeySecrets
import LatchkeyText
import TestSupport
import Testing

@testable import LatchkeyTerminal

/// A QR code in a terminal.
@Suite(.timeLimit(.minutes(60)))
struct QRCodeTests {
    private static let uri =
        "otpauth://totp/Latchkey:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Latchkey"

    private static func lines() throws -> [String] {
        let secret = Secret(copying: uri.utf8Span.span)
        return try #require(QRCode(secret)).halfBlockLines
    }

    @Test func `a code of version 5 has 21 lines of 41 cells`() throws {
        let lines = try Self.lines()
        #expect(lines.count == 21)
        #expect(lines.allSatisfy { CellWidth.of($0) == 41 && $0.hasPrefix("██") && $0.hasSuffix("██") })
        #expect(lines.first?.allSatisfy { $0 == "█" } == true)
    }

    @Test(.enabled(if: QRReader.isInstalled, "zbarimg is not installed"))
    func `a scanner decodes the half blocks`() throws {
        let cells = try Self.lines().map(Array.init)
        let read = try QRReader.read(columns: cells[0].count, rows: 2 * cells.count) { column, row in
            switch cells[row / 2][column] {
            case "█": false
            case "▀": row % 2 == 1
            case "▄": row % 2 == 0
            default: true
            }
        }
        #expect(read == Self.uri)
    }

    @Test(arguments: Theme.allCases)
    func `a theme does not change the code's colours`(theme: Theme) {
        #expect(Palette(usesColor: true, theme: theme).attributes(of: .qrCode) == "37;40")
    }
}
