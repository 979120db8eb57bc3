public import LatchkeyForms

/// Where the keys go.
public enum Focus: Hashable, Sendable {
    case field(FieldKey)
    case submit
    case link(AccountType)
}

extension FormViewState {
    /// What can be followed from here: the form's links, and what the alert offers beyond them.
    var ways: [Link] {
        var ways = links
        for action in alert?.actions ?? [] where !ways.contains(where: { $0.type == action.flow }) {
            ways.append(Link(type: action.flow, label: action.title))
        }
        return ways
    }

    /// Every place the focus can be in, in order; it goes round.
    var stops: [Focus] { fields.map { .field($0.key) } + [.submit] + ways.map { .link($0.type) } }

    /// The first field that has no answer yet or a wrong one; the button where there is none.
    var firstOpenStop: Focus {
        let open = fields.first { $0.failure != nil || ($0.text.isEmpty && !($0.isOptional && $0.isTouched)) }
        return open.map { .field($0.key) } ?? .submit
    }

    /// Whether all answers are looked over before they are sent.
    var hasReview: Bool {
        switch AccountType(rawValue: form) {
        case .setup: true
        case .login, .forgotPassword, .resetPassword, .changePassword, .profile, .deleteAccount, nil: false
        }
    }

    func field(_ key: FieldKey) -> Field? { fields.first { $0.key == key } }
}

extension FormViewState.Text {
    /// How many graphemes it has.
    var count: Int {
        switch self {
        case .plain(let text): text.count
        case .secret(let graphemes): graphemes
        }
    }
}
