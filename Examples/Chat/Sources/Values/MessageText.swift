/// The text of a message: not empty and not too long. The only initialiser checks that.
struct MessageText: Hashable, Sendable {
    let text: String

    /// In Unicode scalars, as SQLite counts them.
    static let longest = 1000

    /// Trims blanks at both ends, and replaces control characters and line breaks by spaces.
    ///
    /// - Returns: nil if the rest is empty or too long.
    init?(_ raw: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in raw.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        let isBlank: (Character) -> Bool = { $0.isWhitespace }
        let trimmed = String(scalars).drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        text = String(trimmed)
        guard !text.isEmpty, text.unicodeScalars.count <= Self.longest else { return nil }
    }
}
