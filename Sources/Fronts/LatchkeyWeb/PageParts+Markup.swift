import LatchkeySecrets

extension HTML {
    mutating func add(_ block: PageBlock, on site: WebSite) {
        switch block {
        case .notice(let text):
            element("p", [.with("class", "notice"), .with("role", "status")], text)
        case .alert(let title, let lines):
            element("div", [.with("class", "alert"), .with("role", "alert")]) { html in
                html.element("p") { html in html.element("strong", title) }
                for line in lines { html.element("p", line) }
            }
        case .text(let text): element("p", [.with("class", "lead")], text)
        case .figures(let figures): add(figures)
        case .chart(let chart): add(chart)
        case .form(let form): add(form)
        case .filters(let filters):
            element("nav", [.with("class", "filters"), .with("aria-label", site.sentence("admin_show"))]) { html in
                for filter in filters {
                    html.element(
                        "a", [.with("href", filter.path), .with("aria-current", filter.isCurrent ? "true" : nil)],
                        filter.text)
                }
            }
        case .table(let table): add(table)
        case .empty(let title, let help, let action):
            element("div", [.with("class", "panel")]) { html in
                html.element("ul", [.with("class", "rows")]) { html in
                    html.add(PageRow(title, [help], action: action))
                }
            }
        case .section(let section): add(section, on: site)
        case .pages(let text, let action):
            element("nav", [.with("class", "row head"), .with("aria-label", site.sentence("admin_pages"))]) { html in
                html.element("p", [.with("class", "help"), .with("role", "status")], text)
                if let action { html.add(action) }
            }
        case .secret(let title, let help, let label, let secret): add(secret, title, help, label, on: site)
        }
    }

    private mutating func add(_ figures: [(title: String, path: String, value: String, note: String)]) {
        element("div", [.with("class", "figures")]) { html in
            for figure in figures {
                html.element("div", [.with("class", "panel")]) { html in
                    html.element("a", [.with("class", "help"), .with("href", figure.path)], figure.title)
                    html.element("p") { html in html.element("strong", figure.value) }
                    if !figure.note.isEmpty { html.element("p", [.with("class", "help")], figure.note) }
                }
            }
        }
    }

    private mutating func add(_ secret: Secret, _ title: String, _ help: String, _ label: String, on site: WebSite) {
        element("div", [.with("class", "notice"), .with("role", "status")]) { html in
            html.element("p") { html in html.element("strong", title) }
            html.element("p", help)
            html.element("div", [.with("class", "row inline")]) { html in
                html.element("div", [.with("class", "field")]) { html in
                    html.element("label", [.with("for", "secret")], label)
                    // A text area shows all of a long secret.
                    html.element(
                        "textarea",
                        [.with("id", "secret"), .with("class", "code"), .with("rows", "3"), .flag("readonly")],
                        secret.shownText)
                }
                html.copyButton(of: "secret", on: site)
            }
        }
    }

    /// A button that copies the text of an element. The script shows it.
    ///
    /// - Parameter name: the name of what is copied, if the page has several buttons.
    mutating func copyButton(
        of id: String, isSmall: Bool = false, describedAs name: String? = nil, on site: WebSite
    ) {
        element(
            "button",
            [
                .with("class", isSmall ? "quiet small" : "quiet"), .with("type", "button"), .with("data-copy", id),
                .with("data-done", site.sentence("copied")),
                .with("aria-label", name.map { site.sentence("copy") + ": " + $0 }), .flag("hidden"),
            ], site.sentence("copy"))
    }

    private mutating func add(_ form: InlineForm) {
        element(
            "form",
            [
                .with("class", "row inline"), .with("role", form.isSearch ? "search" : nil),
                .with("method", form.isSearch ? "get" : "post"), .with("action", form.path),
            ]
        ) { html in
            for (name, value) in form.hidden {
                html.open("input", [.with("type", "hidden"), .with("name", name), .with("value", value)])
            }
            for field in form.fields { html.add(field) }
            html.element("button", [.with("class", "quiet")], form.submit)
        }
    }

    private mutating func add(_ field: PageField) {
        let id = "field-" + field.name
        element("div", [.with("class", "field")]) { html in
            html.element("label", [.with("for", id)], field.label)
            if let options = field.options {
                html.element("select", [.with("id", id), .with("name", field.name)]) { html in
                    for option in options {
                        html.element("option", [.flag("selected", option == field.value)], option)
                    }
                }
            } else {
                html.open(
                    "input",
                    [
                        .with("id", id), .with("name", field.name), .with("type", field.type),
                        .with("value", field.value), .with("autocomplete", "off"), .with("autocapitalize", "none"),
                        .with("spellcheck", "false"), .with("aria-invalid", field.failure == nil ? nil : "true"),
                        .with("aria-describedby", field.failure == nil ? nil : id + "-error"),
                        .flag("autofocus", field.failure != nil),
                    ])
            }
            if let failure = field.failure {
                html.element("p", [.with("class", "error"), .with("id", id + "-error")], failure)
            }
        }
    }

    private mutating func add(_ table: PageTable) {
        element("div", [.with("class", "panel")]) { html in
            html.element("table", [.with("class", "list"), .with("role", "table")]) { html in
                html.element("caption", [.with("class", "away")], table.caption)
                html.element("thead", [.with("role", "rowgroup")]) { html in
                    html.element("tr", [.with("role", "row")]) { html in
                        for column in table.columns {
                            html.element("th", [.with("role", "columnheader"), .with("scope", "col")]) { html in
                                if column.isHeadingHidden {
                                    html.element("span", [.with("class", "away")], column.title)
                                } else {
                                    html.text(column.title)
                                }
                            }
                        }
                    }
                }
                html.element("tbody", [.with("role", "rowgroup")]) { html in
                    for row in table.rows {
                        html.element("tr", [.with("role", "row")]) { html in
                            for (column, cell) in zip(table.columns, row) { html.add(cell, in: column) }
                        }
                    }
                }
            }
        }
    }

    private mutating func add(_ cell: TableCell, in column: PageTable.Column) {
        element(
            "td",
            [
                .with("role", "cell"), .with("class", column.role.rawValue),
                .with("data-label", column.isLabelled ? column.title : nil),
            ]
        ) { html in
            if let path = cell.path {
                html.element("a", [.with("href", path), .with("dir", "auto")], cell.text)
            } else if !cell.text.isEmpty {
                html.element(
                    column.role == .title ? "strong" : "bdi", [.with("dir", column.role == .title ? "auto" : nil)],
                    cell.text)
            }
            if let note = cell.note {
                if !cell.text.isEmpty { html.open("br") }
                html.element("span", [.with("class", "help")]) { html in html.element("bdi", note) }
            }
            for badge in cell.badges { html.add(badge, after: " ") }
            if let action = cell.action { html.add(action) }
        }
    }

    private mutating func add(_ section: PageSection, on site: WebSite) {
        element("section", [.with("class", "group"), .with("aria-labelledby", section.id)]) { html in
            html.element("div") { html in
                html.element("h2", [.with("id", section.id)], section.title)
                if let help = section.help { html.element("p", [.with("class", "help")], help) }
                if let link = section.link {
                    html.element("p", [.with("class", "help")]) { html in
                        html.element("a", [.with("href", link.path)], link.text)
                    }
                }
            }
            html.element("div", [.with("class", "panel")]) { html in
                if !section.facts.isEmpty {
                    html.element("dl", [.with("class", "facts")]) { html in
                        for (place, fact) in section.facts.enumerated() {
                            html.add(fact, id: section.id + "-" + String(place + 1), on: site)
                        }
                    }
                }
                if let form = section.form, section.hasFormFirst { html.add(form) }
                if !section.rows.isEmpty {
                    html.element("ul", [.with("class", "rows")]) { html in for row in section.rows { html.add(row) } }
                }
                if let form = section.form, !section.hasFormFirst { html.add(form) }
                if section.addsPasskey {
                    PasskeyForm.creation.add(to: &html, on: site)
                    html.element("noscript") { html in
                        html.element("p", [.with("class", "help")], site.sentence("passkey_script"))
                    }
                }
                if !section.actions.isEmpty {
                    html.element("div", [.with("class", "row")]) { html in
                        for action in section.actions { html.add(action) }
                    }
                }
            }
        }
    }

    /// - Parameter id: the ID of the value's element, if it is copied.
    private mutating func add(_ fact: PageFact, id: String, on site: WebSite) {
        element("div") { html in
            html.element("dt") { html in
                // The key of a setting breaks after a full stop or an underscore, and not inside a word.
                var rest = fact.title[...]
                while let end = rest.firstIndex(where: { $0 == "." || $0 == "_" }) {
                    html.text(String(rest[...end]))
                    html.open("wbr")
                    rest = rest[rest.index(after: end)...]
                }
                html.text(String(rest))
            }
            html.element("dd", [.with("class", fact.isCopied ? "row copied" : nil)]) { html in
                html.element(
                    "bdi", [.with("class", fact.isCopied ? "code" : nil), .with("id", fact.isCopied ? id : nil)],
                    fact.value)
                if fact.isCopied {
                    html.copyButton(of: id, isSmall: true, describedAs: fact.title, on: site)
                }
                if let badge = fact.badge { html.add(badge, after: " ") }
                if let note = fact.note { html.element("p", [.with("class", "help")], note) }
            }
        }
    }

    private mutating func add(_ row: PageRow) {
        element("li") { html in
            if let icon = row.icon { html.icon(icon) }
            html.element("div", [.with("class", "what")]) { html in
                html.element("strong", [.with("dir", "auto")]) { html in
                    if let path = row.path {
                        html.element("a", [.with("href", path)], row.title)
                    } else {
                        html.text(row.title)
                    }
                }
                if let badge = row.badge { html.add(badge, after: " ") }
                for line in row.lines { html.element("p", [.with("class", "help"), .with("dir", "auto")], line) }
            }
            if let action = row.action { html.add(action) }
        }
    }

    mutating func add(_ badge: PageBadge, after space: String) {
        text(space)
        let tone =
            switch badge.tone {
            case .plain: "badge"
            case .good: "badge good"
            case .wait: "badge wait"
            case .bad: "badge bad"
            }
        element("span", [.with("class", tone)], badge.text)
    }

    mutating func add(_ action: PageAction, isSmall: Bool = true) {
        let look = (isSmall ? "quiet small" : action.isQuiet ? "quiet" : "") + (action.isDangerous ? " danger" : "")
        guard let post = action.post else {
            return element(
                "a",
                [
                    .with("class", look.isEmpty ? "button" : "button " + look), .with("href", action.path),
                    .with("aria-label", action.described),
                ], action.text)
        }
        element("form", [.with("method", "post"), .with("action", action.path)]) { html in
            html.element(
                "button",
                [
                    .with("class", look), .with("name", post.name), .with("value", post.value),
                    .with("aria-label", action.described),
                ], action.text)
        }
    }
}
