/// What roles look like. 16-colour attributes, readable on dark and on light; no role is told by its colour alone.
struct Palette {
    let usesColor: Bool

    /// The parameters of the SGR sequence (ECMA-48, section 8.3.117); nil for plain text.
    func attributes(of role: Role) -> String? {
        guard usesColor else { return nil }
        switch role {
        case .plain, .label, .value, .mask: return nil
        case .title: return "1"
        case .button: return "1"
        // Faint, and not a grey: which grey can be read depends on the background.
        case .placeholder, .hint, .muted: return "2"
        case .error: return "31"
        case .warning: return "33"
        case .success: return "32"
        case .accent: return "36"
        case .link: return "4"
        }
    }
}
