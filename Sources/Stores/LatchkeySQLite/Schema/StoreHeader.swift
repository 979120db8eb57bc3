import LatchkeyAccounts
import LatchkeySQL

/// The first 100 bytes of a database file (sqlite.org/fileformat.html, section 1.3).
///
/// They are checked before SQLite reads, locks or rolls back anything, so that a newer store or a file that is not a
/// store stays unchanged.
struct StoreHeader {
    /// The application ID of a store: `LtKy` in ASCII.
    static let applicationID: UInt32 = 0x4C74_4B79

    /// The first bytes of every database.
    static let magic = Array("SQLite format 3\0".utf8)

    private let bytes: [UInt8]

    init(of connection: SQLiteConnection) throws(SQLiteError) { bytes = try connection.fileStart(count: 100) }

    /// - Throws: ``SQLiteError``: `notAStore`, `corrupt`, `tooOld` or `newer`.
    func check(with migrations: [Migration]) throws(SQLiteError) {
        guard bytes.starts(with: Self.magic) else {
            // Reading beyond the end of a file returns zeros.
            let text = bytes.reversed().drop { $0 == 0 }.reversed()
            throw Self.magic.starts(with: text) ? .corrupt : .notAStore
        }
        // The version of SQLite that last wrote the file. It is only 0 if the file ends before it.
        guard number(at: 96) != 0 else { throw .corrupt }
        guard number(at: 68) == Self.applicationID else { throw .notAStore }
        let schema = Int(Int32(bitPattern: number(at: 60)))
        guard schema > 0 else { throw .corrupt }
        switch migrations.refusal(of: schema) {
        case nil, .older(_)?: return
        case .tooOld(_)?: throw .tooOld(schema: schema)
        default: throw .newer(schema: schema)
        }
    }

    /// A big-endian number.
    private func number(at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
