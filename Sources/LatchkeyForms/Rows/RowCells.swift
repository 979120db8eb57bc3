import LatchkeySecrets

/// The cells of one row of a table, by column. Their texts lie in one locked buffer, for some are secrets; it is wiped
/// before the next row.
package struct RowCells: ~Copyable {
    /// Of a whole row, in bytes: what is longer is refused before it is read.
    package static let maximumBytes = 131_072

    package enum Content: Equatable, Sendable {
        case absent
        /// JSON's `null`.
        case null
        case bool(Bool)
        /// Where it lies in the buffer.
        case text(Range<Int>)
        /// A number, an array or an object.
        case other
    }

    /// What is wrong with a row as a row, whatever its values are.
    package struct Flaw: Error, Equatable, Sendable {
        package let failure: RuleFailure
        /// Where, in bytes from the row's beginning.
        package let offset: Int

        package init(_ code: RuleFailure.Code, _ values: [String: RuleFailure.Value] = [:], at offset: Int) {
            failure = RuleFailure(code: code, values: values)
            self.offset = offset
        }
    }

    package let columns: [RowColumn]
    package private(set) var contents: [Content]
    /// Where each value begins, in bytes from the row's beginning.
    package private(set) var offsets: [Int]
    private var bytes = SecretBytes(capacity: maximumBytes)

    package init(columns: [RowColumn]) {
        self.columns = columns
        contents = Array(repeating: .absent, count: columns.count)
        offsets = Array(repeating: 0, count: columns.count)
    }

    /// Wipes the row.
    package mutating func removeAll() {
        bytes.removeAll()
        for index in contents.indices { contents[index] = .absent }
    }

    /// Whether a value was given for the column. `null` is none.
    package func has(_ column: Int) -> Bool {
        switch contents[column] {
        case .absent, .null: false
        case .bool, .text, .other: true
        }
    }

    /// Lends the text of a column; an empty one where it has none.
    package borrowing func withText<Result>(_ column: Int, _ body: (UTF8Span) -> Result) -> Result {
        guard case .text(let range) = contents[column] else { return body("".utf8Span) }
        // Proof: only valid UTF-8 is put there, cut at the ends of characters.
        return bytes.withBytes { body(unsafe UTF8Span(unchecked: $0.extracting(range))) }
    }

    /// - Returns: false where the column has a value already.
    package mutating func put(_ content: Content, in column: Int, at offset: Int) -> Bool {
        guard contents[column] == .absent else { return false }
        contents[column] = content
        offsets[column] = offset
        return true
    }

    /// Gives a column that has no value one that was not in the row, and so stands where that begins.
    ///
    /// - Returns: false where there is no room for it.
    package mutating func complete(_ column: Int, with text: Span<UInt8>) -> Bool {
        guard !has(column) else { return true }
        let start = end
        guard bytes.append(text) else { return false }
        contents[column] = .text(start..<end)
        offsets[column] = 0
        return true
    }

    // MARK: Texts

    /// Where the next text begins.
    package var end: Int { bytes.count }

    /// Adds to the text that is being put together.
    package mutating func append(_ piece: Span<UInt8>) { _ = bytes.append(piece) }

    package mutating func append(_ byte: UInt8) { _ = bytes.append(byte) }

    /// Lends what has been put together since `start`.
    package borrowing func withPiece<Result>(from start: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        bytes.withBytes { body($0.extracting(start...)) }
    }

}

/// A column of a table of accounts.
package struct RowColumn: Sendable {
    package let key: FieldKey
    /// What it may be called, in bytes: its key, and the flag of its field.
    package let names: [[UInt8]]

    package init(_ key: FieldKey, flag: String? = nil) {
        self.key = key
        let own = Array(key.rawValue.utf8)
        let other = flag.map { Array($0.utf8) }
        names = [own] + (other.map { $0 == own ? [] : [$0] } ?? [])
    }
}
