import CUnistring

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
