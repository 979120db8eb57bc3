import LatchkeyForms

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
        var site = site
        site.accountName = name
        return site.page(site.sentence("account"), .page) { html in
            if let notice { html.element("p", [.with("class", "notice"), .with("role", "status")], notice) }
            addProfile(to: &html)
            addFactor(to: &html)
            addPasskeys(to: &html)
            addSessions(to: &html)
            addApplications(to: &html)
            addGroup(
                "delete_account", site.sentence("delete_account"), explained: site.sentence("delete_explained"),
                to: &html
            ) { html in
                html.element("div", [.with("class", "row")]) { html in
                    addAction(
                        site.sentence("delete_account"), at: AccountType.deleteAccount.traits.page, isDangerous: true,
                        to: &html)
                }
            }
        }
    }

    /// The path to which the account page posts the application to disconnect.
    package static let applicationsPath = "/account/applications"
    /// The path to which the account page posts changes of the second factor.
    package static let factorsPath = "/account/factors"
    /// The page that asks for confirmation before the authenticator app is removed.
    package static let removalPath = "/account/factors/remove"

    // MARK: Sections

    private func addProfile(to html: inout HTML) {
        addGroup("profile", site.sentence("profile"), to: &html) { html in
            html.facts(values.map { (title: $0.label, value: $0.value) })
            html.element("div", [.with("class", "row")]) { html in
                addAction(site.sentence("edit_profile"), at: AccountType.profile.traits.page, to: &html)
                addAction(site.sentence("change_password"), at: AccountType.changePassword.traits.page, to: &html)
            }
        }
    }

    private func addFactor(to html: inout HTML) {
        addGroup(
            "second_factor", site.sentence("second_factor"),
            explained: factor == nil ? site.sentence("second_factor_explained") : nil, to: &html
        ) { html in
            if let factor {
                html.element("ul", [.with("class", "rows")]) { html in
                    addRow(factor.first ?? "", Array(factor.dropFirst()), to: &html) { _ in }
                }
            }
            html.element("div", [.with("class", "row")]) { html in
                if factor == nil {
                    addAction(site.sentence("add_factor"), at: AccountType.addFactor.traits.page, to: &html)
                } else {
                    addCodesButton(to: &html)
                    addAction(site.sentence("remove_factor"), at: Self.removalPath, to: &html)
                }
            }
        }
    }

    private func addPasskeys(to html: inout HTML) {
        guard site.offersPasskeys || !passkeys.isEmpty else { return }
        addGroup(
            "passkeys", site.sentence("passkeys"), explained: site.sentence("passkeys_explained"), to: &html
        ) { html in
            html.element("ul", [.with("class", "rows")]) { html in
                for passkey in passkeys {
                    let used = site.sentence("used", ["time": .text(passkey.lastUsed)])
                    addRow(passkey.name, [used], icon: .key, to: &html) { html in
                        html.element(
                            "a",
                            [
                                .with("class", "button quiet small"),
                                .with("href", Self.removalPath + "?passkey=" + passkey.id),
                                .with("aria-label", site.sentence("passkey_remove", ["name": .text(passkey.name)])),
                            ], site.sentence("remove"))
                    }
                }
                if passkeys.isEmpty { addRow(site.sentence("no_passkeys"), [], to: &html) { _ in } }
                if let savedCodes { addRow(savedCodes, [], to: &html, addCodesButton) }
            }
            if site.offersPasskeys { PasskeyForm.creation.add(to: &html, on: site) }
        }
    }

    private func addSessions(to html: inout HTML) {
        addGroup("sessions", site.sentence("sessions"), to: &html) { html in
            html.element("ul", [.with("class", "rows")]) { html in
                for session in sessions {
                    let used = site.sentence("used", ["time": .text(session.lastUsed)])
                    addRow(
                        session.device, session.isCurrent ? [] : [used],
                        badge: session.isCurrent ? site.sentence("this_session") : nil, to: &html
                    ) { html in
                        guard !session.isCurrent else { return }
                        addButton(
                            site.sentence("end"), posting: ("end", session.id), to: "/account/sessions",
                            described: site.sentence("end_of", ["device": .text(session.device)]), &html)
                    }
                }
            }
            guard sessions.count > 1 else { return }
            html.element("div", [.with("class", "row")]) { html in
                addButton(site.sentence("end_others"), posting: ("end", "others"), to: "/account/sessions", &html)
            }
        }
    }

    private func addApplications(to html: inout HTML) {
        guard !applications.isEmpty else { return }
        addGroup(
            "applications", site.sentence("applications"), explained: site.sentence("applications_explained"), to: &html
        ) { html in
            html.element("ul", [.with("class", "rows")]) { html in
                for application in applications {
                    let used = site.sentence("used", ["time": .text(application.lastUsed)])
                    addRow(application.name, [application.access + " · " + used], to: &html) { html in
                        addButton(
                            site.sentence("disconnect"), posting: ("disconnect", application.id),
                            to: Self.applicationsPath,
                            described: site.sentence("disconnect_of", ["application": .text(application.name)]), &html)
                    }
                }
            }
        }
    }

    // MARK: Parts

    /// A section: its heading and explanation, and a panel with its state and actions.
    private func addGroup(
        _ id: String, _ title: String, explained: String? = nil, to html: inout HTML,
        _ content: (inout HTML) -> Void
    ) {
        html.element("section", [.with("class", "group"), .with("aria-labelledby", id)]) { html in
            html.element("div") { html in
                html.element("h2", [.with("id", id)], title)
                if let explained { html.element("p", [.with("class", "help")], explained) }
            }
            html.element("div", [.with("class", "panel")], content)
        }
    }

    private func addRow(
        _ title: String, _ lines: [String], icon: Icon? = nil, badge: String? = nil, to html: inout HTML,
        _ action: (inout HTML) -> Void
    ) {
        html.element("li") { html in
            if let icon { html.icon(icon) }
            html.element("div", [.with("class", "what")]) { html in
                html.element("strong", title)
                if let badge {
                    html.text(" ")
                    html.element("span", [.with("class", "badge good")], badge)
                }
                for line in lines { html.element("p", [.with("class", "help")], line) }
            }
            action(&html)
        }
    }

    private func addAction(_ label: String, at path: String, isDangerous: Bool = false, to html: inout HTML) {
        html.element(
            "a",
            [.with("class", "button quiet small" + (isDangerous ? " danger" : "")), .with("href", path)],
            label)
    }

    private func addCodesButton(to html: inout HTML) {
        addButton(site.sentence("new_codes"), posting: ("change", "codes"), to: Self.factorsPath, &html)
    }

    private func addButton(
        _ label: String, posting action: (name: String, value: String), to path: String, described: String? = nil,
        _ html: inout HTML
    ) {
        html.element("form", [.with("method", "post"), .with("action", path)]) { html in
            html.element(
                "button",
                [
                    .with("class", "quiet small"), .with("name", action.name), .with("value", action.value),
                    .with("aria-label", described),
                ], label)
        }
    }
}
