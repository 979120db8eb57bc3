import LatchkeyText

/// Replaces a secret in a recording. The replacement has the same number of bytes, graphemes and cells, so that the screen
/// and the caret behave the same.
///
/// All scalars of one ``ScalarShape`` become the same scalar: every printable ASCII character becomes `x`. NUL and line
/// breaks stay, because every field refuses them and the replay must show the same refusal.
enum RedactedText {
    static func text(for secret: UTF8Span) -> String {
        var redacted = String.UnicodeScalarView()
        var scalars = secret.makeUnicodeScalarIterator()
        var isKeycap = false
        while let scalar = scalars.next() {
            // A digit followed by U+FE0F becomes an emoji and as wide as one, so `x` would have the wrong width.
            if scalar == "\u{FE0F}", isKeycap {
                redacted.removeLast()
                redacted.append("0")
            }
            isKeycap = scalar.isASCII && scalar.properties.isEmoji
            redacted.append(self.scalar(for: scalar))
        }
        return String(redacted)
    }

    /// Replaces bytes that are not UTF-8, which no field accepts. Their number and the line breaks stay.
    static func bytes(for secret: Span<UInt8>) -> [UInt8] {
        secret.indices.map { index in
            switch secret[index] {
            case 0, UInt8(ascii: "\n"), UInt8(ascii: "\r"): secret[index]
            default: 0xFF
            }
        }
    }

    private static func scalar(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case " "..."~": return "x"
        // These have unique shapes.
        case "\0", "\n", "\r", "\u{200C}", "\u{200D}", "\u{FE0F}": return scalar
        default: break
        }
        if let known = known[ScalarShape(scalar)] { return known }
        return plain[UTF8.width(scalar) - 1]
    }

    /// For unknown shapes: a letter with the same number of bytes.
    private static let plain: [Unicode.Scalar] = ["x", "\u{E9}", "\u{1E8B}", "\u{1D431}"]

    private static let known: [ScalarShape: Unicode.Scalar] = Dictionary(
        representatives.map { (ScalarShape($0), $0) }, uniquingKeysWith: { first, _ in first })

    /// The first scalar of every shape in Unicode, by Swift 6.3 and libunistring 1.0.
    static let representatives: [Unicode.Scalar] =
        plain + [
            "\u{1}", "\u{10}", "\u{80}", "\u{A9}", "\u{300}", "\u{378}", "\u{600}", "\u{61C}", "\u{816}", "\u{82E}",
            "\u{890}", "\u{897}", "\u{903}", "\u{915}", "\u{94D}", "\u{9BE}", "\u{CF3}", "\u{D4E}", "\u{10C6}",
            "\u{1100}", "\u{115F}", "\u{1160}", "\u{1161}", "\u{11A8}", "\u{17B4}", "\u{180E}", "\u{203C}", "\u{231A}",
            "\u{2329}", "\u{302E}", "\u{AC00}", "\u{AC01}", "\u{1000C}", "\u{101FD}", "\u{10A00}", "\u{10D69}",
            "\u{11000}", "\u{110BD}", "\u{111C0}", "\u{111C2}", "\u{11380}", "\u{113B9}", "\u{113D1}", "\u{1171E}",
            "\u{13430}", "\u{13439}", "\u{16FE0}", "\u{16FF0}", "\u{1F004}", "\u{1F02C}", "\u{1F170}", "\u{1F1E6}",
            "\u{100000}",
        ]
}

/// The properties of a scalar that affect the screen: its bytes, its cells, and how it joins other scalars in a grapheme
/// (UAX #29).
struct ScalarShape: Hashable {
    private let bytes: Int
    private let cells: Int
    /// One bit for each pair in ``neighbours``: whether the scalar forms one grapheme with it.
    private let joins: UInt32

    init(_ scalar: Unicode.Scalar) {
        bytes = UTF8.width(scalar)
        // Alone, and as an emoji.
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

    /// The text before and after the scalar: at least one pair for each class that Swift's grapheme breaking distinguishes.
    private static let neighbours: [(before: String, after: String)] = [
        ("a", ""), ("", "a"), ("", "\u{301}"), ("\u{1F1F5}", ""), ("\u{1100}", ""), ("\u{1161}", ""), ("\u{11A8}", ""),
        ("", "\u{1161}"), ("", "\u{11A8}"), ("", "\u{200D}\u{1F600}"), ("\u{1F600}\u{200D}", ""),
        ("\u{1F600}", "\u{200D}\u{1F600}"), ("\u{915}\u{94D}", ""), ("", "\u{94D}\u{915}"), ("\u{915}", "\u{915}"),
        ("\u{915}\u{94D}", "\u{915}"),
    ]
}
