import LatchkeySecrets

extension AdminPage {
    /// The page.
    package func html(on site: WebSite) -> String {
        var site = site
        site.tab = tab
        if let back { site.back = (back.text, back.path) }
        return site.page(title, .page, hasBackLink: back != nil, heading: addHeading) { html in
            for block in blocks { html.add(block, on: site) }
        }
    }

    private func addHeading(to html: inout HTML) {
        html.element("div", [.with("class", "row head")]) { html in
            html.element("div") { html in
                html.element("h1", [.with("dir", "auto")]) { html in
                    html.text(title)
                    for badge in badges { html.add(badge, after: " ") }
                }
                if let subtitle { html.element("p", [.with("class", "help")], subtitle) }
            }
            if !actions.isEmpty {
                html.element("div", [.with("class", "row")]) { html in
                    for action in actions { html.add(action, isSmall: false) }
                }
            }
        }
    }
}

extension AdminQuestion {
    /// The page.
    package func html(on site: WebSite) -> String {
        var site = site
        site.tab = tab
        site.back = (back, keep.path)
        return site.page(title, .medium, hasBackLink: true) { html in
            for sentence in sentences { html.element("p", sentence) }
            html.element("form", [.with("method", "post"), .with("action", confirm.path), .flag("novalidate")]) {
                html in
                if let typed { html.add(typed) }
                html.element("div", [.with("class", "row pair")]) { html in
                    html.element("a", [.with("class", "button quiet"), .with("href", keep.path)], keep.text)
                    html.element(
                        "button",
                        [
                            .with("class", "danger"), .with("name", confirm.post?.name),
                            .with("value", confirm.post?.value),
                        ], confirm.text)
                }
            }
        }
    }
}

extension HTML {
    fileprivate mutating func add(_ typed: (label: String, failure: String?)) {
        element("div", [.with("class", "field")]) { html in
            html.element("label", [.with("for", "sure")], typed.label)
            html.element("div", [.with("class", "control")]) { html in
                html.open(
                    "input",
                    [
                        .with("id", "sure"), .with("name", "sure"), .with("type", "text"), .with("autocomplete", "off"),
                        .with("autocapitalize", "none"), .with("spellcheck", "false"), .with("aria-required", "true"),
                        .with("aria-invalid", typed.failure == nil ? nil : "true"),
                        .with("aria-describedby", typed.failure == nil ? nil : "sure-error"), .flag("autofocus"),
                    ])
            }
            if let failure = typed.failure {
                html.element("p", [.with("class", "error"), .with("id", "sure-error")], failure)
            }
        }
    }
}

extension AdminPage.Tab {
    /// The title of the part.
    func title(on site: WebSite) -> String {
        switch self {
        case .overview: site.sentence("admin_overview")
        case .people: site.sentence("admin_people")
        case .groups: site.sentence("admin_groups")
        case .invitations: site.sentence("admin_invitations")
        case .sessions: site.sentence("admin_sessions")
        case .audit: site.sentence("admin_audit")
        case .applications: site.sentence("admin_applications")
        case .settings: site.sentence("admin_settings")
        }
    }
}
