import CUnistring

/// The width of text in terminal cells, according to `uc_width` of libunistring (Unicode 14, UAX #11).
///
/// Ambiguous scalars count as narrow, as they are outside old East Asian character sets. Terminals disagree about
/// emoji, so redraw whole lines instead of parts.
public enum CellWidth {
    /// The width of one grapheme cluster: 0 for a lone mark, 2 for an emoji sequence, otherwise the sum of its scalars.
    ///
    /// Terminals without support for clusters add up the scalars, and all others do so for Indic and old Hangul
    /// clusters. A control character has no width here, because ``TerminalEscaper`` converts it into text first.
    public static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        let second = scalars.dropFirst().first
        if let second, uc_is_property_regional_indicator(first.value) {
            return uc_is_property_regional_indicator(second.value) ? 2 : width(of: first)
        }
        // U+FE0F selects the emoji presentation, including that of the digit in a keycap (UTS #51, section 2.7).
        if second == "\u{FE0F}", uc_is_property_emoji(first.value) { return 2 }
        // People, families and skin tones form one emoji, which is as wide as its widest part.
        if uc_is_property_extended_pictographic(first.value) { return scalars.reduce(0) { max($0, width(of: $1)) } }
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    /// The width of text without line breaks: the sum of its grapheme clusters.
    public static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        max(0, Int(unsafe uc_width(scalar.value, "UTF-8")))
    }
}
