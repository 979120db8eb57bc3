import LatchkeyForms

/// The page that sends a browser on to an application.
///
/// A redirect could not do that: browsers apply the policy of a submitted form (`form-action`) to every redirect that
/// follows it, so that a login would end with an error.
package struct ContinuePage: Sendable {
    private let application: String
    private let address: String
    private let site: WebSite

    /// - Parameters:
    ///   - application: the name of the application.
    ///   - address: the address with the response.
    package init(to application: String, at address: String, on site: WebSite) {
        self.application = application
        self.address = address
        self.site = site
    }

    /// The page.
    package var html: String {
        let title = site.sentence("continue", ["application": .text(application)])
        return site.page(title, refreshingTo: address) { html in
            html.element("p") { html in
                html.element("a", [.with("class", "button"), .with("href", address)], site.sentence("continue_now"))
            }
        }
    }
}

/// The page that posts a response to an application (OAuth 2.0 Form Post Response Mode). Without a script, the button
/// does.
package struct FormPostPage: Sendable {
    private let application: String
    private let address: String
    private let values: [(name: String, value: String)]
    private let site: WebSite

    package init(
        to application: String, at address: String, posting values: [(name: String, value: String)], on site: WebSite
    ) {
        self.application = application
        self.address = address
        self.values = values
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(site.sentence("continue", ["application": .text(application)])) { html in
            html.element(
                "form", [.with("method", "post"), .with("action", address), .flag("data-submit")]
            ) { html in
                for (name, value) in values {
                    html.open("input", [.with("type", "hidden"), .with("name", name), .with("value", value)])
                }
                html.element("button", site.sentence("continue_now"))
            }
        }
    }
}

/// The page on which the owner of an account lets an application learn about it.
package struct ConsentPage: Sendable {
    /// The application that asks.
    package struct Application: Sendable {
        let name: String
        let host: String?

        /// - Parameter host: the host to which the login returns; nil for a program on the person's own device.
        package init(name: String, host: String?) { (self.name, self.host) = (name, host) }
    }

    private let application: Application
    private let account: String
    private let address: String?
    private let switchPath: String
    private let facts: [(title: String, value: String)]
    private let request: String
    private let site: WebSite

    /// - Parameters:
    ///   - account: the name of the account, for the person.
    ///   - address: its e-mail address; nil if that is its name.
    ///   - switchPath: the page on which the person logs in to another account, and which returns to the request.
    ///   - facts: what the application learns, for people.
    ///   - request: the token of the request that waits, which the form posts.
    package init(
        _ application: Application, of account: String, at address: String?, switchingAt switchPath: String,
        learning facts: [(title: String, value: String)], request: String, on site: WebSite
    ) {
        self.application = application
        self.account = account
        self.address = address
        self.switchPath = switchPath
        self.facts = facts
        self.request = request
        self.site = site
    }

    /// The path to which the page posts the answer.
    package static let path = "/oauth/consent"

    /// The page.
    package var html: String {
        let name: [String: RuleFailure.Value] = ["application": .text(application.name)]
        return site.page(site.sentence("consent", name), sign: .initial(of: application.name)) { html in
            if let host = application.host {
                html.lead(site.sentence("consent_address", ["host": .text(HTML.place)]), emphasizing: host)
            } else {
                html.element("p", [.with("class", "lead")], site.sentence("consent_program"))
            }
            html.element("div", [.with("class", "panel")]) { html in
                html.element("div", [.with("class", "row")]) { html in
                    html.element("div", [.with("class", "what")]) { html in
                        html.element("strong") { html in html.element("bdi", account) }
                        if let address {
                            html.element("p", [.with("class", "help")]) { html in html.element("bdi", address) }
                        }
                    }
                    html.element(
                        "a",
                        [
                            .with("class", "button quiet small"), .with("href", switchPath),
                            .with("aria-label", site.sentence("consent_switch_account")),
                        ], site.sentence("consent_switch"))
                }
            }
            html.learned(facts, by: application.name, on: site)
            html.answers(
                to: Self.path, about: ("request", request), refusing: site.sentence("consent_deny"),
                allowing: site.sentence("consent_allow"))
            html.element("p", [.with("class", "help")], site.sentence("consent_limits", name))
        }
    }
}

extension HTML {
    /// What an application learns.
    fileprivate mutating func learned(
        _ facts: [(title: String, value: String)], by application: String, on site: WebSite
    ) {
        element("div") { html in
            html.element("h2", site.sentence("consent_learns", ["application": .text(application)]))
            html.element("div", [.with("class", "panel")]) { html in html.facts(facts) }
        }
    }

    /// Two buttons; the first one changes nothing.
    fileprivate mutating func answers(
        to path: String, about subject: (name: String, value: String), refusing: String, allowing: String
    ) {
        element("form", [.with("class", "row pair"), .with("method", "post"), .with("action", path)]) { html in
            html.open(
                "input", [.with("type", "hidden"), .with("name", subject.name), .with("value", subject.value)])
            html.element(
                "button", [.with("class", "quiet"), .with("name", "answer"), .with("value", "deny")],
                refusing)
            html.element(
                "button", [.with("name", "answer"), .with("value", "allow")], allowing)
        }
    }
}

/// The page on which a person types the code that a device shows.
package struct DeviceCodePage: Sendable {
    private let code: String?
    private let problem: String?
    private let account: String
    private let switchPath: String
    private let site: WebSite

    /// - Parameters:
    ///   - code: the code of the address, which the person still has to compare; nil for none.
    ///   - problem: the sentence about a refused code; nil for none.
    ///   - account: the name of the account that the device will use.
    ///   - switchPath: the page on which the person logs in to another account, and which returns here.
    package init(code: String?, problem: String?, of account: String, switchingAt switchPath: String, on site: WebSite)
    {
        self.code = code
        self.account = account
        self.switchPath = switchPath
        self.problem = problem
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(site.sentence("device"), .card, sign: .icon(.screen)) { html in
            html.element("p", [.with("class", "lead")], site.sentence("device_lead"))
            html.element("form", [.with("method", "post"), .with("action", "/device")]) { html in
                html.element("div", [.with("class", "field")]) { html in addField(to: &html) }
                html.element("button", site.sentence("device_next"))
            }
            html.element("p", [.with("class", "help")]) { html in
                html.emphasize(account, in: site.sentence("device_uses", ["account": .text(HTML.place)]))
            }
            site.addLinks([(site.sentence("other_account"), switchPath)], to: &html)
        }
    }

    private func addField(to html: inout HTML) {
        let described = "user_code-help" + (problem == nil ? "" : " user_code-error")
        html.element("label", [.with("for", "user_code")], site.sentence("device_code"))
        html.element("p", [.with("class", "help"), .with("id", "user_code-help")], site.sentence("device_code_help"))
        html.element("div", [.with("class", "control")]) { html in
            html.open(
                "input",
                [
                    .with("class", "otp"), .with("id", "user_code"), .with("name", "user_code"),
                    .with("value", code), .with("autocomplete", "off"), .with("autocapitalize", "characters"),
                    .with("spellcheck", "false"), .with("maxlength", "32"), .flag("required"), .flag("autofocus"),
                    .with("aria-invalid", problem == nil ? nil : "true"), .with("aria-describedby", described),
                ])
        }
        if let problem {
            html.element("p", [.with("class", "error"), .with("id", "user_code-error")], problem)
        }
    }
}

/// The page on which a person compares the code with the device, and connects it.
package struct DeviceConfirmPage: Sendable {
    private let application: String
    private let code: String
    private let began: String
    private let place: String?
    private let account: String
    private let facts: [(title: String, value: String)]
    private let site: WebSite

    /// The path to which the page posts the answer.
    package static let path = "/device/confirm"

    /// - Parameters:
    ///   - began: when the device asked, for people.
    ///   - place: the address that the device asked from; nil if it is unknown.
    ///   - facts: what the application learns, for people.
    package init(
        _ application: String, code: String, began: String, from place: String?, of account: String,
        learning facts: [(title: String, value: String)], on site: WebSite
    ) {
        self.application = application
        self.code = code
        self.began = began
        self.place = place
        self.account = account
        self.facts = facts
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(site.sentence("device_compare"), .card) { html in
            html.element("p", [.with("class", "big")], code)
            html.element("div", [.with("class", "panel")]) { html in
                html.facts(
                    [(site.sentence("device_application"), application), (site.sentence("device_asked"), began)]
                        + (place.map { [(site.sentence("device_place"), $0)] } ?? [])
                        + [(site.sentence("device_account"), account)])
            }
            html.learned(facts, by: application, on: site)
            html.element("div", [.with("class", "alert wait")]) { html in
                html.element("p", site.sentence("device_warning"))
            }
            html.answers(
                to: Self.path, about: ("user_code", code), refusing: site.sentence("device_deny"),
                allowing: site.sentence("device_allow"))
        }
    }
}
