/// A form whose button requests a passkey from the browser. The script shows it if the browser supports passkeys.
package enum PasskeyForm: Sendable {
    /// Log in without a name or a password.
    case login
    /// Complete a login after the password.
    case secondFactor
    /// Add a passkey to the account.
    case creation

    /// The path to which the form posts.
    package var path: String {
        switch self {
        case .login: "/login/passkey"
        case .secondFactor: "/login/code/passkey"
        case .creation: "/account/passkeys"
        }
    }

    /// The path from which the script gets the options for the browser.
    package var optionsPath: String { path + "/options" }

    private func label(on site: WebSite) -> String {
        switch self {
        case .login: site.sentence("passkey_login")
        case .secondFactor: site.sentence("passkey_use")
        case .creation: site.sentence("passkey_add")
        }
    }

    private var buttonClass: String? {
        switch self {
        case .login: "quiet"
        case .secondFactor: nil
        case .creation: "quiet small"
        }
    }

    /// Adds the form and its script.
    func add(to html: inout HTML, on site: WebSite) {
        html.element("script", [.with("src", WebAssets.passkeyScript.path), .flag("defer")])
        html.element(
            "form",
            [
                .with("class", "passkey"), .with("method", "post"), .with("action", path),
                .with("data-passkey", self == .creation ? "create" : "get"), .with("data-options", optionsPath),
                .with("data-known", self == .creation ? site.sentence("passkey_known") : nil),
                .flag("data-suggest", self == .login), .flag("hidden"),
            ]
        ) { html in
            html.open("input", [.with("type", "hidden"), .with("name", "credential")])
            if let returnTo = site.returnTo {
                html.open(
                    "input", [.with("type", "hidden"), .with("name", "return"), .with("value", returnTo)])
            }
            if self == .login { html.element("p", [.with("class", "or")], site.sentence("or")) }
            html.element("button", [.with("class", buttonClass)]) { html in
                html.icon(.key)
                html.text(label(on: site))
            }
            html.element(
                "p", [.with("class", "error"), .with("role", "alert"), .flag("hidden")], site.sentence("passkey_failed")
            )
            // The passkey is the best factor, so its button comes first.
            if self == .secondFactor { html.element("p", [.with("class", "or")], site.sentence("or")) }
        }
    }
}
