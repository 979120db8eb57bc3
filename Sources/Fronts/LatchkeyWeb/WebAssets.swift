import LatchkeySecrets

/// A file that pages load. Its path contains a digest of its content, so that browsers can cache it permanently.
package struct WebAssets: Sendable {
    /// The type of a file's content.
    enum Kind: String {
        case css, js, svg, png

        var mediaType: String {
            switch self {
            case .css: "text/css; charset=utf-8"
            case .js: "text/javascript; charset=utf-8"
            case .svg: "image/svg+xml"
            case .png: "image/png"
            }
        }
    }

    /// The path, such as `/assets/3f9a1c02.css`.
    package let path: String
    /// The media type.
    package let mediaType: String
    /// The content.
    package let bytes: [UInt8]

    init(_ bytes: [UInt8], _ kind: Kind) {
        path = "/assets/" + Hexadecimal.text(of: SHA256Digest.of(bytes.span).prefix(4)) + "." + kind.rawValue
        mediaType = kind.mediaType
        self.bytes = bytes
    }

    /// A file of the package, without indentation and without the comments that have their own lines.
    private init(source: [UInt8], _ kind: Kind) {
        let lines = source.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        let code = lines.filter { line in !["//", "/*"].contains { line.starts(with: $0.utf8) } }
        self.init(Array(code.joined(separator: "\n".utf8)), kind)
    }

    /// The style sheet of all pages.
    package static let styleSheet = WebAssets(source: PackageResources.latchkey_css, .css)
    /// The script of all pages. They also work without it.
    package static let script = WebAssets(source: PackageResources.latchkey_js, .js)
    /// The script of pages that offer passkeys.
    package static let passkeyScript = WebAssets(source: PackageResources.passkeys_js, .js)
    /// The colour of the background in each scheme, for the frame of a browser. `latchkey.css` has the same.
    static let backgrounds = [("light", "#fafaf9"), ("dark", "#0c0a09")]
    /// The icon that browsers show in a tab.
    package static let icon = WebAssets(PackageResources.latchkey_svg, .svg)

    /// All assets of pages without a theme.
    package static let all = [styleSheet, script, passkeyScript, icon]
}
