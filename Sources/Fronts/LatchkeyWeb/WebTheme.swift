/// The operator's customizations of the pages: colours, a logo, a footer and the terms.
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
        case terms = "terms.txt"
    }

    /// The maximum size of a file in bytes.
    package static let maximumBytes = 64 * 1024

    /// A style sheet that is loaded after the built-in one.
    private(set) var styleSheet: WebAssets?
    /// The logo above each page, also shown in the browser's tab.
    private(set) var logo: WebAssets?
    /// A line of text, or a link.
    struct Line: Equatable, Sendable {
        let text: String
        /// The address of a link; nil for plain text.
        let address: String?

        /// Reads a line. The last word is the address if it begins with `https://` or `mailto:`.
        init(_ line: String) {
            let words = line.split(separator: " ")
            guard let last = words.last, last.hasPrefix("https://") || last.hasPrefix("mailto:") else {
                (text, address) = (line, nil)
                return
            }
            let rest = words.dropLast().joined(separator: " ")
            (text, address) = (rest.isEmpty ? String(last) : rest, String(last))
        }
    }

    /// The lines at the end of each page.
    private(set) var footer: [Line] = []
    /// The address of the terms that people accept when they sign up; nil for none.
    private(set) var terms: String?

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
            footer = text.split(whereSeparator: \.isNewline).map { Line(String($0)) }
        case .terms:
            let line = Self.text(bytes)?.split(whereSeparator: \.isNewline).first.map { Line(String($0)) }
            guard let address = line?.address else { return false }
            terms = address
        }
        return true
    }

    private static func text(_ bytes: [UInt8]) -> String? {
        bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}

extension HTML {
    /// Adds a line of the footer.
    mutating func add(_ line: WebTheme.Line) {
        guard let address = line.address else { return element("p", line.text) }
        element("p") { html in html.element("a", [.with("href", address)], line.text) }
    }
}
