package import LatchkeyForms

/// What all pages of a service have in common.
package struct WebSite: Sendable {
    /// The name of the service.
    package var name: String
    /// The sentences, in the language of the reader.
    package var messages: MessageTable
    /// The path of the operator's style sheet, which comes after ours; nil for none.
    package var theme: String?
    /// The path of the operator's logo; nil for none.
    package var logo: String?
    /// A text at the end of each page; nil for none.
    package var footer: String?
    /// Where to go after a login, carried along by links and forms; nil for nowhere in particular. Checked by the caller.
    package var returnTo: String?
    /// Whether someone is signed in, and so can log out.
    package var isSignedIn = false

    /// Creates what pages have in common.
    package init(name: String, messages: MessageTable) {
        self.name = name
        self.messages = messages.completed(by: .web)
    }

    /// The path of a flow's page.
    package static func path(of type: AccountType) -> String {
        switch type {
        case .login: "/login"
        case .setup: "/setup"
        case .forgotPassword: "/forgot-password"
        case .resetPassword: "/reset-password"
        case .changePassword: "/account/password"
        case .profile: "/account/profile"
        case .deleteAccount: "/account/delete"
        case .reauthenticate: "/account/confirm"
        }
    }

    /// The path of a flow's page, with where to go afterwards.
    func link(to type: AccountType) -> String { Self.path(of: type) + returnQuery }

    private var returnQuery: String { returnTo.map { "?return=" + Self.encoded($0) } ?? "" }

    /// The unreserved characters and `/` stay (RFC 3986, section 3.4).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                String(UnicodeScalar(byte))
            default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }.joined()
    }

    func sentence(_ code: String, _ values: [String: RuleFailure.Value] = [:]) -> String {
        messages.sentence("web." + code, values)
    }

    /// A whole page: a heading and what follows it.
    func page(_ title: String, _ content: (inout HTML) -> Void) -> String {
        HTML.page(language: messages.language.rawValue) { html in
            html.element("head") { html in
                html.open("meta", [.with("charset", "utf-8")])
                html.open("meta", [.with("name", "viewport"), .with("content", "width=device-width,initial-scale=1")])
                html.open("meta", [.with("name", "color-scheme"), .with("content", "light dark")])
                html.element("title", title + " · " + name)
                html.open("link", [.with("rel", "stylesheet"), .with("href", WebAssets.styleSheet.path)])
                if let theme { html.open("link", [.with("rel", "stylesheet"), .with("href", theme)]) }
                html.element("script", [.with("src", WebAssets.script.path), .flag("defer")])
            }
            html.element("body") { html in
                html.element("main") { html in
                    if let logo { html.open("img", [.with("class", "logo"), .with("src", logo), .with("alt", name)]) }
                    html.element("h1", title)
                    content(&html)
                }
                if let footer { html.element("footer", footer) }
            }
        }
    }

    /// Adds links, in one line where there is room.
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
