import LatchkeyAccounts
package import LatchkeyForms
import LatchkeySecrets

/// The values of one row, by column. Some of them are secrets, so all text is stored in one locked buffer, which is
/// wiped before the next row.
package struct RowCells: ~Copyable {
    /// The maximum length of a row in bytes. Longer rows are refused without being read.
    package static let maximumBytes = 131_072

    /// The value of one column.
    package enum Content: Equatable, Sendable {
        /// The row does not have the column.
        case absent
        /// JSON's `null`.
        case null
        /// JSON's `true` or `false`.
        case bool(Bool)
        /// A string, as the range of its bytes in the buffer.
        case text(Range<Int>)
        /// An array of strings.
        case list([String])
        /// A number, an object or any other array.
        case other
    }

    /// A row that violates the format, whatever its values mean.
    package struct FormatError: Error, Equatable, Sendable {
        /// The reason.
        package let failure: RuleFailure
        /// The offset of the error from the row's first byte.
        package let offset: Int

        /// - Parameter offset: the offset from the row's first byte.
        package init(_ code: RuleFailure.Code, _ values: [String: RuleFailure.Value] = [:], at offset: Int) {
            failure = RuleFailure(code: code, values: values)
            self.offset = offset
        }
    }

    /// The columns that a row may have.
    package let columns: [RowColumn]
    /// The value of each column.
    package private(set) var contents: [Content]
    /// The offset of each value from the row's first byte.
    package private(set) var offsets: [Int]
    private var bytes = SecretBytes(capacity: maximumBytes)
    /// The columns of the members in the last JSON object. Most lines have the same members in the same order.
    var memberColumns: [Int] = []

    /// An empty row.
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

    /// Whether the column has a value; `null` does not count as one.
    package func has(_ column: Int) -> Bool {
        switch contents[column] {
        case .absent, .null: false
        case .bool, .text, .list, .other: true
        }
    }

    /// Lends the text of a column; empty if there is none.
    package borrowing func withText<Result>(_ column: Int, _ body: (UTF8Span) -> Result) -> Result {
        guard case .text(let range) = contents[column] else { return body("".utf8Span) }
        // Proof: the buffer only receives valid UTF-8, and the range begins and ends at character boundaries.
        return bytes.withBytes { body(unsafe UTF8Span(unchecked: $0.extracting(range))) }
    }

    /// Sets the value of a column.
    ///
    /// - Returns: false if the column already has a value.
    mutating func put(_ content: Content, in column: Int, at offset: Int) -> Bool {
        guard contents[column] == .absent else { return false }
        contents[column] = content
        offsets[column] = offset
        return true
    }

    /// Like ``complete(_:with:)``, but for a value that is not secret.
    package mutating func complete(_ column: Int, with value: FieldValue) -> Bool {
        guard !has(column) else { return true }
        switch value {
        case .text(let text): return complete(column, with: text.utf8Span.span)
        case .boolean(let isTrue): contents[column] = .bool(isTrue)
        case .list(let values): contents[column] = .list(values)
        }
        offsets[column] = 0
        return true
    }

    /// Sets a column without a value to a value that is not in the row. Its position is the start of the row.
    ///
    /// - Returns: false if the buffer is full.
    package mutating func complete(_ column: Int, with text: Span<UInt8>) -> Bool {
        guard !has(column) else { return true }
        let start = end
        guard bytes.append(text) else { return false }
        contents[column] = .text(start..<end)
        offsets[column] = 0
        return true
    }

    // MARK: Texts

    /// The offset of the next text in the buffer.
    var end: Int { bytes.count }

    /// Appends to the current text.
    mutating func append(_ piece: Span<UInt8>) { _ = bytes.append(piece) }

    mutating func append(_ byte: UInt8) { _ = bytes.append(byte) }

    /// Lends the text since `start`.
    borrowing func withPiece<Result>(from start: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        bytes.withBytes { body($0.extracting(start...)) }
    }
}

/// A column of an accounts file.
package struct RowColumn: Sendable {
    /// The field or property in the column.
    package let key: FieldKey
    /// The accepted names in UTF-8: the key and the field's flag.
    let names: [[UInt8]]
    /// Whether the column contains a password, a hash or another secret, in which every byte is significant.
    let isSecret: Bool

    /// The keys of the columns, for messages.
    static func known(_ columns: [RowColumn]) -> String { columns.map(\.key.rawValue).joined(separator: ", ") }

    /// - Parameters:
    ///   - flag: the name of the field's command-line flag, which is accepted as an alternative to the key.
    ///   - isSecret: whether the field is secret. Hashes and the secrets of authenticator apps are always secret.
    package init(_ key: FieldKey, flag: String? = nil, isSecret: Bool = false) {
        self.key = key
        self.isSecret = isSecret || key == .passwordHash || key == .totpSecret
        let own = Array(key.rawValue.utf8)
        let other = flag.map { Array($0.utf8) }
        names = [own] + (other.map { $0 == own ? [] : [$0] } ?? [])
    }
}
