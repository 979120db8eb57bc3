package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeySystem

/// Finds rows of one file that share an ID, a username or an address, with memory use that does not grow with the file.
///
/// The first pass sorts an 8-byte digest of each value. Values whose digest occurs more than once are compared by their
/// bytes in a second pass, so that digest collisions cause no errors. Every process keys its digests with a random
/// number.
package struct DuplicateSearch: ~Copyable {
    private var sorter: EntrySorter

    /// - Parameters:
    ///   - limit: the maximum number of digests in memory.
    ///   - spool: creates a temporary file when the limit is exceeded.
    package init(
        limit: Int = EntrySorter.entriesInMemory, spool: @escaping () throws(FileError) -> FileDraft
    ) {
        sorter = EntrySorter(limit: limit, spool: spool)
    }

    /// Adds the values of a row in the first pass.
    package mutating func add(_ row: CheckedAccount) throws(FileError) {
        if let username = row.username { try sorter.add(UniqueValue.username(username).digest) }
        try sorter.add(UniqueValue.email(row.email).digest)
        if let id = row.id { try sorter.add(UniqueValue.id(id).digest) }
    }

    /// Ends the first pass and returns the values that may occur more than once.
    package consuming func repeatedValues() throws(FileError) -> RepeatedValues {
        var digests: Set<UInt64> = []
        try sorter.forEachRepeated { digests.insert($0) }
        return RepeatedValues(digests: digests)
    }
}

/// The values of previous rows that a later row may repeat.
package struct RepeatedValues {
    /// The digests of the values to compare; nil to compare all values.
    private let digests: Set<UInt64>?
    private var firstLines: [UniqueValue: Int] = [:]

    fileprivate init(digests: Set<UInt64>) { self.digests = digests }

    /// Compares all values. Used for a file that fits into memory.
    init() { digests = nil }

    /// Whether no value can occur more than once.
    package var isEmpty: Bool { digests?.isEmpty == true }

    /// The fields of a row that repeat a value of an earlier row, with the line of that row.
    ///
    /// A row with duplicates is refused, so it does not reserve its other values, and a later row may use them.
    package mutating func duplicates(in row: CheckedAccount, line: Int) -> [(field: FieldKey, line: Int)] {
        let values = UniqueValue.all(of: row).filter { digests?.contains($0.digest) ?? true }
        let found = values.compactMap { value in firstLines[value].map { (field: value.field, line: $0) } }
        if found.isEmpty { for value in values { firstLines[value] = line } }
        return found
    }
}

extension AccountRow {
    /// The problem of a value that also occurs in the row on `line`.
    package func duplicate(of field: FieldKey, line: Int) -> RowProblem {
        problem(RuleFailure(code: .duplicate, values: ["line": .integer(line)], field: field))
    }
}

/// A value that must be unique among accounts.
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
