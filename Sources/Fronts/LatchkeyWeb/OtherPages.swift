import LatchkeyForms
package import LatchkeySecrets

/// A page that only shows a message.
package struct NoticePage: Sendable {
    private let title: String
    private let sentences: [String]
    private let links: [(text: String, path: String)]
    private let site: WebSite

    /// - Parameter links: links to other pages.
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

/// A page that asks for confirmation.
package struct QuestionPage: Sendable {
    private let title: String
    private let sentence: String
    private let answer: String
    private let action: (path: String, name: String, value: String)
    private let site: WebSite

    /// - Parameters:
    ///   - answer: the label of the button that confirms.
    ///   - action: the path to which the button posts, and the posted value.
    package init(
        _ title: String, _ sentence: String, answer: String,
        posting action: (path: String, name: String, value: String),
        on site: WebSite
    ) {
        self.title = title
        self.sentence = sentence
        self.answer = answer
        self.action = action
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(title) { html in
            html.element("p", sentence)
            html.element("form", [.with("method", "post"), .with("action", action.path)]) { html in
                html.element(
                    "button", [.with("class", "danger"), .with("name", action.name), .with("value", action.value)],
                    answer)
            }
            site.addLinks([(site.sentence("back"), "/account")], to: &html)
        }
    }
}

/// The page that shows the codes for a lost authenticator app. They are shown only once.
package struct SavedCodesPage: Sendable {
    private let codes: [Secret]
    private let next: String
    private let site: WebSite

    /// - Parameter next: the page to open afterwards.
    package init(_ codes: [Secret], next: String, on site: WebSite) {
        self.codes = codes
        self.next = next
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(site.sentence("saved_codes")) { html in
            html.element("p", site.sentence("saved_codes_explained"))
            html.element("ul", [.with("class", "codes")]) { html in
                for code in codes { html.element("li", [.with("class", "code")], code.shownText) }
            }
            html.element("a", [.with("class", "button"), .with("href", next)], site.sentence("saved_codes_done"))
        }
    }
}

/// The page of the signed-in account, with its values, its active sessions, and links to change it.
package struct AccountPage: Sendable {
    /// An active session, formatted for people.
    package struct Session: Sendable {
        let id: String
        let device: String
        let lastUsed: String
        let isCurrent: Bool

        /// - Parameter id: the ID to submit in order to end the session.
        package init(id: String, device: String, lastUsed: String, isCurrent: Bool) {
            self.id = id
            self.device = device
            self.lastUsed = lastUsed
            self.isCurrent = isCurrent
        }
    }

    /// A passkey, formatted for people.
    package struct Passkey: Sendable {
        let id: String
        let name: String
        let lastUsed: String

        /// - Parameter id: the ID to submit in order to remove the passkey.
        package init(id: String, name: String, lastUsed: String) {
            self.id = id
            self.name = name
            self.lastUsed = lastUsed
        }
    }

    /// An application that the owner has logged in to, formatted for people.
    package struct Application: Sendable {
        let id: String
        let name: String
        let access: String
        let lastUsed: String

        /// - Parameters:
        ///   - id: the ID to submit in order to disconnect the application.
        ///   - access: what the application learns.
        package init(id: String, name: String, access: String, lastUsed: String) {
            self.id = id
            self.name = name
            self.access = access
            self.lastUsed = lastUsed
        }
    }

    private let name: String
    private let values: [(label: String, value: String)]
    private let factor: [String]?
    private let passkeys: [Passkey]
    private let savedCodes: String?
    private let sessions: [Session]
    private let applications: [Application]
    private let notice: String?
    private let site: WebSite

    /// - Parameters:
    ///   - values: the values of the account, with labels.
    ///   - factor: sentences about the authenticator app; nil if there is none.
    ///   - savedCodes: a sentence about the saved codes, for an account with only passkeys; otherwise nil.
    ///   - notice: a message about the last action; nil for none.
    package init(
        of name: String, values: [(label: String, value: String)], factor: [String]? = nil, passkeys: [Passkey] = [],
        savedCodes: String? = nil, sessions: [Session], applications: [Application] = [], notice: String? = nil,
        on site: WebSite
    ) {
        self.name = name
        self.values = values
        self.factor = factor
        self.passkeys = passkeys
        self.savedCodes = savedCodes
        self.sessions = sessions
        self.applications = applications
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
                    (site.sentence("edit_profile"), AccountType.profile.traits.page),
                    (site.sentence("change_password"), AccountType.changePassword.traits.page),
                ], to: &html)
            addFactor(to: &html)
            addPasskeys(to: &html)
            addSessions(to: &html)
            addApplications(to: &html)
            html.element("h2", site.sentence("delete_account"))
            html.element("p", site.sentence("delete_explained"))
            html.element(
                "a", [.with("class", "button quiet danger"), .with("href", AccountType.deleteAccount.traits.page)],
                site.sentence("delete_account"))
        }
    }

    /// The path to which the account page posts the application to disconnect.
    package static let applicationsPath = "/account/applications"
    /// The path to which the account page posts changes of the second factor.
    package static let factorsPath = "/account/factors"
    /// The page that asks for confirmation before the authenticator app is removed.
    package static let removalPath = "/account/factors/remove"

    private func addFactor(to html: inout HTML) {
        html.element("h2", site.sentence("second_factor"))
        guard let factor else {
            html.element("p", site.sentence("second_factor_explained"))
            return html.element(
                "a", [.with("class", "button quiet"), .with("href", AccountType.addFactor.traits.page)],
                site.sentence("add_factor"))
        }
        for sentence in factor { html.element("p", sentence) }
        addCodesButton(to: &html)
        html.element(
            "a", [.with("class", "button quiet danger"), .with("href", Self.removalPath)],
            site.sentence("remove_factor"))
    }

    private func addCodesButton(to html: inout HTML) {
        html.element("form", [.with("method", "post"), .with("action", Self.factorsPath)]) { html in
            html.element(
                "button", [.with("class", "quiet"), .with("name", "change"), .with("value", "codes")],
                site.sentence("new_codes"))
        }
    }

    private func addPasskeys(to html: inout HTML) {
        guard site.offersPasskeys || !passkeys.isEmpty else { return }
        html.element("h2", site.sentence("passkeys"))
        html.element("p", site.sentence("passkeys_explained"))
        html.element("ul", [.with("class", "sessions")]) { html in
            for passkey in passkeys {
                html.element("li") { html in
                    html.element("p") { html in
                        html.element("strong", passkey.name)
                        html.element(
                            "span", [.with("class", "help")], site.sentence("used", ["time": .text(passkey.lastUsed)]))
                    }
                    html.element(
                        "a",
                        [
                            .with("href", Self.removalPath + "?passkey=" + passkey.id),
                            .with("aria-label", site.sentence("passkey_remove", ["name": .text(passkey.name)])),
                        ], site.sentence("remove"))
                }
            }
        }
        if let savedCodes {
            html.element("p", savedCodes)
            addCodesButton(to: &html)
        }
        if site.offersPasskeys { PasskeyForm.creation.add(to: &html, on: site) }
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

    private func addApplications(to html: inout HTML) {
        guard !applications.isEmpty else { return }
        html.element("h2", site.sentence("applications"))
        html.element("ul", [.with("class", "sessions")]) { html in
            for application in applications {
                html.element("li") { html in
                    html.element("p") { html in
                        html.element("strong", application.name)
                        html.element(
                            "span", [.with("class", "help")],
                            application.access + " · " + site.sentence("used", ["time": .text(application.lastUsed)]))
                    }
                    html.element("form", [.with("method", "post"), .with("action", Self.applicationsPath)]) { html in
                        html.element(
                            "button",
                            [
                                .with("class", "quiet"), .with("name", "disconnect"), .with("value", application.id),
                                .with(
                                    "aria-label",
                                    site.sentence("disconnect_of", ["application": .text(application.name)])),
                            ], site.sentence("disconnect"))
                    }
                }
            }
        }
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
