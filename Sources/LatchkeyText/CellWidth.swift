import CUnistring

/// How many cells of a terminal a text takes, by libunistring's `uc_width` (Unicode 14, UAX #11).
///
/// Ambiguous scalars are narrow, as they are outside old East Asian character sets. Terminals disagree about emoji, so
/// who draws a line redraws it from its start.
public enum CellWidth {
    /// The cells of one grapheme cluster: 0 for a mark alone, 2 for an emoji sequence, else the sum of its scalars.
    ///
    /// Terminals that know no clusters add scalars up, and Indic or old Hangul clusters are drawn that way by the
    /// others too. A control has no width here: ``TerminalEscaper`` makes it a text first.
    public static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        let second = scalars.dropFirst().first
        if let second, uc_is_property_regional_indicator(first.value) {
            return uc_is_property_regional_indicator(second.value) ? 2 : width(of: first)
        }
        // U+FE0F asks for the picture of what has one, digits of a keycap among them (UTS #51, section 2.7).
        if second == "\u{FE0F}", uc_is_property_emoji(first.value) { return 2 }
        // People, families and skin tones: one picture, as wide as its widest part.
        if uc_is_property_extended_pictographic(first.value) { return scalars.reduce(0) { max($0, width(of: $1)) } }
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    /// The cells of a text without line ends: the sum of its grapheme clusters.
    public static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        max(0, Int(unsafe uc_width(scalar.value, "UTF-8")))
    }
}
