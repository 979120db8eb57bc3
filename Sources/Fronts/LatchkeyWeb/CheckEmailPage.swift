package import LatchkeyForms

/// The page after a message with a link was requested. It is the same for every address, so that it does not reveal
/// whether there is an account.
package struct CheckEmailPage: Sendable {
    private let address: String
    private let isSignUp: Bool
    private let isAgain: Bool
    private let lifetime: String
    /// The field of the form for a forgotten password that takes the address.
    private let field: FieldKey
    private let site: WebSite

    /// The name of the field that says that the message belongs to a sign-up.
    package static let signUpField = "sign_up"

    /// The name of the field that says that the person asks for another message.
    package static let againField = "again"

    /// The wait before the script lets people ask for another message, in seconds.
    private static let wait = 60

    /// - Parameters:
    ///   - address: the address, or the name, as it was typed.
    ///   - isSignUp: whether the message completes a sign-up.
    ///   - isAgain: whether the person has asked for another message.
    ///   - lifetime: how long the link works, in words.
    ///   - field: the field of the form for a forgotten password, which requests another message.
    package init(
        to address: String, isSignUp: Bool, isAgain: Bool = false, worksFor lifetime: String, again field: FieldKey,
        on site: WebSite
    ) {
        self.address = address
        self.isAgain = isAgain
        self.isSignUp = isSignUp
        self.lifetime = lifetime
        self.field = field
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(site.sentence("check_email"), sign: .icon(.mail)) { html in
            if isAgain {
                html.element("p", [.with("class", "notice"), .with("role", "status")], site.sentence("sent_again"))
            }
            html.element("p") { html in
                let place: [String: RuleFailure.Value] = ["email": .text(HTML.place)]
                html.emphasize(
                    address,
                    in: isSignUp
                        ? site.sentence("check_email_sign_up", place) : site.sentence("check_email_recovery", place))
            }
            html.element(
                "p", [.with("class", "help")], site.sentence("check_email_help", ["time": .text(lifetime)]))
            addAgain(to: &html)
            html.element("details") { html in
                html.element("summary", site.sentence("check_email_code"))
                addCode(to: &html)
            }
            site.addLinks(
                [
                    (
                        site.sentence("check_email_wrong"),
                        site.link(to: isSignUp ? .setup : .forgotPassword)
                    ), (site.sentence("back_to_login"), site.link(to: .login)),
                ], to: &html)
        }
    }

    private func addAgain(to html: inout HTML) {
        html.element(
            "form", [.with("method", "post"), .with("action", AccountType.forgotPassword.traits.page)]
        ) { html in
            let hidden = [
                (field.rawValue, address), (Self.signUpField, isSignUp ? "1" : nil), (Self.againField, "1"),
                ("return", site.returnTo), ("invitation", site.invitation),
            ]
            for (name, value) in hidden {
                guard let value else { continue }
                html.open("input", [.with("type", "hidden"), .with("name", name), .with("value", value)])
            }
            html.element(
                "button",
                [
                    .with("class", "quiet"), .with("data-after", String(Self.wait)),
                    .with("data-wait", site.sentence("send_again_in")),
                ], site.sentence("send_again"))
        }
    }

    /// Adds the form for the code. The page that it leads to asks for the password.
    private func addCode(to html: inout HTML) {
        html.element(
            "form",
            [.with("method", "post"), .with("action", AccountType.resetPassword.traits.page), .flag("novalidate")]
        ) { html in
            for (name, value) in [("account", address), ("return", site.returnTo)] {
                guard let value else { continue }
                html.open("input", [.with("type", "hidden"), .with("name", name), .with("value", value)])
            }
            html.element("div", [.with("class", "field")]) { html in
                html.element("label", [.with("for", "field-code")], site.sentence("mail_code"))
                html.element("p", [.with("class", "help"), .with("id", "code-help")], site.sentence("mail_code_help"))
                html.element("div", [.with("class", "control")]) { html in
                    html.open(
                        "input",
                        [
                            .with("type", "text"), .with("id", "field-code"), .with("name", "code"),
                            .with("autocomplete", "one-time-code"), .with("autocapitalize", "none"),
                            .with("spellcheck", "false"), .with("aria-describedby", "code-help"),
                            .with("aria-required", "true"),
                        ])
                }
            }
            html.element("button", site.sentence("device_next"))
        }
    }
}
