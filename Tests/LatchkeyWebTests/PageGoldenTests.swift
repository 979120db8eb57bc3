import Foundation
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyWeb

/// The markup of each page, one element per line, so that changes can be reviewed like code.
@Suite(.timeLimit(.minutes(60)))
struct PageGoldenTests {
    private static func site(_ messages: MessageTable) -> WebSite {
        WebSite(name: "Example", messages: messages)
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

    @Test(arguments: [(MessageTable.english, "setup-refused"), (.portuguese, "setup-refused-pt")])
    func `a refused form matches its golden file`(messages: MessageTable, name: String) throws {
        let form = try FormCatalogue(messages: messages).form(for: .setup)
        let model = FormViewModel(form: form, messages: messages)
        model.set(.text("ada@localhost"), for: .email)
        model.set(.text("ada"), for: .username)
        model.set(.text("short"), for: .password)
        model.validateForm()
        try Self.expect(FormPage(form, model.state, on: Self.site(messages)).html, name)
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
        let section = PageSection(
            "passkeys", "Chaves de acesso", help: "Sem palavra-passe.",
            rows: [
                PageRow(
                    "Safari on <iOS>", icon: .key, ["Usada agora"],
                    action: .link("Remover", "/account/factors/remove?passkey=11111111", describedAs: "Remover Safari"))
            ], addsPasskey: true)
        let page = AccountPage(nil, [.section(section)], on: site)
        try Self.expect(page.html, "account-passkeys-pt")
    }

    @Test func `the account page and a notice match their golden files`() throws {
        var site = Self.site(.english)
        let notice = NoticePage(
            "Page not found", ["There is nothing at this address."], links: [("Go to the start page", "/")], on: site)
        try Self.expect(notice.html, "notice")
        site.isSignedIn = true
        site.accountName = "ada"
        (site.returnTo, site.application) = ("https://notes.example.org/", "Notes")
        let page = AccountPage(
            nil,
            [
                .notice("Saved"),
                .section(
                    PageSection(
                        "profile", "Profile",
                        facts: [PageFact("E-mail", "ada@example.org", badge: PageBadge("Confirmed", .good))],
                        actions: [.link("Edit profile", "/account/profile")])),
                .section(
                    PageSection(
                        "sessions", "Sessions",
                        rows: [
                            PageRow(
                                "Firefox on Linux", icon: .screen, badge: PageBadge("This session", .good),
                                ["192.0.2.1"]),
                            PageRow(
                                "Safari on iOS", icon: .screen, ["192.0.2.2 · Used 2 hours ago"],
                                action: .button("End", "/account/sessions", doing: "22222222", named: "end")),
                        ])),
            ], on: site)
        try Self.expect(page.html, "account")
    }

    @Test func `the page after a message was requested matches its golden file`() throws {
        for (isSignUp, name) in [(true, "check-email"), (false, "check-email-recovery")] {
            let page = CheckEmailPage(
                to: "ada@example.org", isSignUp: isSignUp, worksFor: "10 minutes", again: .email,
                on: Self.site(.english))
            try Self.expect(page.html, name)
        }
    }

    @Test func `the steps of an authenticator app match their golden file`() throws {
        let form = try FormCatalogue().form(for: .addFactor)
        var site = Self.site(.english)
        (site.isSignedIn, site.accountName) = (true, "ada")
        let uri = "otpauth://totp/Example:ada?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        let page = FormPage(
            form, FormViewModel(form: form).state, on: site,
            authenticator: (Secret(copying: uri.utf8Span.span), Secret(copying: "JBSW Y3DP".utf8Span.span)))
        try Self.expect(page.html, "authenticator")
    }

    @Test func `saved codes and an address that waits match their golden files`() throws {
        var site = Self.site(.english)
        (site.isSignedIn, site.accountName) = (true, "ada")
        let codes = ["9b5s-eh64-42ek", "zbvt-39jk-dat7"].map { Secret(copying: $0.utf8Span.span) }
        try Self.expect(SavedCodesPage(codes, next: "/account", on: site).html, "saved-codes")
        let form = try FormCatalogue().form(for: .profile)
        let page = FormPage(
            form, FormViewModel(form: form).state, on: site,
            waiting: FormPage.WaitingAddress("new@example.org", insteadOf: "ada@example.org"))
        try Self.expect(page.html, "profile-waiting")
    }

    @Test func `a page and a question for administrators match their golden files`() throws {
        var site = Self.site(.english)
        (site.isSignedIn, site.accountName, site.isAdministrator) = (true, "olga", true)
        let table = PageTable(
            "People", [.init("Name", .title), .init("Last login", .keep, isLabelled: true), .init("State", .side)],
            rows: [
                [
                    TableCell("ada", at: "/admin/people/1", note: "Ada <b>"), TableCell("never"),
                    TableCell(badges: [PageBadge("Locked", .bad)]),
                ]
            ])
        let page = AdminPage(
            .people, "People", badges: [PageBadge("2")], subtitle: "All of them", back: .link("Overview", "/admin"),
            actions: [.link("Invite", "/admin/invite"), .link("Download", "/admin/x", isQuiet: true)],
            [
                .notice("Saved"), .alert("Refused", ["Why"]), .text("Text"),
                .figures([("People", "/admin/people", "7", "6 active")]),
                .chart(
                    PageChart(
                        "logins", "Logins", help: "Two days.", describedAs: "1 to 9 worked.",
                        [.init(good: 9, bad: 2), .init(good: 1, bad: 0)], from: "2026-11-25", to: "2026-11-26")),
                .form(
                    InlineForm(
                        "/admin/people", isSearch: true, [PageField("q", "Name", value: "a", type: "search")],
                        hidden: [("show", "all")], submit: "Search")),
                .filters([("All", "/admin/people", true), ("Locked", "/admin/people?show=locked", false)]),
                .table(table),
                .empty("Nobody", "No account.", nil),
                .section(
                    PageSection(
                        "groups", "Groups", help: "Help", link: .link("All", "/admin/groups"),
                        facts: [PageFact("Issuer", "https://id.example.org", isCopied: true)],
                        rows: [PageRow("staff")],
                        form: InlineForm(
                            "/admin/people/1", [PageField("join", "Group", options: ["staff"])], submit: "Add"))),
                .section(
                    PageSection(
                        "members", "Members", rows: [PageRow("ada")],
                        form: InlineForm(
                            "/admin/groups/staff", [PageField("join", "Name", value: "x", failure: "No account x")],
                            submit: "Add"), hasFormFirst: true)),
                .pages("All 1", .link("Next", "/admin/people?after=ada")),
                .secret(title: "Created", help: "Copy it.", label: "Link", Secret(copying: "lko_x".utf8Span.span)),
            ])
        try Self.expect(page.html(on: site), "admin")
        let question = AdminQuestion(
            .people, "Delete ada?", ["This removes it."], typed: ("Type ada", "Type ada"),
            back: "ada", keep: .link("Keep the account", "/admin/people/1"),
            confirm: .button("Delete permanently", "/admin/people/1/delete", doing: "delete"))
        try Self.expect(question.html(on: site), "admin-question")
    }

    @Test func `the pages of applications match their golden files`() throws {
        let site = Self.site(.english)
        let facts = [(title: "E-mail", value: "ada@example.org"), (title: "Groups", value: "staff")]
        for (host, name) in [("wiki.example.org", "consent"), (nil, "consent-program")] {
            let page = ConsentPage(
                ConsentPage.Application(name: "Wiki", host: host), of: "ada",
                at: host == nil ? nil : "ada@example.org", switchingAt: "/login?account=other", learning: facts,
                request: "lkq_x", on: site)
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
