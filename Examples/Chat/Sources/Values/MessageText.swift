/// What a message says: something, and not too much of it. There is no other way to make one, so it is not checked again.
struct MessageText: Hashable, Sendable {
    let text: String

    /// In Unicode scalars, which is how SQLite counts.
    static let longest = 1000

    /// Takes blanks off both ends; what steers a terminal, line ends among it, becomes a space.
    ///
    /// - Returns: nil where nothing is left, or too much.
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
