/// Where the middle of a password may begin and end, when characters that are no letters have been put around it.
struct PasswordMargins {
    /// How many characters count as put around.
    private static let width = 4

    /// Offsets of bytes: of the start, and behind each of the first characters that are no letters.
    let starts: [Int]
    /// The end, and before each of the last characters that are no letters.
    let ends: [Int]

    init(of text: UTF8Span) {
        var starts = [0]
        var trailing: [Int] = []
        var hadLetter = false
        var scalars = text.makeUnicodeScalarIterator()
        while let scalar = scalars.next() {
            if scalar.properties.isAlphabetic {
                hadLetter = true
                trailing = []
            } else {
                let end = scalars.currentCodeUnitOffset
                trailing.append(end - UTF8.width(scalar))
                if !hadLetter, starts.count <= Self.width { starts.append(end) }
            }
        }
        self.starts = starts
        ends = [text.count] + trailing.suffix(Self.width).reversed()
    }
}
