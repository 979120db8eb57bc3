import Foundation
import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyWeb

@Suite(.timeLimit(.minutes(60)))
struct PageMarkupTests {
    private static let site = WebSite(name: "Desk & Co <b>", messages: .english)

    /// All pages, with refused and hostile values.
    private static func pages() throws -> [(name: String, html: String)] {
        var pages: [(String, String)] = []
        let catalogue = try FormCatalogue()
        for type in AccountType.allCases {
            let form = catalogue.form(for: type)
            let model = FormViewModel(form: form)
            pages.append((type.rawValue, FormPage(form, model.state, on: site).html))
            for field in form.fields { model.set(.text(hostile), for: field.apiKey) }
            model.validateForm()
            pages.append((type.rawValue + " refused", FormPage(form, model.state, on: site, notice: hostile).html))
        }
        let kinds = try Fixture.form("kinds/form.json")
        let model = FormViewModel(form: kinds)
        for field in kinds.fields { model.set(.text(hostile), for: field.apiKey) }
        model.validateForm()
        pages.append(("kinds", FormPage(kinds, FormViewModel(form: kinds).state, on: site).html))
        pages.append(("kinds refused", FormPage(kinds, model.state, on: site).html))
        var signedIn = site
        signedIn.isSignedIn = true
        _ = signedIn.theme.add(Array(hostile.utf8), as: .footer)
        _ = signedIn.theme.add(Array("<svg>\(hostile)</svg>".utf8), as: .vectorLogo)
        _ = signedIn.theme.add(Array("</style>\(hostile)".utf8), as: .styleSheet)
        signedIn.accountName = hostile
        signedIn.returnTo = "/\"><script>"
        pages.append(
            (
                "account",
                AccountPage(
                    nil,
                    [
                        .section(
                            PageSection(
                                "x", hostile, help: hostile, facts: [PageFact(hostile, hostile, note: hostile)],
                                rows: [
                                    PageRow(
                                        hostile, badge: PageBadge(hostile), [hostile],
                                        action: .button(hostile, "/", doing: hostile, describedAs: hostile))
                                ])), .alert(hostile, [hostile]),
                        .table(
                            PageTable(hostile, [.init(hostile, .title)], rows: [[TableCell(hostile, note: hostile)]])),
                    ], on: signedIn
                ).html
            ))
        pages.append(("notice", NoticePage(hostile, [hostile], links: [(hostile, "/")], on: signedIn).html))
        return pages.map { (name: $0.0, html: $0.1) }
    }

    private static let hostile = "<script>alert('1')</script>\"&\u{1B}[31m\u{202E}"

    /// S-164.
    @Test func `values never become markup`() throws {
        for (name, html) in try Self.pages() {
            #expect(!html.contains("<script>"), "\(name)")
            #expect(!html.contains("alert('1')"), "\(name)")
            #expect(!html.contains("<b>"), "\(name)")
            #expect(html.matches(of: #/<script/#).count == 1, "\(name): only our own script")
            #expect(!html.contains(#/\son[a-z]+=/#), "\(name): a handler")
            #expect(!html.contains(#/\sstyle=/#), "\(name): a style")
        }
    }

    @Test func `visible text contains no control or bidirectional characters`() throws {
        for (name, html) in try Self.pages() {
            // The values of fields are unchanged.
            let texts = html.replacing(#/(?s)<textarea.*?</textarea>/#, with: "").replacing(#/<[^>]*>/#, with: "")
            #expect(!texts.unicodeScalars.contains("\u{1B}"), "\(name)")
            #expect(!texts.unicodeScalars.contains("\u{202E}"), "\(name)")
        }
    }

    @Test func `every id on a page is unique, and every reference has a target`() throws {
        for (name, html) in try Self.pages() {
            let ids = html.matches(of: #/\sid="([^"]+)"/#).map { String($0.1) }
            #expect(Set(ids).count == ids.count, "\(name): \(ids)")
            let references =
                html.matches(of: #/\shref="#([^"]+)"/#).map { String($0.1) }
                + html.matches(of: #/\s(?:for|list)="([^"]+)"/#).map { String($0.1) }
                + html.matches(of: #/\saria-describedby="([^"]+)"/#).flatMap {
                    $0.1.split(separator: " ").map(String.init)
                }
            for reference in references { #expect(ids.contains(reference), "\(name): \(reference)") }
        }
    }

    @Test func `every page has a language, a title, one heading and one main element`() throws {
        for (name, html) in try Self.pages() {
            #expect(html.hasPrefix(#"<!doctype html><html lang="en">"#), "\(name)")
            for tag in ["<title>", "<h1>", "<main "] {
                #expect(html.split(separator: tag).count == 2, "\(name): \(tag)")
            }
        }
    }

    /// S-164.
    @Test func `pages never contain secrets`() throws {
        let form = try FormCatalogue().form(for: .setup)
        let model = FormViewModel(form: form)
        model.set(.text("a-canary-password"), for: .password)
        model.validateForm()
        #expect(!FormPage(form, model.state, on: Self.site).html.contains("canary"))
    }

    @Test func `a conditional field shows its condition as text`() throws {
        let form = try Fixture.form("kinds/form.json")
        let html = FormPage(form, FormViewModel(form: form).state, on: Self.site).html
        #expect(html.contains(#"data-when="kind" data-is="company""#))
        #expect(html.contains("Only if Kind is company"))
    }

    @Test(arguments: ["", "\n", "\nfirst", "\n\nthird", "first\n"])
    func `a browser shows every line break of a text area, the leading ones too`(text: String) throws {
        let form = try Trial.form(
            "trial",
            #"{"form": "trial", "title": "T", "submit": "Go", "fields": ["#
                + #"{"apiKey": "bio", "kind": "multiline", "label": "Bio", "trim": false, "optional": true}]}"#)
        let model = FormViewModel(form: form)
        model.set(.text(text), for: "bio")
        let html = FormPage(form, model.state, on: Self.site).html
        let area = try #require(html.firstMatch(of: #/(?s)<textarea[^>]*>(.*?)<\/textarea>/#)).1
        // A browser drops the first line break after the tag (HTML, section 13.2.6.4.7).
        #expect((area.first == "\n" ? area.dropFirst() : area) == text)
    }

    @Test(arguments: [AccountType.setup, .login])
    func `a page with all its assets is smaller than 28 KiB`(type: AccountType) throws {
        var site = Self.site
        site.offersPasskeys = true
        let form = try FormCatalogue().form(for: type)
        let page = FormPage(form, FormViewModel(form: form).state, on: site).html
        let assets = WebAssets.all.filter { page.contains($0.path) }
        #expect(assets.count == (type == .login ? 4 : 3), "only pages that offer passkeys load their script")
        #expect(assets.allSatisfy { $0.bytes.count < 14_000 })
        #expect(page.utf8.count + assets.map(\.bytes.count).reduce(0, +) < 28 * 1024)
    }

    @Test func `the path of an asset contains a hash of its content`() {
        #expect(WebAssets.styleSheet.path.firstMatch(of: #/^\/assets\/[0-9a-f]{8}\.css$/#) != nil)
        #expect(WebAssets.script.path.firstMatch(of: #/^\/assets\/[0-9a-f]{8}\.js$/#) != nil)
    }

    @Test func `assets are served without their comments`() {
        let comment = #/^ *(\/\/|\/\*)/#.anchorsMatchLineEndings()
        for asset in [WebAssets.styleSheet, .script, .passkeyScript] {
            #expect(!String(decoding: asset.bytes, as: UTF8.self).contains(comment))
        }
    }

    // MARK: Colours

    /// WCAG 2.2, 1.4.3 and 1.4.11.
    @Test(arguments: ["light", "dark"])
    func `text and borders have enough contrast with their background`(theme: String) throws {
        let css = String(decoding: WebAssets.styleSheet.bytes, as: UTF8.self)
        let dark = try #require(css.firstRange(of: "prefers-color-scheme: dark"))
        var colors = Self.properties(css[..<dark.lowerBound])
        if theme == "dark" { colors.merge(Self.properties(css[dark.upperBound...])) { $1 } }
        func contrast(_ one: String, _ other: String) throws -> Double {
            let pair = try [one, other].map { Self.luminance(try #require(colors[$0])) }.sorted()
            return (pair[1] + 0.05) / (pair[0] + 0.05)
        }
        for (text, behind) in [
            ("text", "surface"), ("text", "background"), ("muted", "surface"), ("muted", "background"),
            ("accent", "surface"),
            ("danger", "surface"), ("success", "surface"), ("on-accent", "accent"), ("on-accent", "danger"),
        ] {
            #expect(try contrast(text, behind) >= 4.5, "\(text) on \(behind)")
        }
        #expect(try contrast("border", "surface") >= 3)
        #expect(try contrast("accent", "background") >= 3, "the focus ring")
    }

    private static func properties(_ css: Substring) -> [String: String] {
        Dictionary(css.matches(of: #/--([a-z-]+): #([0-9a-f]{6});/#).map { (String($0.1), String($0.2)) }) { first, _ in
            first
        }
    }

    private static func luminance(_ hexadecimal: String) -> Double {
        let number = Int(hexadecimal, radix: 16) ?? 0
        let parts = [number >> 16, number >> 8 & 255, number & 255].map { part -> Double in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
