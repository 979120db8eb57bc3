import LatchkeyForms

extension FormPage {
    /// The factors with a code that can complete a login.
    package struct Factors: Sendable {
        let hasApp: Bool
        let hasSavedCodes: Bool
        /// Whether the refused code was a saved one.
        let wasSavedCode: Bool

        package init(hasApp: Bool = true, hasSavedCodes: Bool = true, wasSavedCode: Bool = false) {
            (self.hasApp, self.hasSavedCodes, self.wasSavedCode) = (hasApp, hasSavedCodes, wasSavedCode)
        }
    }

    var isSecondFactor: Bool { form.accountType == .secondFactor }

    /// The hidden field that the form for a saved code has.
    package static let savedCodeField = "saved"

    /// Whether the refusal belongs to the folded form for a saved code.
    private var refusedSavedCode: Bool { factors.wasSavedCode && factors.hasApp && factors.hasSavedCodes }

    /// Adds the factors that the account has, the best one first: a passkey, a code of the app, a saved code.
    func addSecondFactor(to html: inout HTML) {
        if site.offersPasskeys { PasskeyForm.secondFactor.add(to: &html, on: site) }
        addCodeForm(isSaved: !factors.hasApp, to: &html)
        html.element("div") { html in
            if factors.hasApp, factors.hasSavedCodes {
                html.element("details", [.flag("open", refusedSavedCode)]) { html in
                    html.element("summary", site.sentence("saved_code_use"))
                    addCodeForm(isSaved: true, isFolded: true, to: &html)
                }
            }
            html.element("details") { html in
                html.element("summary", site.sentence("device_lost"))
                html.element(
                    "p",
                    factors.hasSavedCodes
                        ? site.sentence("device_lost_explained") : site.sentence("device_lost_without"))
            }
        }
        site.addLinks(links, to: &html)
    }

    /// Adds the form for a code. The service takes a code of an app and a saved code in the same field.
    private func addCodeForm(isSaved: Bool, isFolded: Bool = false, to html: inout HTML) {
        let id = isFolded ? "field-saved" : FieldKey.code.elementID
        let isRefused = isFolded == refusedSavedCode
        let failure = isRefused ? state.fields.first { $0.key == .code }?.message : nil
        html.element("form", isFolded ? plainAttributes : formAttributes) { html in
            addHidden(to: &html)
            if isFolded {
                html.open("input", [.with("type", "hidden"), .with("name", Self.savedCodeField), .with("value", "1")])
            } else {
                addAccountName(to: &html)
            }
            html.element("div", [.with("class", "field")]) { html in
                html.element(
                    "label", [.with("for", id)],
                    isSaved ? site.sentence("saved_code") : site.sentence("app_code_label"))
                html.element(
                    "p", [.with("class", "help"), .with("id", id + "-help")],
                    isSaved ? site.sentence("saved_code_help") : site.sentence("app_code_help"))
                html.element("div", [.with("class", "control")]) { html in
                    html.open(
                        "input",
                        [
                            .with("type", "text"), .with("id", id), .with("name", FieldKey.code.rawValue),
                            .with("class", isSaved ? nil : "otp"), .with("inputmode", isSaved ? nil : "numeric"),
                            .with("autocomplete", isSaved ? "off" : "one-time-code"),
                            .with("autocapitalize", "none"), .with("spellcheck", "false"),
                            .with("aria-describedby", id + "-help" + (failure == nil ? "" : " " + id + "-error")),
                            .with("aria-required", "true"), .with("aria-invalid", failure == nil ? nil : "true"),
                            .flag("autofocus", isRefused && focused == .code),
                        ])
                }
                if let failure {
                    html.element("p", [.with("class", "error"), .with("id", id + "-error")], failure)
                }
            }
            html.element(
                "button",
                [.with("id", isFolded ? nil : "submit"), .with("class", isFolded ? "quiet" : nil)], state.submit)
        }
    }
}
