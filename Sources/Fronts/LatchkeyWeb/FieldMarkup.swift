import LatchkeyForms
import LatchkeySecrets

/// The markup of one field: label, help, control and error message.
struct FieldMarkup {
    private let field: any FormField
    /// The visible field; nil if the condition of the field is not met.
    private let shown: FormViewState.Field?
    private let page: FormPage

    init(_ field: any FormField, _ shown: FormViewState.Field?, in page: FormPage) {
        self.field = field
        self.shown = shown
        self.page = page
    }

    private var id: String { field.apiKey.elementID }
    private var site: WebSite { page.site }

    func add(to html: inout HTML) {
        let isGroup = usesRadioButtons || field.kind == .choices
        html.element(
            isGroup ? "fieldset" : "div",
            [
                .with("class", "field"), .with("id", isGroup ? id : nil), .with("tabindex", isGroup ? "-1" : nil),
                .flag("hidden", field.apiKey == .code && page.hidesCode),
            ]
                + (isGroup ? described : []) + conditions
        ) { html in
            if field.kind == .boolean {
                html.element("label", [.with("class", "option")]) { html in
                    addControl(to: &html)
                    html.text(field.label)
                }
                addHelp(to: &html)
            } else {
                html.element(isGroup ? "legend" : "label", isGroup ? [] : [.with("for", id)]) { html in
                    html.text(field.label)
                    if field.isOptional {
                        html.element("span", [.with("class", "optional")], site.sentence("optional"))
                    }
                }
                addHelp(to: &html)
                addControl(to: &html)
            }
            addError(to: &html)
            // The script changes the requirements of a password, so this sentence is on its own.
            if isNewPassword, let explanation = page.explanation(of: field.apiKey) {
                html.element("p", [.with("class", "help")], explanation)
            }
        }
    }

    /// The condition under which the field must be filled in. Without the script, the field is always visible, with a
    /// note about the condition.
    private var conditions: [HTML.Attribute] {
        guard let condition = field.condition else { return [] }
        return [
            .with("data-when", condition.field.rawValue),
            .with("data-is", condition.values.map(\.text).joined(separator: "\n")),
        ]
    }

    private var message: String? { page.message(of: field.apiKey) }

    private var help: [String] {
        var sentences: [String] = []
        if let condition = field.condition, let other = page.form.field(condition.field) {
            let answers = condition.values.map { value in
                other.options.first { $0.value == value.text }?.label ?? site.answer(value)
            }
            sentences.append(
                site.sentence(
                    "when", ["field": .text(other.label), "values": .text(answers.joined(separator: ", "))]))
        }
        if let help = field.help ?? (isNewPassword ? nil : page.explanation(of: field.apiKey)) {
            sentences.append(help)
        }
        if field.help == nil, let place = page.form.fields.firstIndex(where: { $0.apiKey == field.apiKey }),
            let demand = page.form.demand(at: place, site.messages)
        {
            sentences.append(demand)
        }
        return sentences
    }

    /// Whether the help only states what a new password needs, so that the script can mark it as met.
    private var isRequirement: Bool { isNewPassword && field.help == nil && help.count == 1 && field.condition == nil }

    private var isNewPassword: Bool { field.isSecret && field.isMasked && autocomplete == "new-password" }

    private func addHelp(to html: inout HTML) {
        guard !help.isEmpty else { return }
        html.element(
            "p", [.with("class", isRequirement ? "need" : "help"), .with("id", id + "-help")],
            help.joined(separator: ". "))
    }

    /// The style sheet draws an icon before the text, because many people cannot distinguish colours.
    private func addError(to html: inout HTML) {
        html.element(
            "p", [.with("class", "error"), .with("id", id + "-error"), .flag("hidden", message == nil)]
        ) {
            html in
            if let message { html.text(message) }
        }
    }

    private var described: [HTML.Attribute] {
        let ids = (help.isEmpty ? [] : [id + "-help"]) + [id + "-error"]
        return [
            .with("aria-describedby", ids.joined(separator: " ")),
            .with("aria-invalid", message == nil ? nil : "true"),
        ]
    }

    private var common: [HTML.Attribute] {
        [.with("id", id), .with("name", field.apiKey.rawValue), .flag("autofocus", page.focused == field.apiKey)]
            + described + [.with("aria-required", field.isOptional || field.kind == .boolean ? nil : "true")]
    }

    // MARK: Controls

    private func addControl(to html: inout HTML) {
        switch field.kind {
        case .boolean: addCheckbox(to: &html)
        case .choice: usesRadioButtons ? addOptions("radio", to: &html) : addSelect(to: &html)
        case .choices: addOptions("checkbox", to: &html)
        case .multiline:
            html.element(
                "textarea", common + [.with("rows", "4"), .with("dir", "auto"), .with("autocomplete", autocomplete)]
            ) { html in
                // Browsers drop the first line break in a text area.
                html.value("\n" + text)
            }
        case .text, .date: addInput(to: &html)
        }
    }

    private var text: String {
        guard case .plain(let text)? = shown?.text else { return "" }
        return text
    }

    private func addInput(to html: inout HTML) {
        let isHidden = field.isSecret && field.isMasked
        let suggestions = (field as? any FormTextField)?.suggestions ?? []
        html.element("div", [.with("class", "control")]) { html in
            html.open(
                "input",
                common + [
                    .with("type", isHidden ? "password" : inputType), .with("inputmode", inputMode),
                    .with("class", field.apiKey == .code && page.showsAuthenticator ? "otp" : nil),
                    .with("value", field.apiKey == .code ? page.code?.shownText : field.isSecret ? nil : text),
                    .with("dir", isFreeText ? "auto" : nil), .with("autocomplete", autocomplete),
                    .with("autocapitalize", keyboard == .default && !isName ? nil : "none"),
                    .with("spellcheck", field.isSecret || isName ? "false" : nil),
                    .with("placeholder", placeholder), .with("list", suggestions.isEmpty ? nil : id + "-list"),
                    .flag("data-meter", isNewPassword),
                ])
        }
        if !suggestions.isEmpty {
            html.element("datalist", [.with("id", id + "-list")]) { html in
                for suggestion in suggestions { html.open("option", [.with("value", suggestion)]) }
            }
        }
    }

    private func addCheckbox(to html: inout HTML) {
        // Browsers send nothing for an unchecked box. This hidden field shows that the box was on the page.
        html.open(
            "input", [.with("type", "hidden"), .with("name", field.apiKey.rawValue), .with("value", "false")])
        html.open(
            "input",
            common + [
                .with("type", "checkbox"), .with("value", "true"), .flag("checked", shown?.value == .boolean(true)),
            ])
    }

    private func addSelect(to html: inout HTML) {
        html.element("select", common) { html in
            if text.isEmpty { html.element("option", [.with("value", "")], "") }
            for option in field.options {
                html.element(
                    "option", [.with("value", option.value), .flag("selected", option.value == text)], option.label)
            }
        }
    }

    private func addOptions(_ type: String, to html: inout HTML) {
        let chosen: [String] = if case .list(let values)? = shown?.value { values } else { [text] }
        if type == "checkbox" {
            html.open("input", [.with("type", "hidden"), .with("name", field.apiKey.rawValue), .with("value", "")])
        }
        for (place, option) in field.options.enumerated() {
            html.element("label", [.with("class", "option")]) { html in
                html.open(
                    "input",
                    [
                        .with("type", type), .with("id", id + "-\(place + 1)"), .with("name", field.apiKey.rawValue),
                        .with("value", option.value), .flag("checked", chosen.contains(option.value)),
                    ])
                html.text(option.label)
            }
        }
    }

    /// Up to four options are shown as radio buttons.
    private var usesRadioButtons: Bool { field.kind == .choice && field.options.count <= 4 }

    /// Whether the text may be in any script, so that its first letter decides its direction.
    private var isFreeText: Bool {
        field.kind == .text && keyboard == .default && !field.isSecret && field.apiKey != .code
    }

    private var keyboard: KeyboardType { (field as? any FormTextField)?.keyboardType ?? .default }

    private var isName: Bool { field.apiKey == .username || field.apiKey == .code }

    private var inputType: String {
        if field.kind == .date { return "date" }
        return switch keyboard {
        case .emailAddress: "email"
        case .phonePad: "tel"
        case .url: "url"
        case .default, .numberPad: "text"
        }
    }

    private var inputMode: String? { keyboard == .numberPad ? "numeric" : nil }

    private var autocomplete: String? {
        // The browser suggests passkeys too (WebAuthn Level 3, section 5.1.4).
        if field.autocomplete == "username", page.suggestsPasskeys { return "username webauthn" }
        return field.autocomplete
            ?? (field.apiKey == .code ? "one-time-code" : field.isSecret ? "current-password" : nil)
    }

    /// A placeholder that only repeats the label is redundant.
    private var placeholder: String? {
        let isRepetition = field.placeholder.isEmpty || field.placeholder == field.label || field.isSecret
        return isRepetition || field.kind == .date ? nil : field.placeholder
    }
}

extension WebSite {
    fileprivate func answer(_ value: FieldValue) -> String {
        guard case .boolean(let isTrue) = value else { return value.text }
        return sentence(isTrue ? "yes" : "no")
    }
}
