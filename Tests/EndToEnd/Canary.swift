import Foundation
import Testing

/// A secret that the tests search for in all traces of the program, in any encoding.
struct Canary {
    let secret: String

    /// The encodings in which a program might leak bytes.
    private var spellings: [[UInt8]] {
        let bytes = Array(secret.utf8)
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        let percent = bytes.map { String(format: "%%%02X", $0) }.joined()
        let escaped = bytes.map { String(format: "\\u%04x", $0) }.joined()
        var spellings = [
            bytes, Array(hex.utf8), Array(hex.uppercased().utf8), Array(percent.utf8), Array(escaped.utf8),
        ]
        spellings.append(bytes.flatMap { [$0, 0] })
        spellings.append(bytes.flatMap { [0, $0] })
        // The base64 digits that do not depend on neighbouring bytes, for each of the three alignments.
        for skipped in 0..<3 {
            let aligned = bytes.dropFirst(skipped)
            let whole = aligned.prefix(aligned.count / 3 * 3)
            let text = Data(whole).base64EncodedString()
            spellings.append(Array(text.utf8))
            spellings.append(Array(text.replacing("+", with: "-").replacing("/", with: "_").utf8))
        }
        return spellings
    }

    /// Whether `data` contains the secret in any encoding.
    func isIn(_ data: Data) -> Bool { spellings.contains { data.range(of: Data($0)) != nil } }

    /// The files below `folder` that contain the secret.
    func files(below folder: URL) throws -> [String] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        var found: [String] = []
        for case let file as URL in try #require(files) {
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            if isIn(try Data(contentsOf: file)) { found.append(file.path) }
        }
        return found
    }
}
