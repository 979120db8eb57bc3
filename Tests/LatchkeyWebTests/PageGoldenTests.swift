import Foundation
import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyWeb

/// The markup of each page, one element per line, so that changes can be reviewed like code.
@Suite(.timeLimit(.minutes(60)))
struct PageGoldenTests {
    private static func site(_ language: Language) -> WebSite {
        WebSite(name: "Example", messages: language.messages)
    }

    private static func expect(_ html: String, _ name: String) throws {
        // The real paths change whenever the assets do.
        let stable = html.replacing(#/\/assets\/[0-9a-f]{8}\./#, with: "/assets/00000000.")
        try Golden.expect(stable.replacing("><", with: ">\n<") + "\n", "pages/\(name).html")
    }

    @Test(arguments: AccountType.allCases)
    func `each empty form matches its golden file`(type: AccountType) throws {
        let form = try FormCatalogue().form(for: type)
        var site = Self.site(.english)
        site.isSignedIn = type.traits.token.isOfSession
        site.accountName = type.traits.token.isOfSession ? "ada" : nil
        try Self.expect(FormPage(form, FormViewModel(form: form).state, on: site).html, type.rawValue)
    }

    @Test(arguments: [(Language.english, "setup-refused"), (.portuguese, "setup-refused-pt")])
    func `a refused form matches its golden file`(language: Language, name: String) throws {
        let form = try FormCatalogue(messages: language.messages).form(for: .setup)
        let model = FormViewModel(form: form, messages: language.messages)
        model.set(.text("ada@localhost"), for: .email)
        model.set(.text("ada"), for: .username)
        model.set(.text("short"), for: .password)
        model.validateForm()
        try Self.expect(FormPage(form, model.state, on: Self.site(language)).html, name)
    }

    @Test func `a throttled form matches its golden file`() throws {
        let form = try FormCatalogue().form(for: .login)
        let model = FormViewModel(form: form)
        model.callBegan()
        model.callEnded(
            AlertViewModel(title: "Too many attempts. Try again in 27 s", retryAfter: .milliseconds(26_500)))
        try Self.expect(FormPage(form, model.state, on: Self.site(.english)).html, "login-throttled")
    }

    @Test func `a form with fields of every kind matches its golden file`() throws {
        let form = try Fixture.form("../../Forms/registration.json")
        try Self.expect(FormPage(form, FormViewModel(form: form).state, on: Self.site(.english)).html, "registration")
    }

    @Test(arguments: [AccountType.login, .secondFactor])
    func `a form with a passkey alternative matches its golden file`(type: AccountType) throws {
        let form = try FormCatalogue().form(for: type)
        var site = Self.site(.english)
        site.offersPasskeys = true
        site.returnTo = "/notes"
        try Self.expect(FormPage(form, FormViewModel(form: form).state, on: site).html, type.rawValue + "-passkey")
    }

    @Test func `an account with passkeys matches its golden file in Portuguese`() throws {
        var site = Self.site(.portuguese)
        site.isSignedIn = true
        site.offersPasskeys = true
        let passkeys = [
            AccountPage.Passkey(id: "11111111", name: "Safari on <iOS>", lastUsed: "agora"),
            .init(id: "22222222", name: "Chrome on Linux", lastUsed: "há 2 horas"),
        ]
        let page = AccountPage(
            of: "ada", values: [], passkeys: passkeys, savedCodes: "Restam-lhe 9 códigos guardados", sessions: [],
            on: site)
        try Self.expect(page.html, "account-passkeys-pt")
    }

    @Test func `the account page and a notice match their golden files`() throws {
        var site = Self.site(.english)
        let notice = NoticePage(
            "Page not found", ["There is nothing at this address"], links: [("Go to the start page", "/")], on: site)
        try Self.expect(notice.html, "notice")
        site.isSignedIn = true
        let page = AccountPage(
            of: "ada", values: [("Email", "ada@example.org"), ("Username", "ada")],
            sessions: [
                .init(id: "11111111", device: "Firefox on Linux, 192.0.2.1", lastUsed: "now", isCurrent: true),
                .init(id: "22222222", device: "Safari on iOS, 192.0.2.2", lastUsed: "2 hours ago", isCurrent: false),
            ], notice: "Saved", on: site)
        try Self.expect(page.html, "account")
    }

    @Test func `the pages of applications match their golden files`() throws {
        let site = Self.site(.english)
        let facts = [(title: "E-mail", value: "ada@example.org"), (title: "Groups", value: "staff")]
        for (host, name) in [("wiki.example.org", "consent"), (nil, "consent-program")] {
            let page = ConsentPage(
                ConsentPage.Application(name: "Wiki", host: host), of: "ada", switchingAt: "/login?account=other",
                learning: facts, request: "lkq_x", on: site)
            try Self.expect(page.html, name)
        }
        for (problem, name) in [(nil, "device"), ("No device waits with this code", "device-wrong")] {
            let page = DeviceCodePage(
                code: problem == nil ? nil : "WDJB-MJHT", problem: problem, of: "ada",
                switchingAt: "/login?account=other", on: site)
            try Self.expect(page.html, name)
        }
        let confirm = DeviceConfirmPage(
            "Television", code: "WDJB-MJHT", began: "just now", from: "192.0.2.7", of: "ada", learning: facts, on: site)
        try Self.expect(confirm.html, "device-confirm")
        let address = "https://wiki.example.org/cb?code=lkc_x&state=s"
        try Self.expect(ContinuePage(to: "Wiki", at: address, on: site).html, "continue")
        let values = [(name: "code", value: "lkc_x"), (name: "state", value: "\"<s>")]
        try Self.expect(
            FormPostPage(to: "Wiki", at: "https://wiki.example.org/cb", posting: values, on: site).html, "form-post")
        let denied = NoticePage(
            "Wiki is only for members of staff", ["You are logged in as ada, which is not a member."], sign: .lock,
            action: ("Use another account", "/login?account=other"), links: [("Your account", "/account")], on: site)
        try Self.expect(denied.html, "denied")
        let out = NoticePage(
            "You are logged out", sign: .check, action: ("Log in again", "/login"),
            links: [("Back to Wiki", "https://wiki.example.org/")], on: site)
        try Self.expect(out.html, "logged-out")
    }
}
