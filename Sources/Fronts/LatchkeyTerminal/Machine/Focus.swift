public import LatchkeyForms

/// The element that receives key presses.
public enum Focus: Hashable, Sendable {
    /// A field.
    case field(FieldKey)
    /// The button.
    case submit
    /// A link to another form.
    case link(AccountType)
}

extension FormViewState {
    /// The form's links, followed by those from the alert.
    var allLinks: [Link] {
        var all = links
        for action in alert?.actions ?? [] {
            // An action that corrects a field moves the focus and needs no button.
            guard case .open(let type) = action.meaning, !all.contains(where: { $0.type == type }) else { continue }
            all.append(Link(type: type, label: action.title))
        }
        return all
    }

    /// All focusable elements, in Tab order. The order wraps around.
    var focusOrder: [Focus] { fields.map { .field($0.key) } + [.submit] + allLinks.map { .link($0.type) } }

    /// The first field that is empty or invalid, or the button if there is none.
    var firstUnanswered: Focus {
        let field = fields.first { $0.failure != nil || ($0.text.isEmpty && !($0.isOptional && $0.isTouched)) }
        return field.map { .field($0.key) } ?? .submit
    }

    /// Whether the user reviews all answers before they are submitted.
    var hasReview: Bool {
        form == AccountType.setup.rawValue || pages.count > 1 || fields.count > 4
    }

    /// The page to show: the focused field's page, or nil for the review of all pages.
    func page(for focus: Focus) -> Int? {
        guard pages.count > 1 else { return 0 }
        guard case .field(let key) = focus else { return nil }
        return field(key)?.page ?? 0
    }

    func field(_ key: FieldKey) -> Field? { fields.first { $0.key == key } }
}

extension FormViewState.Text {
    /// The number of graphemes in the text.
    var count: Int {
        switch self {
        case .plain(let text): text.count
        case .secret(let graphemes): graphemes
        }
    }
}
