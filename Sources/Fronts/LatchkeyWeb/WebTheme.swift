/// What an operator changes about the pages: colours, a logo, and a text at the end of each page.
///
/// Nothing in it becomes markup. The style sheet and the logo are files of their own, which the pages' policy keeps from
/// loading anything else; the text is escaped like any other.
package struct WebTheme: Sendable {
    /// The files that a theme may have.
    package enum File: String, CaseIterable, Sendable {
        case styleSheet = "theme.css"
        case vectorLogo = "logo.svg"
        case pixelLogo = "logo.png"
        case footer = "footer.txt"
    }

    /// The most bytes that a file may have.
    package static let maximumBytes = 64 * 1024

    /// A style sheet that comes after ours.
    private(set) var styleSheet: WebAssets?
    /// The picture above each page, and in the browser's tab.
    private(set) var logo: WebAssets?
    /// The lines at the end of each page.
    private(set) var footer: [String] = []

    /// A theme that changes nothing.
    package init() {}

    /// What the pages of the theme load, besides ``WebAssets/all``.
    package var assets: [WebAssets] { [styleSheet, logo].compactMap { $0 } }

    /// Adds a file. Of two logos, the one that is added first stays.
    ///
    /// - Returns: whether the content is what the name says.
    package mutating func add(_ bytes: [UInt8], as file: File) -> Bool {
        guard bytes.count <= Self.maximumBytes else { return false }
        switch file {
        case .styleSheet:
            guard Self.text(bytes) != nil else { return false }
            styleSheet = WebAssets(bytes, .css)
        case .vectorLogo:
            guard let text = Self.text(bytes), text.contains("<svg") else { return false }
            logo = logo ?? WebAssets(bytes, .svg)
        case .pixelLogo:
            // PNG, third edition, section 5.2.
            guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return false }
            logo = logo ?? WebAssets(bytes, .png)
        case .footer:
            guard let text = Self.text(bytes) else { return false }
            footer = text.split(whereSeparator: \.isNewline).map(String.init)
        }
        return true
    }

    private static func text(_ bytes: [UInt8]) -> String? {
        bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}
