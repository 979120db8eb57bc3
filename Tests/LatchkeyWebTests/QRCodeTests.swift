import LatchkeySecrets
import LatchkeyText
import TestSupport
import Testing

@testable import LatchkeyWeb

/// A QR code on a page.
@Suite(.timeLimit(.minutes(60)))
struct QRCodeTests {
    private static let text = "otpauth://totp/Example:ada%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Example"

    private static func markup(title: String = "QR code") throws -> String {
        var html = HTML()
        let secret = Secret(copying: text.utf8Span.span)
        html.qrCode(try #require(QRCode(secret)), title: title)
        return html.markup
    }

    @Test func `the image of a QR code has a title and no style attribute`() throws {
        let markup = try Self.markup(title: "Code of <Ada>")
        let start = #"<svg class="qr-code" viewBox="0 0 45 45" role="img" shape-rendering="crispEdges">"#
        let white = ##"<rect width="45" height="45" fill="#fff"></rect>"##
        #expect(markup.hasPrefix(start + "<title>Code of &lt;Ada&gt;</title>" + white + #"<path d="M4 4.5h7m1 0h"#))
        #expect(markup.hasSuffix(##"" stroke="#000"></path></svg>"##))
        #expect(!markup.contains("style="))
    }

    @Test(.enabled(if: QRReader.isInstalled, "zbarimg is not installed"))
    func `a scanner decodes the image of a QR code`() throws {
        let markup = try Self.markup()
        var dark: Set<[Int]> = []
        for line in markup.matches(of: #/M(\d+) (\d+)\.5([hm0-9 ]+)/#) {
            var column = try #require(Int(line.1))
            let row = try #require(Int(line.2))
            for step in line.3.matches(of: #/(h|m)(\d+)/#) {
                let length = try #require(Int(step.2))
                if step.1 == "h" { for offset in 0..<length { dark.insert([column + offset, row]) } }
                column += length
            }
        }
        let side = try #require(markup.firstMatch(of: #/viewBox="0 0 (\d+)/#).flatMap { Int($0.1) })
        #expect(try QRReader.read(columns: side, rows: side) { dark.contains([$0, $1]) } == Self.text)
    }
}
