package import LatchkeySecrets

/// The state of an account, a check or a record, in one or two words.
package struct PageBadge: Sendable {
    /// The colour.
    package enum Tone: Sendable { case plain, good, wait, bad }
    let text: String
    let tone: Tone

    package init(_ text: String, _ tone: Tone = .plain) { (self.text, self.tone) = (text, tone) }
}

/// A link or a button.
package struct PageAction: Sendable {
    let text: String
    let path: String
    /// The name and value to post; nil for a link.
    let post: (name: String, value: String)?
    /// The name for screen readers, which includes the object; nil for `text`.
    let described: String?
    let isDangerous: Bool
    /// Whether a link next to the heading is not the main action of the page.
    let isQuiet: Bool

    /// A link to another page.
    package static func link(
        _ text: String, _ path: String, describedAs described: String? = nil, isDangerous: Bool = false,
        isQuiet: Bool = false
    ) -> PageAction {
        PageAction(
            text: text, path: path, post: nil, described: described, isDangerous: isDangerous, isQuiet: isQuiet)
    }

    /// A button that posts a value named `do`, or another.
    package static func button(
        _ text: String, _ path: String, doing value: String, named name: String = "do",
        describedAs described: String? = nil
    ) -> PageAction {
        PageAction(text: text, path: path, post: (name, value), described: described, isDangerous: false, isQuiet: true)
    }
}

/// A row of a section.
package struct PageRow: Sendable {
    let icon: Icon?
    let title: String
    let path: String?
    let badge: PageBadge?
    let lines: [String]
    let action: PageAction?

    /// - Parameters:
    ///   - path: the page to which the title leads; nil for none.
    ///   - lines: facts and explanations below the title.
    package init(
        _ title: String, at path: String? = nil, icon: Icon? = nil, badge: PageBadge? = nil, _ lines: [String] = [],
        action: PageAction? = nil
    ) {
        self.icon = icon
        self.title = title
        self.path = path
        self.badge = badge
        self.lines = lines
        self.action = action
    }
}

/// A value with its label.
package struct PageFact: Sendable {
    let title: String
    let value: String
    let badge: PageBadge?
    /// A second line, such as where a setting comes from.
    let note: String?
    /// Whether people copy the value into another program.
    let isCopied: Bool

    package init(
        _ title: String, _ value: String, badge: PageBadge? = nil, note: String? = nil, isCopied: Bool = false
    ) {
        self.isCopied = isCopied
        self.title = title
        self.value = value
        self.badge = badge
        self.note = note
    }
}

/// A field of a search, or of a form with one field.
package struct PageField: Sendable {
    let name: String
    let label: String
    let value: String
    /// The type of the input, such as `search` or `date`.
    let type: String
    /// The values to choose from; nil for a text.
    let options: [String]?
    /// The reason why the value was refused; nil if it was not.
    let failure: String?

    package init(
        _ name: String, _ label: String, value: String = "", type: String = "text", options: [String]? = nil,
        failure: String? = nil
    ) {
        self.failure = failure
        self.name = name
        self.label = label
        self.value = value
        self.type = type
        self.options = options
    }
}

/// A form on one line.
package struct InlineForm: Sendable {
    let path: String
    let isSearch: Bool
    let fields: [PageField]
    /// Names and values that the form repeats.
    let hidden: [(name: String, value: String)]
    let submit: String

    /// - Parameter isSearch: whether the form asks for a page instead of changing something.
    package init(
        _ path: String, isSearch: Bool = false, _ fields: [PageField], hidden: [(name: String, value: String)] = [],
        submit: String
    ) {
        self.path = path
        self.isSearch = isSearch
        self.fields = fields
        self.hidden = hidden
        self.submit = submit
    }
}

/// A cell of a table.
package struct TableCell: Sendable {
    let text: String
    let path: String?
    let note: String?
    let badges: [PageBadge]
    let action: PageAction?

    package init(
        _ text: String = "", at path: String? = nil, note: String? = nil, badges: [PageBadge] = [],
        action: PageAction? = nil
    ) {
        self.text = text
        self.path = path
        self.note = note
        self.badges = badges
        self.action = action
    }
}

/// A table, whose rows are cards on a phone.
package struct PageTable: Sendable {
    /// How a column looks on a phone.
    package enum Role: String, Sendable {
        /// The first line.
        case title
        /// At the end of the first line.
        case side
        /// On a separate line.
        case line
        /// A value that does not break.
        case keep
    }

    /// A column: its heading, its role, and whether a phone shows the heading before the value.
    package struct Column: Sendable {
        let title: String
        let role: Role
        let isLabelled: Bool
        /// Whether only screen readers read the heading, because the cells contain buttons.
        let isHeadingHidden: Bool

        package init(_ title: String, _ role: Role, isLabelled: Bool = false, isHeadingHidden: Bool = false) {
            self.title = title
            self.role = role
            self.isLabelled = isLabelled
            self.isHeadingHidden = isHeadingHidden
        }
    }

    let caption: String
    let columns: [Column]
    let rows: [[TableCell]]

    package init(_ caption: String, _ columns: [Column], rows: [[TableCell]]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }
}

/// A section with a heading next to its content.
package struct PageSection: Sendable {
    let id: String
    let title: String
    let help: String?
    let link: PageAction?
    let facts: [PageFact]
    let rows: [PageRow]
    let actions: [PageAction]
    let form: InlineForm?
    /// Whether the form precedes a list that may be long.
    let hasFormFirst: Bool
    /// Whether the section has the button that creates a passkey.
    let addsPasskey: Bool

    package init(
        _ id: String, _ title: String, help: String? = nil, link: PageAction? = nil, facts: [PageFact] = [],
        rows: [PageRow] = [], actions: [PageAction] = [], form: InlineForm? = nil, hasFormFirst: Bool = false,
        addsPasskey: Bool = false
    ) {
        self.hasFormFirst = hasFormFirst
        self.addsPasskey = addsPasskey
        self.id = id
        self.title = title
        self.help = help
        self.link = link
        self.facts = facts
        self.rows = rows
        self.actions = actions
        self.form = form
    }
}

/// A part of a page.
package enum PageBlock: Sendable {
    case notice(String)
    case alert(String, [String])
    case text(String)
    case figures([(title: String, path: String, value: String, note: String)])
    case chart(PageChart)
    case form(InlineForm)
    /// Links that choose what the list shows. One of them is the current one.
    case filters([(text: String, path: String, isCurrent: Bool)])
    case table(PageTable)
    /// A list without an entry: what is missing, and the way out.
    case empty(String, String, PageAction?)
    case section(PageSection)
    /// The end of a list: what it shows, and the way to the next page.
    case pages(String, PageAction?)
    /// A secret that was just created, or a link with it.
    case secret(title: String, help: String, label: String, Secret)
}
