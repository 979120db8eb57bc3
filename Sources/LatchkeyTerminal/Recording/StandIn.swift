/// Takes the place of a secret in a recording: as many bytes, graphemes and cells, wherever the caret goes in it, and
/// nothing else that is the secret's.
///
/// Each scalar is replaced by one that is the same for all of its ``ScalarShape``: every letter, digit, sign and space
/// of ASCII by an `x`. What would be refused in any field stays: NUL and line ends, by which one sees why.
enum StandIn {
    static func text(for secret: UTF8Span) -> String {
        var standIn = String.UnicodeScalarView()
        var scalars = secret.makeUnicodeScalarIterator()
        var isKeycap = false
        while let scalar = scalars.next() {
            // A digit whose picture is asked for is as wide as that: the one shape of ASCII that its neighbour decides.
            if scalar == "\u{FE0F}", isKeycap {
                standIn.removeLast()
                standIn.append("0")
            }
            isKeycap = scalar.isASCII && scalar.properties.isEmoji
            standIn.append(self.scalar(for: scalar))
        }
        return String(standIn)
    }

    /// Of bytes that are no UTF-8, which no field takes: how many there are, and where a line would end.
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
        // Each has a shape of its own.
        case "\0", "\n", "\r", "\u{200C}", "\u{200D}", "\u{FE0F}": return scalar
        default: break
        }
        if let known = known[ScalarShape(scalar)] { return known }
        return plain[UTF8.width(scalar) - 1]
    }

    /// For a shape that is not among the known ones: a letter of as many bytes.
    private static let plain: [Unicode.Scalar] = ["x", "\u{E9}", "\u{1E8B}", "\u{1D431}"]

    private static let known: [ScalarShape: Unicode.Scalar] = Dictionary(
        representatives.map { (ScalarShape($0), $0) }, uniquingKeysWith: { first, _ in first })

    /// One scalar of each shape that the whole of Unicode has, by Swift 6.3 and libunistring 1.0: the first.
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
