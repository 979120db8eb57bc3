/// The first 100 bytes of a database file (sqlite.org/fileformat.html, section 1.3), read before the library reads, locks
/// or rolls back anything: so that what is no store of ours, or a newer one, is left as it was.
struct StoreHeader {
    /// `LtKy`.
    static let applicationID: UInt32 = 0x4C74_4B79

    /// What every database begins with.
    static let magic = Array("SQLite format 3\0".utf8)

    private let bytes: [UInt8]

    init(of connection: SQLiteConnection) throws(SQLiteError) { bytes = try connection.fileStart(count: 100) }

    /// - Throws: an ``SQLiteError`` that says `notAStore`, `corrupt` or `newer`.
    func check(newest: Int) throws(SQLiteError) {
        guard bytes.starts(with: Self.magic) else {
            // Zeros are what is read beyond the end of a file.
            let text = bytes.reversed().drop { $0 == 0 }.reversed()
            throw Self.magic.starts(with: text) ? .corrupt : .notAStore
        }
        // The version of the library that wrote last; 0 only where the file ends before.
        guard number(at: 96) != 0 else { throw .corrupt }
        guard number(at: 68) == Self.applicationID else { throw .notAStore }
        let schema = Int(Int32(bitPattern: number(at: 60)))
        guard schema > 0 else { throw .corrupt }
        guard schema <= newest else { throw .newer(schema: schema) }
    }

    /// Big-endian.
    private func number(at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
