package import LatchkeyForms
package import LatchkeySecrets
import LatchkeyText

/// The page of a form, in one column: an error summary with links to the fields, the fields, one button, and the form's
/// links.
package struct FormPage: Sendable {
    let form: Form
    let state: FormViewState
    let site: WebSite
    /// A notice above the form, for example that a message has been sent; nil for none.
    let notice: String?
    /// The URI and the secret for an authenticator app, shown above the field for a code from the app; nil for other
    /// forms.
    private let authenticator: (uri: Secret, secret: Secret)?
    /// The code of a message that the browser has submitted. After a refusal, the page shows it again, because nobody
    /// wants to find and type it twice.
    let code: Secret?

    /// The path to which the form posts; nil for the page of its flow.
    private let target: String?
    /// The new address that waits for its code, and the current one; nil if none waits.
    let waiting: WaitingAddress?
    /// The factors of a login that waits for one.
    let factors: Factors
    /// Whether the notice is a warning instead of a success.
    private let isCaution: Bool
    /// The version of the stored values in the form; nil if only this user can change them.
    private let version: String?
    /// The link to confirm the password in a new tab, where the typed values stay; nil if the password is recent.
    private let confirmation: (text: String, path: String)?

    /// - Parameters:
    ///   - target: the path to which the form posts; nil for the page of its flow.
    ///   - waiting: the new address of the account that waits for its code, and the current one; nil if none waits.
    ///   - isCaution: whether the notice is a warning instead of a success.
    ///   - factors: the factors with a code, for the page that asks for one.
    ///   - version: the version of the stored values in the form; nil if only this user can change them.
    ///   - confirmation: the link to confirm the password in a new tab; nil if the password is recent.
    ///   - form: the form, including the fields whose conditions are not met.
    ///   - state: the state to show. Secrets are never shown, except `code`.
    ///   - authenticator: the URI and the secret of a new authenticator app. No other page shows them.
    package init(
        _ form: Form, _ state: FormViewState, on site: WebSite, notice: String? = nil,
        authenticator: (uri: Secret, secret: Secret)? = nil, keeping code: Secret? = nil,
        postingTo target: String? = nil, waiting: WaitingAddress? = nil,
        factors: Factors = Factors(), isCaution: Bool = false, version: String? = nil,
        confirmation: (text: String, path: String)? = nil
    ) {
        self.version = version
        self.confirmation = confirmation
        self.isCaution = isCaution
        self.waiting = waiting
        self.factors = factors
        self.target = target
        self.authenticator = authenticator
        self.code = code
        self.form = form
        self.state = state
        self.site = site
        self.notice = notice
    }

    /// The page.
    package var html: String {
        var site = site
        site.asksForTerms = form.accountType == .setup
        return site.page(title, hasBackLink: site.isSignedIn && !site.mustChangePassword) { html in
            if let notice {
                html.element(
                    "p", [.with("class", isCaution ? "alert wait" : "notice"), .with("role", "status")], notice)
            }
            addOwner(to: &html)
            if let application = site.application, form.accountType != .login, !namesDestination {
                html.element(
                    "p", [.with("class", "lead")],
                    site.sentence("continue_to", ["application": .text(application)]))
            }
            addAlert(to: &html)
            addWaitingAddress(to: &html)
            if let authenticator { return addAuthenticator(authenticator, to: &html) }
            if isSecondFactor { return addSecondFactor(to: &html) }
            if let lead { html.element("p", [.with("class", "lead")], lead) }
            html.element("form", formAttributes) { html in
                addHidden(to: &html)
                addAccountName(to: &html)
                addFields(to: &html)
                html.element(
                    "button", [.with("class", isDangerous ? "danger" : nil), .with("id", "submit")], state.submit)
            }
            if takesCode { html.element("p", [.with("class", "help")], site.sentence("reset_ends")) }
            if site.offersPasskeys { passkeyForm?.add(to: &html, on: site) }
            site.addLinks(links, to: &html)
        }
    }

    /// Whether the sentence about the account also names where the login continues.
    private var namesDestination: Bool { isSecondFactor && site.accountName != nil }

    /// The sentence above the form; nil for none.
    private var lead: String? {
        switch form.accountType {
        case .forgotPassword: site.sentence("forgot_explained")
        case .deleteAccount: site.sentence("delete_explained")
        case .reauthenticate: site.sentence("reauthenticate_explained")
        default: nil
        }
    }

    private var title: String {
        if form.accountType == .profile { return site.sentence("edit_profile") }
        guard form.accountType == .login, let application = site.application else { return state.title }
        return site.sentence("login_to", ["application": .text(application)])
    }

    /// Whether the browser suggests passkeys in the field for the name.
    var suggestsPasskeys: Bool { site.offersPasskeys && form.accountType == .login }

    /// The passkey form offered as an alternative to this form; nil if there is none.
    private var passkeyForm: PasskeyForm? {
        switch form.accountType {
        case .login: .login
        default: nil
        }
    }

    /// The attributes of a form that the script does not check.
    var plainAttributes: [HTML.Attribute] {
        [.with("method", "post"), .with("action", target ?? form.accountType?.traits.page ?? ""), .flag("novalidate")]
    }

    var formAttributes: [HTML.Attribute] {
        let retry = secondsToWait.map { String($0) }
        return plainAttributes + [
            .with(
                "data-validate",
                target == nil ? "/api/v1/forms/\(form.id)/validate" + (site.hasFactor ? "?factor=1" : "") : nil),
            .with("data-retry", retry),
            .with(
                "data-busy", form.accountType == .login ? site.sentence("busy_login") : site.sentence("busy")),
            .with("data-show", site.sentence("show")), .with("data-hide", site.sentence("hide")),
            .with("data-wait", retry == nil ? nil : site.sentence("wait_for")),
            .with("data-seconds", retry == nil ? nil : site.messages.sentence("duration.seconds")),
            .with("data-second", retry == nil ? nil : site.messages.duration(seconds: 1)),
            .with("data-ready", retry == nil ? nil : site.sentence("ready")),
        ]
    }

    /// The seconds until the next attempt, at least 1; nil if attempts are not refused.
    private var secondsToWait: Int? {
        state.alert?.retryAfter.map {
            Int(clamping: max(1, $0.components.seconds + ($0.components.attoseconds > 0 ? 1 : 0)))
        }
    }

    /// Whether submitting the form cannot be undone.
    private var isDangerous: Bool { form.accountType == .deleteAccount }

    var links: [(text: String, path: String)] {
        if isDangerous { return [(text: site.sentence("delete_keep"), path: "/account")] }
        var shown = state.links.filter { form.links.contains($0.type) }
        if form.accountType == .login {
            // Next to a refused password, people look for this link.
            shown = shown.filter { $0.type == .forgotPassword } + shown.filter { $0.type != .forgotPassword }
        }
        let links = shown.map { link -> (text: String, path: String) in
            // A forgotten password is on the way from the login, and back to it. Where a code of a message is used, no
            // password may have been forgotten.
            let text =
                switch (form.accountType, link.type) {
                case (.forgotPassword?, .login): site.sentence("back_to_login")
                case (.resetPassword?, .forgotPassword): site.sentence("new_link")
                default: link.label
                }
            return (text, site.link(to: link.type))
        }
        // After a wrong code whose secret is gone, the page starts again.
        let again =
            form.accountType == .addFactor && form.field(.code) != nil && authenticator == nil
            ? [(text: site.sentence("start_again"), path: site.link(to: .addFactor))] : []
        guard !isSecondFactor else {
            return [(text: site.sentence("other_account"), path: WebSite.otherAccount(at: site.link(to: .login)))]
        }
        return again + links
    }

    /// Adds the refusal. It receives the focus, so that screen readers start there.
    private func addAlert(to html: inout HTML) {
        guard let alert = state.alert, onlyRefused == nil, authenticator == nil || !alert.isInformation else { return }
        html.element(
            "div",
            [
                .with(
                    "class",
                    alert.isInformation ? "notice" : alert.retryAfter == nil ? "alert" : "alert wait"),
                .with("role", alert.isInformation ? "status" : "alert"),
                .with("tabindex", "-1"), .with("id", "summary"), .flag("autofocus"),
            ]
        ) { html in
            let seconds = secondsToWait
            html.element("p", [.with("id", "summary-title")]) { html in
                let isLogin = form.accountType == .login
                html.element(
                    "strong",
                    seconds == nil ? alert.title : site.sentence(isLogin ? "too_many_of_name" : "too_many"))
            }
            if let seconds {
                let time = site.messages.sentence("duration.seconds", ["count": .integer(seconds)])
                html.element("p", [.with("id", "summary-wait")], site.sentence("wait_for", ["time": .text(time)]))
            }
            // The script shows it if the browser knows passkeys.
            if seconds != nil, passkeyForm != nil, site.offersPasskeys {
                html.element("p", [.with("id", "summary-passkey"), .flag("hidden")], site.sentence("passkey_now"))
            }
            if let confirmation {
                html.element("p") { html in
                    html.element(
                        "a", [.with("href", confirmation.path), .with("target", "_blank")], confirmation.text)
                }
            }
            let failures = state.fields.compactMap { field in field.message.map { (field.key, $0) } }
            if failures.isEmpty {
                for line in alert.lines { html.element("p", line) }
            } else {
                html.element("ul") { html in
                    for (key, message) in failures {
                        html.element("li") { html in html.element("a", [.with("href", "#" + key.elementID)], message) }
                    }
                }
            }
        }
    }

    /// The field with the only refusal. It takes the focus, and its message is enough; nil if there are more, or if the
    /// refusal belongs to no field.
    private var onlyRefused: FieldKey? {
        if loginRefusal != nil { return .password }
        guard let alert = state.alert, alert.retryAfter == nil, !alert.isInformation else { return nil }
        let refused = state.fields.filter { $0.message != nil }
        return refused.count == 1 && alert.failures.count <= 1 ? refused[0].key : nil
    }

    /// The code of the response to a wrong name or password.
    private static let wrongCredentials = "invalid_credentials"

    /// The sentence of a login whose name or password was wrong; nil otherwise. It belongs to no field and is shown under
    /// the password, which has the focus.
    private var loginRefusal: String? {
        guard form.accountType == .login, let alert = state.alert, alert.code == Self.wrongCredentials else {
            return nil
        }
        return alert.title
    }

    /// The sentence of a refusal that is shown under a field; nil for none.
    func message(of field: FieldKey) -> String? {
        if field == .password, let loginRefusal { return loginRefusal }
        return state.fields.first { $0.key == field }?.message
    }

    /// Whether the page shows the steps of setting up an authenticator app.
    var showsAuthenticator: Bool { authenticator != nil }

    /// The help of a field that belongs to the page and not to the form; nil for none.
    func explanation(of field: FieldKey) -> String? {
        switch (form.accountType, field) {
        // The owner sets a password after the address was verified.
        case (.setup?, .email) where form.field(.password) == nil: site.sentence("sign_up_explained")
        case (.resetPassword?, .code): site.sentence("mail_code_help")
        case (.profile?, .code): waiting.map { site.sentence("profile_code_help", ["email": .text($0.new)]) }
        case (.resetPassword?, .password), (.changePassword?, .password): site.sentence("password_explained")
        default: nil
        }
    }

    /// Whether a message links to the page, with its code.
    private var takesCode: Bool { form.accountType == .resetPassword }

    /// Whether the page keeps a code that is not refused, so that its field need not be shown.
    var hidesCode: Bool {
        let refused = state.fields.filter { $0.message != nil }.map(\.key)
        return code != nil && (state.alert == nil || !refused.isEmpty) && !refused.contains(.code)
    }

    /// The hidden field with the version.
    package static let versionField = "version"

    /// Adds the values that the form passes on.
    func addHidden(to html: inout HTML) {
        for (name, value) in [
            ("return", site.returnTo), ("invitation", site.invitation), (Self.versionField, version),
        ] {
            guard let value else { continue }
            html.open("input", [.with("type", "hidden"), .with("name", name), .with("value", value)])
        }
    }

    /// Adds the account that is logging in, or that the link in a message named. At first, the script fills in the
    /// second.
    private func addOwner(to html: inout HTML) {
        if isSecondFactor, let name = site.accountName {
            let account = RuleFailure.Value.text(HTML.place)
            let sentence =
                site.application.map { application in
                    site.sentence("second_factor_to", ["account": account, "application": .text(application)])
                } ?? site.sentence("second_factor_as", ["account": account])
            html.lead(sentence, emphasizing: name)
        }
        guard takesCode else { return }
        html.element("p", [.with("class", "lead"), .with("id", "owner"), .flag("hidden", site.accountName == nil)]) {
            html in
            html.emphasize(site.accountName ?? "", in: site.sentence("password_for", ["account": .text(HTML.place)]))
        }
    }

    /// Adds the account name for password managers, if the form does not ask for it. On the page that a message links
    /// to, the script fills in the address from the link.
    func addAccountName(to html: inout HTML) {
        let setsPassword = form.fields.contains { $0.autocomplete == "new-password" }
        guard !form.fields.contains(where: { $0.autocomplete == "username" }), site.accountName != nil || setsPassword
        else { return }
        html.open(
            "input",
            [
                .with("type", "text"), .with("name", takesCode ? "account" : nil), .with("autocomplete", "username"),
                .with("value", site.accountName), .flag("data-account", site.accountName == nil), .flag("hidden"),
            ])
    }

    func addFields(to html: inout HTML) {
        var page = 0
        for field in form.fields {
            let shown = state.fields.first { $0.key == field.apiKey }
            if let shown, state.pages.count > 1, shown.page != page || shown.key == state.fields.first?.key {
                page = shown.page
                html.element("h2", state.pages[page])
            }
            FieldMarkup(field, shown, in: self).add(to: &html)
        }
    }

    /// The field that the browser focuses when it opens the page; nil if there is none.
    var focused: FieldKey? {
        if let onlyRefused { return onlyRefused }
        guard state.alert == nil else { return nil }
        // The field is below the steps, and the page would not begin at its top.
        if showsAuthenticator { return nil }
        // A passkey comes first, and the keyboard of a phone would cover its button.
        if isSecondFactor, site.offersPasskeys { return nil }
        // The first field of a form that is filled in, as for a profile.
        let isFilledIn = form.accountType == .profile || target != nil
        let shown = state.fields.filter { $0.key != .code || !hidesCode }
        let first = isFilledIn ? shown.first : shown.first { $0.text.isEmpty }
        return first?.key
    }
}

extension FieldKey {
    /// The ID of the field's HTML element.
    var elementID: String { "field-" + rawValue }
}
