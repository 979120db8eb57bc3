import LatchkeySecrets

/// A file that pages load. Its path has a digest of its content, so that browsers may keep it for good.
package struct WebAssets: Sendable {
    /// The path, such as `/assets/3f9a1c02.css`.
    package let path: String
    /// The media type.
    package let mediaType: String
    /// The content.
    package let bytes: [UInt8]

    private init(_ bytes: [UInt8], ending: String, mediaType: String) {
        let digest = SHA256Digest.of(bytes.span).prefix(4)
        let digits = Array("0123456789abcdef")
        path = "/assets/" + digest.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined() + ending
        self.mediaType = mediaType
        self.bytes = bytes
    }

    /// The style sheet of all pages.
    package static let styleSheet = WebAssets(
        PackageResources.latchkey_css, ending: ".css", mediaType: "text/css; charset=utf-8")
    /// The script, which no page needs.
    package static let script = WebAssets(
        PackageResources.latchkey_js, ending: ".js", mediaType: "text/javascript; charset=utf-8")

    /// Everything that pages load.
    package static let all = [styleSheet, script]
}
