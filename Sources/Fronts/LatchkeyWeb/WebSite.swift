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
    /// The token of the invitation with which the sign-up page was opened; nil if there was none.
    package var invitation: String?
    /// Whether browsers can use passkeys with the service.
    package var offersPasskeys = false
    /// Whether a user is signed in and can log out.
    package var isSignedIn = false
    /// The login name of the signed-in account, for password managers; nil if no user is signed in.
    package var accountName: String?

    /// Creates the shared properties of pages.
    package init(name: String, messages: MessageTable) {
        self.name = name
        self.messages = messages.completed(by: .web)
    }

    /// The path of a flow's page, including the page to return to.
    func link(to type: AccountType) -> String { type.traits.page + returnQuery }

    private var returnQuery: String { returnTo.map { "?return=" + PercentEncoding.encoded($0, allowing: "/:") } ?? "" }

    func sentence(_ code: String, _ values: [String: RuleFailure.Value] = [:]) -> String {
        messages.sentence("web." + code, values)
    }

    /// A complete page: a heading with the content below it.
    ///
    /// - Parameter next: the address to which the browser goes by itself; nil if it stays.
    func page(_ title: String, refreshingTo next: String? = nil, _ content: (inout HTML) -> Void) -> String {
        HTML.page(language: messages.language.rawValue) { html in
            html.element("head") { html in
                html.open("meta", [.with("charset", "utf-8")])
                html.open("meta", [.with("name", "viewport"), .with("content", "width=device-width,initial-scale=1")])
                html.open("meta", [.with("name", "color-scheme"), .with("content", "light dark")])
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
                if let logo = theme.logo {
                    html.element("header") { html in
                        // There is no alternative text, because the name is next to the logo.
                        html.open("img", [.with("src", logo.path), .with("alt", "")])
                        html.text(name)
                    }
                }
                html.element("main") { html in
                    html.element("h1", title)
                    content(&html)
                }
                if !theme.footer.isEmpty {
                    html.element("footer") { html in for line in theme.footer { html.element("p", line) } }
                }
            }
        }
    }

    /// Adds links, on one line if they fit.
    func addLinks(_ links: [(text: String, path: String)], to html: inout HTML) {
        guard !links.isEmpty || isSignedIn else { return }
        html.element("nav", [.with("aria-label", sentence("links"))]) { html in
            for link in links { html.element("a", [.with("href", link.path)], link.text) }
            if isSignedIn {
                html.element("form", [.with("method", "post"), .with("action", "/logout")]) { html in
                    html.element("button", [.with("class", "link")], sentence("log_out"))
                }
            }
        }
    }
}
