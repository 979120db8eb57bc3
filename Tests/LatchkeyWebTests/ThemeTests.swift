import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyWeb

@Suite(.timeLimit(.minutes(60)))
struct ThemeTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]

    /// Adds a file. A refusal fails the test.
    private static func add(_ bytes: [UInt8], as file: WebTheme.File, to theme: inout WebTheme) {
        let isAdded = theme.add(bytes, as: file)
        #expect(isAdded, "\(file.rawValue)")
    }

    private static func page(_ theme: WebTheme) -> String {
        var site = WebSite(name: "Desk & Co", messages: .english)
        site.theme = theme
        return NoticePage("Title", on: site).html
    }

    @Test func `a theme adds its style sheet, its logo and its footer to a page`() throws {
        var theme = WebTheme()
        let css = "main { border: 0 }"
        let svg = "<svg xmlns='http://www.w3.org/2000/svg'/>"
        Self.add(Array(css.utf8), as: .styleSheet, to: &theme)
        Self.add(Array(svg.utf8), as: .vectorLogo, to: &theme)
        Self.add(
            Array(
                "Ask the desk:\r\nroom 4\nPrivacy https://example.org/p\nmailto:a@example.org\njavascript:alert(1)\n"
                    .utf8),
            as: .footer, to: &theme)
        Self.add(Array("Terms https://example.org/terms\n".utf8), as: .terms, to: &theme)
        let html = Self.page(theme)
        let (sheet, logo) = (theme.assets[0], theme.assets[1])
        #expect(sheet.mediaType == "text/css; charset=utf-8" && logo.mediaType == "image/svg+xml")
        #expect(
            html.contains(
                #"href="\#(WebAssets.styleSheet.path)"><link rel="stylesheet" href="\#(sheet.path)"><link rel="icon" href="\#(logo.path)">"#
            ))
        #expect(
            html.contains(
                #"<header><a class="brand" href="/"><img src="\#(logo.path)" alt=""><bdi>Desk &amp; Co</bdi></a></header><main "#
            ))
        #expect(
            html.contains(
                "<footer><p>Ask the desk:</p><p>room 4</p><p><a href=\"https://example.org/p\">Privacy</a></p>"
                    + "<p><a href=\"mailto:a@example.org\">mailto:a@example.org</a></p><p>javascript:alert(1)</p></footer>"
            ))
        #expect(theme.terms == "https://example.org/terms")
    }

    @Test func `without a theme, the header has the mark and the name, and there is no footer`() {
        let html = Self.page(WebTheme())
        #expect(
            html.contains(#"<header><a class="brand" href="/"><svg"#)
                && html.contains("<bdi>Desk &amp; Co</bdi></a></header>"))
        #expect(!html.contains("<footer>") && !html.contains("<img"))
        #expect(html.contains(#"<link rel="icon" href="\#(WebAssets.icon.path)">"#))
    }

    @Test func `if a theme has two logos, the vector logo is shown`() {
        var theme = WebTheme()
        for file in WebTheme.File.allCases where file == .vectorLogo || file == .pixelLogo {
            Self.add(file == .pixelLogo ? Self.png : Array("<svg/>".utf8), as: file, to: &theme)
        }
        #expect(theme.assets.map(\.mediaType) == ["image/svg+xml"])
    }

    @Test(arguments: WebTheme.File.allCases)
    func `a theme file with the wrong type or size is refused`(file: WebTheme.File) {
        var theme = WebTheme()
        let garbage = theme.add([0xFF, 0xFE, 0x00], as: file)
        let text = file == .terms ? "https://example.org" : "<svg/>"
        let start = file == .pixelLogo ? Self.png : Array(text.utf8)
        func filled(_ count: Int) -> [UInt8] { start + [UInt8](repeating: 0x20, count: count - start.count) }
        let tooLong = theme.add(filled(65_537), as: file)
        #expect(!garbage && !tooLong)
        #expect(theme.assets.isEmpty && theme.footer.isEmpty)
        Self.add(filled(65_536), as: file, to: &theme)
    }

    @Test func `the colours of a browser's frame are those of the style sheet`() {
        let sheet = String(decoding: WebAssets.styleSheet.bytes, as: UTF8.self)
        let colors = sheet.matches(of: /--background: (#[0-9a-f]{6})/).map { String($0.1) }
        #expect(colors == WebAssets.backgrounds.map(\.1))
    }

    @Test func `every form contains the username for password managers`() throws {
        var site = WebSite(name: "Desk", messages: .english)
        site.accountName = "ada"
        for type in AccountType.allCases {
            let form = try FormCatalogue().form(for: type)
            let html = FormPage(form, FormViewModel(form: form).state, on: site).html
            let hidden = html.contains(#"autocomplete="username" value="ada" hidden>"#)
            #expect(hidden != html.contains(#"name="username""#), "\(type)")
        }
    }
}
