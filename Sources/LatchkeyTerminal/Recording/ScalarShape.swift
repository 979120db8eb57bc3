import LatchkeyText

/// What of a scalar a screen tells, whichever one it is: how many bytes and cells it takes, and how it joins others in
/// a grapheme (UAX #29).
struct ScalarShape: Hashable {
    private let bytes: Int
    private let cells: Int
    /// A bit for each of ``neighbours``: whether it forms one grapheme with them.
    private let joins: UInt32

    init(_ scalar: Unicode.Scalar) {
        bytes = UTF8.width(scalar)
        // Alone, and as the picture that it may have.
        let alone = TerminalEscaper.visible(String(scalar))
        let picture = TerminalEscaper.visible(String(scalar) + "\u{FE0F}")
        cells = CellWidth.of(alone) * 64 + CellWidth.of(picture)
        var joins: UInt32 = 0
        for (index, (before, after)) in Self.neighbours.enumerated() {
            var text = before
            text.unicodeScalars.append(scalar)
            text += after
            if text.count == 1 { joins |= 1 << UInt32(index) }
        }
        self.joins = joins
    }

    /// What stands before and behind it: one pair at least for each class of scalars that Swift's graphemes tell apart.
    private static let neighbours: [(before: String, after: String)] = [
        ("a", ""), ("", "a"), ("", "\u{301}"), ("\u{1F1F5}", ""), ("\u{1100}", ""), ("\u{1161}", ""), ("\u{11A8}", ""),
        ("", "\u{1161}"), ("", "\u{11A8}"), ("", "\u{200D}\u{1F600}"), ("\u{1F600}\u{200D}", ""),
        ("\u{1F600}", "\u{200D}\u{1F600}"), ("\u{915}\u{94D}", ""), ("", "\u{94D}\u{915}"), ("\u{915}", "\u{915}"),
        ("\u{915}\u{94D}", "\u{915}"),
    ]
}
