/// What roles look like. No role is told by its colour alone.
struct Palette {
    let usesColor: Bool

    /// The parameters of the SGR sequence (ECMA-48, section 8.3.117); nil for plain text.
    ///
    /// Of the colours that are there on every terminal, red and magenta alone can be read on white as well as on black
    /// (3:1 and more by WCAG 2.2's formula, with xterm's standard colours); yellow and cyan vanish on white, blue on
    /// black. Green is for what need not be read.
    func attributes(of role: Role) -> String? {
        guard usesColor else { return nil }
        switch role {
        case .plain, .label, .value, .mask: return nil
        case .title, .button: return "1"
        // Faint, and not a grey: which grey can be read depends on the background.
        case .placeholder, .hint, .muted: return "2"
        case .error: return "31"
        case .warning, .accent: return "35"
        case .success: return "32"
        case .link: return "4"
        }
    }
}
