/// A page for administrators: a heading, then blocks below each other. It contains values for people and makes no
/// decisions.
package struct AdminPage: Sendable {
    /// A part of the administration, with an entry in the bar.
    package enum Tab: String, CaseIterable, Sendable {
        case overview, people, groups, invitations, sessions, audit, applications, settings

        /// The path of the part's first page.
        package var path: String { self == .overview ? AdminPage.root : AdminPage.root + "/" + rawValue }
    }

    /// The path of the administration.
    package static let root = "/admin"

    let tab: Tab
    let title: String
    let badges: [PageBadge]
    let subtitle: String?
    let back: PageAction?
    let actions: [PageAction]
    let blocks: [PageBlock]

    /// - Parameters:
    ///   - badges: states of the object, next to the heading.
    ///   - back: the list to which the object belongs.
    ///   - actions: links and buttons next to the heading.
    package init(
        _ tab: Tab, _ title: String, badges: [PageBadge] = [], subtitle: String? = nil, back: PageAction? = nil,
        actions: [PageAction] = [], _ blocks: [PageBlock]
    ) {
        self.tab = tab
        self.title = title
        self.badges = badges
        self.subtitle = subtitle
        self.back = back
        self.actions = actions
        self.blocks = blocks
    }
}

/// A page that asks an administrator before something is destroyed.
package struct AdminQuestion: Sendable {
    let tab: AdminPage.Tab
    let title: String
    let sentences: [String]
    /// The text that must be typed, and the label of its field; nil if a button is enough.
    let typed: (label: String, failure: String?)?
    /// The name of the object, whose page is the way back.
    let back: String
    let keep: PageAction
    let confirm: PageAction

    /// - Parameters:
    ///   - sentences: what is lost.
    ///   - typed: the label of the field for the name of the object, and the reason why the last name was refused.
    ///   - back: the name of the object, to whose page `keep` leads.
    ///   - keep: the way back.
    ///   - confirm: the button that does it.
    package init(
        _ tab: AdminPage.Tab, _ title: String, _ sentences: [String],
        typed: (label: String, failure: String?)? = nil, back: String, keep: PageAction, confirm: PageAction
    ) {
        self.back = back
        self.tab = tab
        self.title = title
        self.sentences = sentences
        self.typed = typed
        self.keep = keep
        self.confirm = confirm
    }
}
