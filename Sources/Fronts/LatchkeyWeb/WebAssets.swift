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

    /// The style sheet of all pages.
    package static let styleSheet = WebAssets(PackageResources.latchkey_css, .css)
    /// The script. All pages also work without it.
    package static let script = WebAssets(PackageResources.latchkey_js, .js)
    /// The icon that browsers show in a tab.
    static let icon = WebAssets(PackageResources.latchkey_svg, .svg)

    /// All assets that pages without a theme load.
    package static let all = [styleSheet, script, icon]
}
