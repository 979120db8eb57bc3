/// Fills the placeholders in `Help/Templates`.
enum Template {
    /// The lines of a template, with each placeholder, such as `@{flags}`, replaced by rows.
    static func lines(_ text: [UInt8], _ gaps: [String: [String]]) -> [String] {
        let pieces = String(decoding: text, as: UTF8.self).split(separator: "@{", omittingEmptySubsequences: false)
        let filled = pieces.dropFirst().reduce(into: pieces.first.map(String.init) ?? "") { filled, piece in
            let name = piece.prefix { $0 != "}" }
            filled += (gaps[String(name)] ?? []).joined(separator: "\n") + piece.dropFirst(name.count + 1)
        }
        return filled.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
