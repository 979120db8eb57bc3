import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyTerminal

/// Pictures of frames, and the colours of themes.
@Suite(.timeLimit(.minutes(60)))
struct FrameSVGTests {
    @Test func `a frame becomes an image with its text, in light and dark colours`() throws {
        let scene = FrameTests.Scene(name: "login-typing", type: .login, actions: ["type:ada <&> lovelace", "left"])
        let svg = try FrameTests.frame(scene, columns: 40).svg(columns: 40)
        try Golden.expect(svg, "frames/login-typing.svg")
        #expect(svg.contains("ada &lt;&amp;&gt; lovelace") && svg.contains("prefers-color-scheme: dark"))
    }

    @Test func `a secret that is visible on screen is masked in an image`() {
        var frame = Frame()
        frame.lines = [Frame.Line([.secret(.password, columns: 0..<5)])]
        #expect(frame.svg(columns: 20).contains(">•••••</text>"))
    }

    /// WCAG 2.2, success criterion 1.4.6.
    @Test(arguments: Role.allCases)
    func `the colours of a theme have enough contrast with its background`(role: Role) {
        for (theme, background) in [(Theme.light, 1.0), (.dark, 0.0)] {
            guard let color = Palette(usesColor: true, theme: theme).color(of: role) else { continue }
            let luminance = XtermColor(color).luminance
            let contrast = (max(luminance, background) + 0.05) / (min(luminance, background) + 0.05)
            #expect(contrast >= 7, "\(role) \(theme): \(contrast)")
        }
    }

    @Test func `the high-contrast theme uses no colours and no faint text`() {
        // A QR code is black and white in every theme, or readers refuse it.
        for role in Role.allCases where role != .qrCode {
            let palette = Palette(usesColor: false, theme: .highContrast)
            let parameters = palette.attributes(of: role)?.split(separator: ";") ?? []
            #expect(parameters.allSatisfy { ["1", "4", "7"].contains($0) })
        }
        #expect(Palette(usesColor: false, theme: .highContrast).attributes(of: .error) == "1;7")
        #expect(Palette(usesColor: false, theme: .dark).attributes(of: .error) == nil)
    }
}

extension XtermColor {
    /// The relative luminance of WCAG 2.2, 0 to 1.
    fileprivate var luminance: Double {
        func linear(_ level: Int) -> Double {
            let value = Double(level) / 255
            // (x + 0.055) / 1.055 to the power of 2.4, by repeated roots: 2.4 = 2 + 0.4.
            guard value > 0.04045 else { return value / 12.92 }
            let base = (value + 0.055) / 1.055
            return base * base * fifthRoot(base) * fifthRoot(base)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    private func fifthRoot(_ value: Double) -> Double {
        var root = value
        for _ in 0..<60 { root = (4 * root + value / (root * root * root * root)) / 5 }
        return root
    }
}
