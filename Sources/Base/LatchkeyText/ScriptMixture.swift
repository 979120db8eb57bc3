import CUnistring

/// Detects names with mixed scripts, because letters of two scripts can look alike, such as the Cyrillic `а` in
/// `pаypal`.
///
/// A name must be "Single Script" according to UTS #39, section 5.2. Japanese (Han, Hiragana, Katakana), Korean (Han,
/// Hangul) and Chinese (Han, Bopomofo) each count as one script, and common characters belong to every script. The next
/// level of UTS #39 would also allow Latin with those three. It is not used, because `一`, `ー` and `丨` in a Latin name
/// look like a hyphen and an `l`. A name that is entirely in another script (`ѕсоре`) is not detected.
package enum ScriptMixture {
    /// Whether `text` contains letters, marks or digits of different scripts.
    package static func isMixed(_ text: String) -> Bool {
        var common: Set<Writing>?
        for scalar in text.unicodeScalars {
            guard let writings = writings(of: scalar), writings != common else { continue }
            common = common?.intersection(writings) ?? writings
            if common?.isEmpty == true { return true }
        }
        return false
    }

    /// A writing system that one name may use.
    private enum Writing: Hashable {
        case one(Script)
        case japanese, korean, chinese
    }

    private static let latin: Set<Writing> = [.one(Script(of: "a"))]

    /// The writing systems of this scalar; nil if it belongs to all of them.
    private static func writings(of scalar: Unicode.Scalar) -> Set<Writing>? {
        // ASCII letters are Latin; all other ASCII characters belong to every script.
        if scalar.isASCII { return scalar.properties.isAlphabetic ? latin : nil }
        // The script of these is Common, but ScriptExtensions.txt restricts them, and libunistring does not have that
        // file.
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
    /// Lets a `switch` match scripts.
    static func ~= (pattern: Script, value: Script) -> Bool { pattern == value }
}

/// A script with its Unicode name (UAX #24), from libunistring.
struct Script: Hashable, Sendable {
    /// The address of libunistring's static record for the script, which identifies it.
    private let record: UInt

    private init(record: UnsafePointer<uc_script_t>?) { self.record = UInt(bitPattern: record) }

    /// - Parameter name: a name from `Scripts.txt`, such as `Greek`.
    private init(named name: String) { unsafe self.init(record: uc_script_byname(name)) }

    /// The script of a scalar. Unassigned scalars have a separate script.
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
    static let mongolian = Script(named: "Mongolian")
    static let thaana = Script(named: "Thaana")
    static let yezidi = Script(named: "Yezidi")
}
