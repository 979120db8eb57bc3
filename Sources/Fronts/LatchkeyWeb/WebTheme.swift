/// The operator's customizations of the pages: colours, a logo and a footer.
///
/// A theme cannot add markup. The style sheet and the logo are separate files, and the pages' security policy prevents
/// them from loading anything else. The footer is escaped like all other text.
package struct WebTheme: Sendable {
    /// The files of a theme.
    package enum File: String, CaseIterable, Sendable {
        case styleSheet = "theme.css"
        case vectorLogo = "logo.svg"
        case pixelLogo = "logo.png"
        case footer = "footer.txt"
    }

    /// The maximum size of a file in bytes.
    package static let maximumBytes = 64 * 1024

    /// A style sheet that is loaded after the built-in one.
    private(set) var styleSheet: WebAssets?
    /// The logo above each page, also shown in the browser's tab.
    private(set) var logo: WebAssets?
    /// The lines at the end of each page.
    private(set) var footer: [String] = []

    /// Creates a theme that changes nothing.
    package init() {}

    /// The assets that the theme adds to those in ``WebAssets/all``.
    package var assets: [WebAssets] { [styleSheet, logo].compactMap { $0 } }

    /// Adds a file. A second logo is ignored.
    ///
    /// - Returns: whether the content matches the file's type.
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
