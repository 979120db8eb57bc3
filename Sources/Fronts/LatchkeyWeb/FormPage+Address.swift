import LatchkeyForms

extension FormPage {
    /// The path to which the profile posts what happens to the address that waits.
    package static let addressPath = "/account/address"

    /// The new address of an account that waits for its code.
    package struct WaitingAddress: Sendable {
        let new: String
        let current: String
        /// Whether the person has just asked for another message.
        let isSentAgain: Bool

        package init(_ new: String, insteadOf current: String, isSentAgain: Bool = false) {
            (self.new, self.current, self.isSentAgain) = (new, current, isSentAgain)
        }
    }

    /// Adds the new address that waits for its code, and the way to keep the current one.
    func addWaitingAddress(to html: inout HTML) {
        guard let waiting else {
            // The script shows it if a link from an old mail has led here.
            guard form.accountType == .profile else { return }
            return html.element(
                "p", [.with("class", "alert"), .with("role", "status"), .with("id", "link-over"), .flag("hidden")],
                site.sentence("address_over"))
        }
        let current: [String: RuleFailure.Value] = ["email": .text(waiting.current)]
        // An account can also wait for the code to the address that it already has.
        let isOwn = waiting.new == waiting.current
        let explanation =
            switch (isOwn, waiting.isSentAgain) {
            case (true, false): site.sentence("address_own")
            case (true, true): site.sentence("address_own_again")
            case (false, false): site.sentence("address_waits_explained", current)
            case (false, true): site.sentence("address_waits_again", current)
            }
        // The script shows the second sentence instead if the link from the mail has led here.
        html.element(
            "div",
            [
                .with("class", "alert wait"), .with("role", "status"), .with("id", "waiting"),
                .with("data-opened", site.sentence("address_opened", ["email": .text(waiting.new)])),
            ]
        ) { html in
            html.element("p") { html in
                html.element("strong", site.sentence("address_waits", ["email": .text(waiting.new)]))
            }
            html.element("p", explanation)
            html.element(
                "form", [.with("method", "post"), .with("action", Self.addressPath), .with("class", "row")]
            ) { html in
                html.element(
                    "button", [.with("class", "link"), .with("name", "do"), .with("value", "again")],
                    site.sentence("address_again"))
                guard !isOwn else { return }
                html.element(
                    "button", [.with("class", "link"), .with("name", "do"), .with("value", "keep")],
                    site.sentence("address_keep", current))
            }
        }
    }
}
