import LatchkeyForms

/// A page of the logged-in account: sections, each with its state and its actions.
package struct AccountPage: Sendable {
    private let title: String
    private let blocks: [PageBlock]
    private let isPart: Bool
    private let site: WebSite

    /// - Parameters:
    ///   - title: the heading; nil for the account itself.
    ///   - blocks: the parts of the page.
    package init(_ title: String? = nil, _ blocks: [PageBlock], on site: WebSite) {
        self.title = title ?? site.sentence("account")
        isPart = title != nil
        self.blocks = blocks
        self.site = site
    }

    /// The page.
    package var html: String {
        let heading: ((inout HTML) -> Void)? = isPart ? nil : { html in addHeading(to: &html) }
        return site.page(title, .page, hasBackLink: isPart, heading: heading) { html in
            for block in blocks { html.add(block, on: site) }
        }
    }

    /// The heading, next to the way back to the place from which the user came.
    private func addHeading(to html: inout HTML) {
        html.element("div", [.with("class", "row head")]) { html in
            html.element("h1", title)
            if let place = site.returnTo {
                let text = site.application.map { site.sentence("back_to", ["application": .text($0)]) }
                html.add(.link(text ?? site.sentence("go_back"), place))
            }
        }
    }

    /// The path to which the account page posts the application to disconnect.
    package static let applicationsPath = "/account/applications"
    /// The path to which the account page posts changes of the second factor.
    package static let factorsPath = "/account/factors"
    /// The page that asks for confirmation before the authenticator app is removed.
    package static let removalPath = "/account/factors/remove"
    /// The page that asks for confirmation before new saved codes replace the old ones.
    package static let newCodesPath = "/account/factors/codes"
    /// The page with all sessions, to which the session to end is posted.
    package static let sessionsPath = "/account/sessions"
    /// The page for a new app password, to which the app password to remove is posted too.
    package static let appPasswordsPath = "/account/app-passwords"
    /// The page with the file of everything stored about the account.
    package static let dataPath = "/account/data"
    /// The page that asks for the name of a new passkey.
    package static let passkeyNamePath = "/account/passkeys/name"
}
