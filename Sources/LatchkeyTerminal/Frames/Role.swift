import LatchkeyForms

/// What a text on the screen is for. The driver decides what that looks like; nothing is told by it alone.
public enum Role: String, Sendable, CaseIterable {
    case plain
    case title
    case label
    case value
    case placeholder
    case mask
    case error
    case hint
    case button
    case link
    case accent
    case success
    case warning
    case muted

    init(_ color: ColorRole) {
        switch color {
        case .default: self = .value
        case .accent: self = .accent
        case .success: self = .success
        case .warning: self = .warning
        case .muted: self = .muted
        }
    }

    init(_ strength: FormViewState.Strength) {
        switch strength.score {
        case ...1: self = .warning
        case 2: self = .hint
        default: self = .success
        }
    }
}
