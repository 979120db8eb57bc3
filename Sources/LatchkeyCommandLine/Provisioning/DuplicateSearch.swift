import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

/// Finds rows of one file that have the same id, name or address, in memory that does not grow with the file.
///
/// The first reading sorts a digest of 8 bytes of each; what is there twice is looked for by its bytes in a second one, so
/// that two names with one digest are never taken for one. The digests have a random key in each process.
struct DuplicateSearch: ~Copyable {
    private var sorter: EntrySorter

    /// - Parameter spool: makes a file, where there is more than fits into memory.
    init(
        limit: Int = EntrySorter.entriesInMemory, spool: @escaping () throws(FileError) -> FileDraft
    ) {
        sorter = EntrySorter(limit: limit, spool: spool)
    }

    mutating func add(_ row: CheckedAccount) throws(FileError) {
        try sorter.add(RowName.username(row.username).digest)
        try sorter.add(RowName.email(row.email).digest)
        if let id = row.id { try sorter.add(RowName.id(id).digest) }
    }

    /// What may be there more than once.
    consuming func suspects() throws(FileError) -> Suspects {
        var digests: Set<UInt64> = []
        try sorter.handRepeated { digests.insert($0) }
        return Suspects(digests: digests)
    }

    /// What is looked for in the second reading.
    struct Suspects {
        fileprivate let digests: Set<UInt64>
        private var firstLines: [RowName: Int] = [:]

        fileprivate init(digests: Set<UInt64>) { self.digests = digests }

        var isEmpty: Bool { digests.isEmpty }

        /// What an earlier row has too, with the line of that. A row that is told of takes no name from later ones.
        mutating func duplicates(in row: CheckedAccount, line: Int) -> [(field: FieldKey, line: Int)] {
            let names = RowName.all(of: row).filter { digests.contains($0.digest) }
            let found = names.compactMap { name in firstLines[name].map { (field: name.field, line: $0) } }
            if found.isEmpty { for name in names { firstLines[name] = line } }
            return found
        }
    }
}

/// What only one row may have.
private enum RowName: Hashable {
    case id(AccountID)
    case username(Username)
    case email(EmailAddress)

    static func all(of row: CheckedAccount) -> [RowName] {
        let names: [RowName] = [.username(row.username), .email(row.email)]
        return row.id.map { names + [.id($0)] } ?? names
    }

    var field: FieldKey {
        switch self {
        case .id: .accountID
        case .username: .username
        case .email: .email
        }
    }

    var digest: UInt64 { UInt64(bitPattern: Int64(hashValue)) }
}
