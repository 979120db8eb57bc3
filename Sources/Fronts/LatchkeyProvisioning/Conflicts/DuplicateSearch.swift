package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeySystem

/// Finds rows of one file that share an id, a username or an address, in memory that does not grow with the file.
///
/// The first reading sorts an 8-byte digest of each value. Values whose digest occurs twice are compared by their bytes
/// in a second reading, so that two values with the same digest are never confused. Every process keys its digests with
/// a random number.
package struct DuplicateSearch: ~Copyable {
    private var sorter: EntrySorter

    /// - Parameters:
    ///   - limit: the number of digests kept in memory.
    ///   - spool: creates a temporary file when the limit is exceeded.
    package init(
        limit: Int = EntrySorter.entriesInMemory, spool: @escaping () throws(FileError) -> FileDraft
    ) {
        sorter = EntrySorter(limit: limit, spool: spool)
    }

    /// Adds the values of a row in the first reading.
    package mutating func add(_ row: CheckedAccount) throws(FileError) {
        if let username = row.username { try sorter.add(UniqueValue.username(username).digest) }
        try sorter.add(UniqueValue.email(row.email).digest)
        if let id = row.id { try sorter.add(UniqueValue.id(id).digest) }
    }

    /// Ends the first reading: the values that may occur more than once.
    package consuming func repeatedValues() throws(FileError) -> RepeatedValues {
        var digests: Set<UInt64> = []
        try sorter.forEachRepeated { digests.insert($0) }
        return RepeatedValues(digests: digests)
    }
}

/// The values of the rows seen so far that another row may share.
package struct RepeatedValues {
    /// The digests of the values to look at; nil for all values.
    private let digests: Set<UInt64>?
    private var firstLines: [UniqueValue: Int] = [:]

    fileprivate init(digests: Set<UInt64>) { self.digests = digests }

    /// Looks at every value: for a file that fits into memory.
    init() { digests = nil }

    /// Whether no value can occur twice.
    package var isEmpty: Bool { digests?.isEmpty == true }

    /// The fields of a row whose value an earlier row has, and the line of that row.
    ///
    /// A row with duplicates does not reserve its other values: it is refused, so a later row may have them.
    package mutating func duplicates(in row: CheckedAccount, line: Int) -> [(field: FieldKey, line: Int)] {
        let values = UniqueValue.all(of: row).filter { digests?.contains($0.digest) ?? true }
        let found = values.compactMap { value in firstLines[value].map { (field: value.field, line: $0) } }
        if found.isEmpty { for value in values { firstLines[value] = line } }
        return found
    }
}

extension AccountRow {
    /// The problem of a value that the row on `line` has too.
    package func duplicate(of field: FieldKey, line: Int) -> RowProblem {
        problem(RuleFailure(code: .duplicate, values: ["line": .integer(line)], field: field))
    }
}

/// A value that only one account may have.
private enum UniqueValue: Hashable {
    case id(AccountID)
    case username(Username)
    case email(EmailAddress)

    static func all(of row: CheckedAccount) -> [UniqueValue] {
        [row.username.map { .username($0) }, .email(row.email), row.id.map { .id($0) }].compactMap(\.self)
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
