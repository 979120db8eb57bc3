import LatchkeySecrets

/// Makes text safe for a terminal. The result cannot move the cursor, set a title, or reorder or hide text.
///
/// A scalar that `DisplayText` refuses becomes visible as `\u{1B}`, and a byte that is not UTF-8 becomes `\x9B`. This
/// includes line feeds and tabs, because the caller decides about lines. Unassigned scalars are escaped too, because
/// their width is unknown (Unicode 14, libunistring 1.0). A backslash stays unchanged, so the result is easy to read
/// but cannot be decoded. Escaping twice has the same result as escaping once.
public enum TerminalEscaper {
    /// The text with all unsafe scalars escaped.
    public static func visible(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var scalars: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            // Joiners are checked in a second pass, because that depends on their neighbors on the screen.
            if !scalar.isJoinControl && DisplayText.isUnfit(scalar) {
                scalars.append(contentsOf: escape(scalar))
            } else {
                scalars.append(scalar)
            }
        }
        var shown = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            if DisplayText.isUnfit(index, in: scalars), !joinsEmoji(index, in: scalars) {
                shown.append(contentsOf: escape(scalar))
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Escapes bytes that may not be UTF-8, such as those of a file name, an argument or a damaged row.
    public static func visible(_ bytes: Span<UInt8>) -> String {
        var shown = ""
        var start = 0
        while start < bytes.count {
            let rest = bytes.extracting(start..<bytes.count)
            let bad: Range<Int>
            do {
                return shown + visible(String(copying: try UTF8Span(validating: rest)))
            } catch {
                bad = error.byteOffsets
            }
            if let good = try? UTF8Span(validating: rest.extracting(0..<bad.lowerBound)) {
                shown += visible(String(copying: good))
            }
            for index in bad { shown += "\\x" + String(decoding: Hexadecimal.capitals(of: rest[index]), as: UTF8.self) }
            start += bad.upperBound
        }
        return shown
    }

    /// Whether a zero-width joiner joins two emoji into one (UTS #51, ED-16).
    private static func joinsEmoji(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        guard scalars[index] == "\u{200D}", index + 1 < scalars.count, scalars[index + 1].isPictograph else {
            return false
        }
        // A selector or a skin tone may follow the first emoji.
        let before = scalars[..<index].last { $0 != "\u{FE0F}" && !(0x1F3FB...0x1F3FF).contains($0.value) }
        return before?.isPictograph == true
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        ("\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}").unicodeScalars
    }
}
