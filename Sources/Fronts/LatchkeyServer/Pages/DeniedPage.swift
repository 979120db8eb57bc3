import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyWeb

/// `/denied?group=admins`: explains to a person why `/verify?group=admins` refused a site. Proxies send browsers here.
enum DeniedPage {
    static var route: Route {
        .page("GET", "/denied", .open(host: .known)) { page, _ in await page.denied() }
    }

    /// The maximum number of groups that the page names.
    fileprivate static let maximumGroups = 8
}

extension PageRequest {
    /// The page names only groups from the query that are valid names, because anyone can write the query. It does not
    /// reveal whether they exist.
    fileprivate func denied() async -> HTTPResponse {
        let names = request.http.target.query.filter { $0.name == "group" }.compactMap { GroupName($0.value) }
            .canonical.prefix(DeniedPage.maximumGroups)
        let groups: [String: RuleFailure.Value] = ["groups": .text(names.map(\.text).joined(separator: ", "))]
        let title = request.messages.sentence(names.isEmpty ? "page.denied" : "page.denied_group", groups)
        let login = path(of: .login, returningTo: nil)
        let page: NoticePage
        let site = await accountSite()
        if let name = site.accountName {
            let account: [String: RuleFailure.Value] = ["account": .text(name)]
            page = NoticePage(
                title, [request.messages.sentence("page.denied_account", account)], sign: .lock,
                action: (request.messages.sentence("page.other_account"), WebSite.otherAccount(at: login)),
                links: [(request.messages.sentence("page.your_account"), "/account")], on: site)
        } else {
            page = NoticePage(
                title, [request.messages.sentence("page.denied_what")], sign: .lock,
                action: (request.messages.sentence("page.denied_login"), login), on: site)
        }
        return html(page.html, status: 403)
    }
}
