import LatchkeyForms

/// A page that only says something.
package struct NoticePage: Sendable {
    private let title: String
    private let sentences: [String]
    private let links: [(text: String, path: String)]
    private let site: WebSite

    /// - Parameter links: where to go from here.
    package init(
        _ title: String, _ sentences: [String] = [], links: [(text: String, path: String)] = [], on site: WebSite
    ) {
        self.title = title
        self.sentences = sentences
        self.links = links
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(title) { html in
            for sentence in sentences { html.element("p", sentence) }
            site.addLinks(links, to: &html)
        }
    }
}

/// The page of the signed-in account: what it has, its active sessions, and the ways to change it.
package struct AccountPage: Sendable {
    /// An active session, as people read it.
    package struct Session: Sendable {
        let id: String
        let device: String
        let lastUsed: String
        let isCurrent: Bool

        /// - Parameter id: names the session when it is ended.
        package init(id: String, device: String, lastUsed: String, isCurrent: Bool) {
            self.id = id
            self.device = device
            self.lastUsed = lastUsed
            self.isCurrent = isCurrent
        }
    }

    private let name: String
    private let values: [(label: String, value: String)]
    private let sessions: [Session]
    private let notice: String?
    private let site: WebSite

    /// - Parameters:
    ///   - values: what the account has, with labels.
    ///   - notice: what has just happened; nil for nothing.
    package init(
        of name: String, values: [(label: String, value: String)], sessions: [Session], notice: String? = nil,
        on site: WebSite
    ) {
        self.name = name
        self.values = values
        self.sessions = sessions
        self.notice = notice
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(site.sentence("account")) { html in
            if let notice { html.element("p", [.with("class", "notice"), .with("role", "status")], notice) }
            html.element("dl") { html in
                for (label, value) in values {
                    html.element("dt", label)
                    html.element("dd", value)
                }
            }
            site.addLinks(
                [
                    (site.sentence("edit_profile"), WebSite.path(of: .profile)),
                    (site.sentence("change_password"), WebSite.path(of: .changePassword)),
                ], to: &html)
            addSessions(to: &html)
            html.element("h2", site.sentence("delete_account"))
            html.element("p", site.sentence("delete_explained"))
            html.element(
                "a", [.with("class", "button quiet danger"), .with("href", WebSite.path(of: .deleteAccount))],
                site.sentence("delete_account"))
        }
    }

    private func addSessions(to html: inout HTML) {
        html.element("h2", site.sentence("sessions"))
        html.element("ul", [.with("class", "sessions")]) { html in
            for session in sessions {
                html.element("li") { html in
                    html.element("p") { html in
                        html.element("strong", session.device)
                        html.element(
                            "span", [.with("class", "help")],
                            session.isCurrent
                                ? site.sentence("this_session")
                                : site.sentence("used", ["time": .text(session.lastUsed)]))
                    }
                    if !session.isCurrent {
                        addButton(
                            site.sentence("end"), ending: session.id,
                            described: site.sentence("end_of", ["device": .text(session.device)]), to: &html)
                    }
                }
            }
        }
        if sessions.count > 1 { addButton(site.sentence("end_others"), ending: "others", described: nil, to: &html) }
    }

    private func addButton(_ label: String, ending id: String, described: String?, to html: inout HTML) {
        html.element("form", [.with("method", "post"), .with("action", "/account/sessions")]) { html in
            html.element(
                "button",
                [.with("class", "quiet"), .with("name", "end"), .with("value", id), .with("aria-label", described)],
                label)
        }
    }
}
