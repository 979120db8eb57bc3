package import LatchkeyForms
import LatchkeySecrets

/// The properties that all pages of a service have in common.
package struct WebSite: Sendable {
    /// The name of the service.
    package var name: String
    /// The sentences in the user's language.
    package var messages: MessageTable
    /// The operator's customizations of the pages.
    package var theme = WebTheme()
    /// The page to return to after a login, passed on by links and forms; nil for the default. The caller must validate
    /// it.
    package var returnTo: String?
    /// The name of the application or site to which the login returns; nil for none.
    package var application: String?
    /// The token of the invitation with which the sign-up page was opened; nil if there was none.
    package var invitation: String?
    /// Whether browsers can use passkeys with the service.
    package var offersPasskeys = false
    /// Whether a user is logged in and can log out.
    package var isSignedIn = false
    /// Whether the session may only change the password, so that no other page of the account opens.
    package var mustChangePassword = false
    /// The login name of the logged-in account, for password managers; nil if no user is logged in.
    package var accountName: String?
    /// Whether the logged-in user is an administrator, who finds the administration in the bar.
    package var isAdministrator = false
    /// Whether the logged-in user has a second factor, and may have a shorter password.
    package var hasFactor = false
    /// The part of the administration that a page belongs to; nil for other pages.
    package var tab: AdminPage.Tab?
    /// Whether a person who uses the page accepts the terms of the theme.
    var asksForTerms = false
    /// The page to which a page of the account leads back; nil for the account.
    package var back: (text: String, path: String)?

    /// Creates the shared properties of pages.
    package init(name: String, messages: MessageTable) {
        self.name = name
        self.messages = messages.completed(by: .web)
    }

    /// The path of a flow's page, including the page to return to and, for a sign-up, the invitation.
    func link(to type: AccountType) -> String {
        let parameters = [("invitation", type == .setup ? invitation : nil), ("return", returnTo)]
        let query = parameters.compactMap { name, value in
            value.map { name + "=" + PercentEncoding.encoded($0, allowing: "/:") }
        }
        return type.traits.page + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The page of a login with another account than that of the session.
    ///
    /// - Parameter login: the path of the login page, with or without a query.
    package static func otherAccount(at login: String) -> String {
        login + (login.contains("?") ? "&" : "?") + otherAccount.name + "=" + otherAccount.value
    }

    /// The parameter of ``otherAccount(at:)``.
    package static let otherAccount = (name: "account", value: "other")

    func sentence(_ code: String, _ values: [String: RuleFailure.Value] = [:]) -> String {
        messages.sentence("web." + code, values)
    }

    /// The width of a page.
    enum Layout {
        /// One form or message.
        case card
        /// A form or message of a logged-in person.
        case medium
        /// Sections below each other.
        case page

        fileprivate var name: String? {
            switch self {
            case .card: nil
            case .medium: "medium"
            case .page: "page"
            }
        }
    }

    /// A complete page: a heading with the content below it.
    ///
    /// - Parameters:
    ///   - layout: the width; nil for the usual one.
    ///   - sign: the sign above the heading; nil for none.
    ///   - hasBackLink: whether a link to the account precedes the heading.
    ///   - next: the address to which the browser goes by itself; nil if it stays.
    ///   - heading: adds another heading than the title.
    func page(
        _ title: String, _ layout: Layout? = nil, sign: Sign? = nil, refreshingTo next: String? = nil,
        hasBackLink: Bool = false, heading: ((inout HTML) -> Void)? = nil, _ content: (inout HTML) -> Void
    ) -> String {
        HTML.page(language: messages.language) { html in
            html.element("head") { html in
                html.open("meta", [.with("charset", "utf-8")])
                html.open("meta", [.with("name", "viewport"), .with("content", "width=device-width,initial-scale=1")])
                html.open("meta", [.with("name", "color-scheme"), .with("content", "light dark")])
                for (scheme, color) in WebAssets.backgrounds where theme.styleSheet == nil {
                    html.open(
                        "meta",
                        [
                            .with("name", "theme-color"), .with("content", color),
                            .with("media", "(prefers-color-scheme: \(scheme))"),
                        ])
                }
                if let next {
                    html.open("meta", [.with("http-equiv", "refresh"), .with("content", "0;url=" + next)])
                }
                html.element("title", title + " · " + name)
                html.open("link", [.with("rel", "stylesheet"), .with("href", WebAssets.styleSheet.path)])
                if let styleSheet = theme.styleSheet {
                    html.open("link", [.with("rel", "stylesheet"), .with("href", styleSheet.path)])
                }
                html.open("link", [.with("rel", "icon"), .with("href", (theme.logo ?? .icon).path)])
                html.element("script", [.with("src", WebAssets.script.path), .flag("defer")])
            }
            html.element("body") { html in
                let layout = layout ?? (isSignedIn ? .medium : .card)
                addHeader(withBar: isSignedIn && layout != .card, to: &html)
                html.element("main", [.with("id", "main"), .with("class", layout.name)]) { html in
                    if hasBackLink { addBackLink(to: &html) }
                    if let sign { html.sign(sign) }
                    if let heading { heading(&html) } else { html.element("h1", title) }
                    content(&html)
                }
                addFooter(to: &html)
            }
        }
    }

    /// The name of the service on every page; next to it, a logged-in user finds the account and the logout.
    private func addHeader(withBar hasBar: Bool, to html: inout HTML) {
        if hasBar {
            html.element("a", [.with("class", "away"), .with("href", "#main")], sentence("skip"))
        }
        html.element("header", [.with("class", hasBar ? "bar" : nil)]) { html in
            html.element("a", [.with("class", "brand"), .with("href", "/")]) { html in
                if let logo = theme.logo {
                    // There is no alternative text, because the name is next to the logo.
                    html.open("img", [.with("src", logo.path), .with("alt", "")])
                } else {
                    html.mark()
                }
                html.element("bdi", name)
            }
            guard hasBar else { return }
            html.element("div", [.with("class", "who")]) { html in
                if isAdministrator, tab == nil {
                    html.element("a", [.with("href", AdminPage.root)], sentence("administration"))
                }
                if let accountName {
                    html.element("a", [.with("href", "/account")]) { html in html.element("bdi", accountName) }
                }
                html.element("form", [.with("method", "post"), .with("action", "/logout")]) { html in
                    html.element("button", [.with("class", "link")], sentence("log_out"))
                }
            }
            if let tab { addTabs(tab, to: &html) }
        }
    }

    /// The lines of the theme; on the page for sign-up, the terms come first.
    private func addFooter(to html: inout HTML) {
        let terms = asksForTerms ? theme.terms : nil
        guard terms != nil || !theme.footer.isEmpty else { return }
        html.element("footer") { html in
            if let terms {
                html.element("p") { html in
                    let sentence = sentence("terms", ["terms": .text(HTML.place)])
                    html.insert(in: sentence) { html in
                        html.element("a", [.with("href", terms)], self.sentence("terms_link"))
                    }
                }
            }
            for line in theme.footer { html.add(line) }
        }
    }

    private func addTabs(_ current: AdminPage.Tab, to html: inout HTML) {
        html.element("nav", [.with("class", "tabs"), .with("aria-label", sentence("administration"))]) { html in
            for tab in AdminPage.Tab.allCases {
                html.element(
                    "a", [.with("href", tab.path), .with("aria-current", tab == current ? "page" : nil)],
                    tab.title(on: self))
            }
        }
    }

    /// Adds the link from a page of the account to the account.
    private func addBackLink(to html: inout HTML) {
        html.element(
            "a", [.with("class", "back"), .with("href", back?.path ?? "/account"), .with("dir", "auto")],
            back?.text ?? sentence("back"))
    }

    /// Adds links at the end of a card, on one line if they fit.
    func addLinks(_ links: [(text: String, path: String)], to html: inout HTML) {
        guard !links.isEmpty else { return }
        html.element("nav", [.with("class", "more"), .with("aria-label", sentence("links"))]) { html in
            for link in links { html.element("a", [.with("href", link.path)], link.text) }
        }
    }
}
