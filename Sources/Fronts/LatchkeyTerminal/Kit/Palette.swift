/// The color scheme for the terminal.
public enum Theme: String, Sendable, CaseIterable {
    /// Colours that are readable on white and on black.
    case auto
    /// Colours for a light background, on a terminal with 256 colours.
    case light
    /// Colours for a dark background, on a terminal with 256 colours.
    case dark
    /// Bold, underlined and reversed text in the terminal's colours, without faint text.
    case highContrast = "high-contrast"
}

/// The style of each role. Colour is never the only carrier of information.
package struct Palette {
    let usesColor: Bool
    let theme: Theme

    package init(usesColor: Bool, theme: Theme = .auto) {
        self.usesColor = usesColor
        self.theme = theme
    }

    /// The parameters of the SGR sequence (ECMA-48, section 8.3.117); nil for plain text.
    func attributes(of role: Role) -> String? {
        // This is an image for a camera, so it is white on black in every theme.
        if role == .qrCode { return usesColor ? "37;40" : nil }
        // High contrast uses no colours, so the setting for no colours does not affect it.
        if theme == .highContrast { return highContrast(role) }
        guard usesColor else { return nil }
        switch role {
        case .plain, .label, .value, .mask, .qrCode: return nil
        case .title, .button: return "1"
        // Faint text is used instead of grey, because a readable grey depends on the background.
        case .placeholder, .hint, .muted: return color(of: role).map { "38;5;\($0)" } ?? "2"
        case .error: return color(of: role).map { "38;5;\($0)" } ?? "31"
        case .warning, .accent: return color(of: role).map { "38;5;\($0)" } ?? "35"
        case .success: return color(of: role).map { "38;5;\($0)" } ?? "32"
        case .link: return color(of: role).map { "4;38;5;\($0)" } ?? "4"
        }
    }

    /// The colour of a role in xterm's palette of 256 colours; nil for the terminal's default.
    ///
    /// On the background of their theme, all have a contrast of at least 7:1 (WCAG 2.2, success criterion 1.4.6).
    /// `auto` uses none of them. Of the colours that every terminal has, only red and magenta are readable on both
    /// white and black. Green marks text that also has a symbol.
    package func color(of role: Role) -> Int? {
        let pair: (light: Int, dark: Int)
        switch role {
        case .plain, .label, .value, .mask, .title, .button, .qrCode: return nil
        case .placeholder, .hint, .muted: pair = (240, 248)
        case .error: pair = (88, 210)
        case .warning: pair = (52, 222)
        case .accent: pair = (54, 183)
        case .success: pair = (22, 114)
        case .link: pair = (18, 117)
        }
        switch theme {
        case .light: return pair.light
        case .dark: return pair.dark
        case .auto, .highContrast: return nil
        }
    }

    private func highContrast(_ role: Role) -> String? {
        switch role {
        case .plain, .value, .mask, .placeholder, .hint, .muted, .qrCode: nil
        case .label, .success, .accent: "1"
        case .title: "1;4"
        case .button, .error, .warning: "1;7"
        case .link: "4"
        }
    }
}
