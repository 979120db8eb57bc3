/// What a colour is for; which colour that is, the terminal decides.
public enum ColorRole: String, Sendable, CaseIterable {
    case `default`
    case accent
    case success
    case warning
    case muted
}
