package import LatchkeySecrets

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

    /// The state of an account, a check or a record, in one or two words.
    package struct Badge: Sendable {
        /// The colour.
        package enum Tone: Sendable { case plain, good, wait, bad }
        let text: String
        let tone: Tone

        package init(_ text: String, _ tone: Tone = .plain) { (self.text, self.tone) = (text, tone) }
    }

    /// A link or a button.
    package struct Action: Sendable {
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
        ) -> Action {
            Action(
                text: text, path: path, post: nil, described: described, isDangerous: isDangerous, isQuiet: isQuiet)
        }

        /// A button that posts a value named `do`, or another.
        package static func button(
            _ text: String, _ path: String, doing value: String, named name: String = "do",
            describedAs described: String? = nil
        ) -> Action {
            Action(text: text, path: path, post: (name, value), described: described, isDangerous: false, isQuiet: true)
        }
    }

    /// A row of a section.
    package struct Row: Sendable {
        let icon: Icon?
        let title: String
        let path: String?
        let badge: Badge?
        let lines: [String]
        let action: Action?

        /// - Parameters:
        ///   - path: the page to which the title leads; nil for none.
        ///   - lines: facts and explanations below the title.
        package init(
            _ title: String, at path: String? = nil, icon: Icon? = nil, badge: Badge? = nil, _ lines: [String] = [],
            action: Action? = nil
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
    package struct Fact: Sendable {
        let title: String
        let value: String
        let badge: Badge?
        /// A second line, such as where a setting comes from.
        let note: String?

        package init(_ title: String, _ value: String, badge: Badge? = nil, note: String? = nil) {
            self.title = title
            self.value = value
            self.badge = badge
            self.note = note
        }
    }

    /// A field of a search, or of a form with one field.
    package struct Field: Sendable {
        let name: String
        let label: String
        let value: String
        /// The type of the input, such as `search` or `date`.
        let type: String
        /// The values to choose from; nil for a text.
        let options: [String]?

        package init(
            _ name: String, _ label: String, value: String = "", type: String = "text", options: [String]? = nil
        ) {
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
        let fields: [Field]
        /// Names and values that the form repeats.
        let hidden: [(name: String, value: String)]
        let submit: String

        /// - Parameter isSearch: whether the form asks for a page instead of changing something.
        package init(
            _ path: String, isSearch: Bool = false, _ fields: [Field], hidden: [(name: String, value: String)] = [],
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
    package struct Cell: Sendable {
        let text: String
        let path: String?
        let note: String?
        let badges: [Badge]
        let action: Action?

        package init(
            _ text: String = "", at path: String? = nil, note: String? = nil, badges: [Badge] = [],
            action: Action? = nil
        ) {
            self.text = text
            self.path = path
            self.note = note
            self.badges = badges
            self.action = action
        }
    }

    /// A table, whose rows are cards on a phone.
    package struct Table: Sendable {
        /// How a column looks on a phone.
        package enum Role: String, Sendable {
            /// The first line.
            case title
            /// At the end of the first line.
            case side
            /// A line of its own.
            case line
            /// A value that does not break.
            case keep
        }

        /// A column: its heading, its role, and whether a phone shows the heading before the value.
        package struct Column: Sendable {
            let title: String
            let role: Role
            let isLabelled: Bool

            package init(_ title: String, _ role: Role, isLabelled: Bool = false) {
                self.title = title
                self.role = role
                self.isLabelled = isLabelled
            }
        }

        let caption: String
        let columns: [Column]
        let rows: [[Cell]]

        package init(_ caption: String, _ columns: [Column], rows: [[Cell]]) {
            self.caption = caption
            self.columns = columns
            self.rows = rows
        }
    }

    /// A section with a heading next to its content.
    package struct Section: Sendable {
        let id: String
        let title: String
        let help: String?
        let link: Action?
        let facts: [Fact]
        let rows: [Row]
        let actions: [Action]
        let form: InlineForm?

        package init(
            _ id: String, _ title: String, help: String? = nil, link: Action? = nil, facts: [Fact] = [],
            rows: [Row] = [], actions: [Action] = [], form: InlineForm? = nil
        ) {
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
    package enum Block: Sendable {
        case notice(String)
        case alert(String, [String])
        case text(String)
        case figures([(title: String, path: String, value: String, note: String)])
        case form(InlineForm)
        /// Links that choose what the list shows. One of them is the current one.
        case filters([(text: String, path: String, isCurrent: Bool)])
        case table(Table)
        /// A list without an entry: what is missing, and the way out.
        case empty(String, String, Action?)
        case section(Section)
        /// The end of a list: what it shows, and the way to the next page.
        case pages(String, Action?)
        /// A secret that was just created, or a link with it.
        case secret(title: String, help: String, label: String, Secret)
    }

    let tab: Tab
    let title: String
    let badges: [Badge]
    let subtitle: String?
    let back: Action?
    let actions: [Action]
    let blocks: [Block]

    /// - Parameters:
    ///   - badges: states of the object, next to the heading.
    ///   - back: the list to which the object belongs.
    ///   - actions: links and buttons next to the heading.
    package init(
        _ tab: Tab, _ title: String, badges: [Badge] = [], subtitle: String? = nil, back: Action? = nil,
        actions: [Action] = [], _ blocks: [Block]
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
    let keep: AdminPage.Action
    let confirm: AdminPage.Action

    /// - Parameters:
    ///   - sentences: what is lost.
    ///   - typed: the label of the field for the name of the object, and the reason why the last name was refused.
    ///   - keep: the way back.
    ///   - confirm: the button that does it.
    package init(
        _ tab: AdminPage.Tab, _ title: String, _ sentences: [String],
        typed: (label: String, failure: String?)? = nil, keep: AdminPage.Action, confirm: AdminPage.Action
    ) {
        self.tab = tab
        self.title = title
        self.sentences = sentences
        self.typed = typed
        self.keep = keep
        self.confirm = confirm
    }
}
