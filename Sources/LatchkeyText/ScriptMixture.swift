import CUnistring

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

/// A script by its Unicode name (UAX #24), by libunistring.
struct Script: Hashable, Sendable {
    /// libunistring has one static record for each script; its address is the script's identity.
    private let record: UInt

    private init(record: UnsafePointer<uc_script_t>?) { self.record = UInt(bitPattern: record) }

    /// - Parameter name: as in `Scripts.txt`, such as `Greek`.
    private init(named name: String) { unsafe self.init(record: uc_script_byname(name)) }

    /// The script of a scalar; one of its own for all scalars that have none, the unassigned.
    init(of scalar: Unicode.Scalar) { unsafe self.init(record: uc_script(scalar.value)) }

    func contains(_ scalar: Unicode.Scalar) -> Bool { Script(of: scalar) == self }

    static let arabic = Script(named: "Arabic")
    static let bopomofo = Script(named: "Bopomofo")
    static let common = Script(named: "Common")
    static let greek = Script(named: "Greek")
    static let han = Script(named: "Han")
    static let hangul = Script(named: "Hangul")
    static let hebrew = Script(named: "Hebrew")
    static let hiragana = Script(named: "Hiragana")
    static let inherited = Script(named: "Inherited")
    static let katakana = Script(named: "Katakana")
    static let thaana = Script(named: "Thaana")
    static let yezidi = Script(named: "Yezidi")
}
