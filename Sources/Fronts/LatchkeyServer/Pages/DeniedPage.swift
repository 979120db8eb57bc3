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
        let code = names.isEmpty ? "page.denied_what" : names.count == 1 ? "page.denied_group" : "page.denied_groups"
        let list = names.map(\.text).joined(separator: ", ")
        var lines = [request.messages.sentence(code, ["group": .text(list)])]
        var links = [(request.messages.sentence("page.start"), "/")]
        if let token = request.cookieToken, let live = try? await request.service.session(for: token) {
            lines.append(request.messages.sentence("page.denied_account", ["username": .text(live.account.name)]))
        } else {
            links = [(request.messages.sentence("page.denied_other"), path(of: .login, returningTo: nil))]
        }
        let page = NoticePage(
            request.messages.sentence("page.denied"), lines, sign: .lock, links: links,
            on: webSite(isSignedIn: request.cookieToken != nil))
        return html(page.html, status: 403)
    }
}
