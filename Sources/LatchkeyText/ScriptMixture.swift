/// Names that mix scripts, for letters of two scripts can look alike: a Cyrillic `а` in `pаypal`.
///
/// A name must be "Single Script" as UTS #39, section 5.2, has it: Japanese (Han, Hiragana, Katakana), Korean (Han,
/// Hangul) and Chinese (Han, Bopomofo) count as one script each, and signs that all scripts share are nobody's.
/// UTS #39's next level would let Latin stand beside those three; it does not here, since `一`, `ー` and `丨` in a Latin name
/// pass for a hyphen and an `l`. A name whose every letter comes from one other script (`ѕсоре`) is not caught.
public enum ScriptMixture {
    /// Whether letters, marks or digits of two scripts stand in `text`.
    public static func isMixed(_ text: String) -> Bool {
        var common: Set<Writing>?
        for scalar in text.unicodeScalars {
            guard let writings = writings(of: scalar), writings != common else { continue }
            common = common?.intersection(writings) ?? writings
            if common?.isEmpty == true { return true }
        }
        return false
    }

    /// What one name may be written in.
    private enum Writing: Hashable {
        case one(Script)
        case japanese, korean, chinese
    }

    private static let latin: Set<Writing> = [.one(Script(of: "a"))]

    /// The writings that have this scalar; nil for one that all have.
    private static func writings(of scalar: Unicode.Scalar) -> Set<Writing>? {
        // Of ASCII the letters are Latin, and the other signs everybody's.
        if scalar.isASCII { return scalar.properties.isAlphabetic ? latin : nil }
        // Of script Common, but used by few (ScriptExtensions.txt), which libunistring does not know.
        switch scalar.value {
        case 0x3006, 0x303C, 0x30FB, 0x30FC:
            return [.one(.han), .one(.hiragana), .one(.katakana), .japanese]
        case 0x0660...0x0669: return [.one(.arabic), .one(.thaana), .one(.yezidi)]
        default: break
        }
        return switch Script(of: scalar) {
        case .common, .inherited: nil
        case .han: [.one(.han), .japanese, .korean, .chinese]
        case .hiragana: [.one(.hiragana), .japanese]
        case .katakana: [.one(.katakana), .japanese]
        case .hangul: [.one(.hangul), .korean]
        case .bopomofo: [.one(.bopomofo), .chinese]
        case let other: [.one(other)]
        }
    }
}

extension Script {
    /// So that a `switch` can name scripts.
    static func ~= (pattern: Script, value: Script) -> Bool { pattern == value }
}
