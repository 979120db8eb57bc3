import LatchkeyAccounts
package import LatchkeyForms

/// Writes accounts in the formats that an import reads.
package struct RowWriter {
    private let format: RowFormat
    private let withHashes: Bool
    /// The names and keys of the sign-up form's fields that are stored.
    private let fields: [(flag: String, key: FieldKey)]
    /// The `apiKey`s of stored attributes that the form has no field for. An import would refuse them.
    package private(set) var unknown: Set<String> = []

    /// - Parameters:
    ///   - form: the sign-up form, whose fields become columns.
    ///   - withHashes: whether there is a column for password hashes.
    package init(_ form: Form, _ format: RowFormat, withHashes: Bool) {
        self.format = format
        self.withHashes = withHashes
        fields = form.fields.filter { !$0.isSecret }.map { ($0.flag, $0.apiKey) }
    }

    /// Appends the record that names the columns; JSON Lines have none.
    package func appendHeader(to bytes: inout [UInt8]) {
        guard format == .csv else { return }
        let names = [FieldKey.accountID.rawValue] + fields.map(\.flag) + ownColumns.map(\.rawValue)
        bytes += Array((names.joined(separator: ",") + "\r\n").utf8)
    }

    private var ownColumns: [FieldKey] {
        (withHashes ? [.passwordHash] : []) + [.disabled, .requireChange, .createdAt]
    }

    /// Appends one account.
    package mutating func append(_ entry: ExportPage.Entry, to bytes: inout [UInt8]) {
        let account = entry.account
        for key in account.attributes.keys where !fields.contains(where: { $0.key.rawValue == key }) {
            unknown.insert(key)
        }
        var cells: [(key: String, value: JSONValue?)] = [(FieldKey.accountID.rawValue, .string(account.id.text))]
        for (flag, key) in fields {
            let text: String? =
                switch key {
                case .username: account.username.typed
                case .email: account.email.typed
                default: account.attributes[key.rawValue]
                }
            cells.append((flag, text.map { .string($0) }))
        }
        if withHashes { cells.append((FieldKey.passwordHash.rawValue, entry.passwordHash.map { .string($0.phc) })) }
        cells += [
            (FieldKey.disabled.rawValue, .bool(account.state == .disabled)),
            (FieldKey.requireChange.rawValue, .bool(account.mustChangePassword)),
            (FieldKey.createdAt.rawValue, .string(account.createdAt.rfc3339Milliseconds)),
        ]
        switch format {
        case .jsonl:
            let members = cells.compactMap { key, value in value.map { (key: key, value: $0) } }
            bytes += Array((JSONValue.object(members).encoded + "\n").utf8)
        case .csv:
            for (place, cell) in cells.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(cell.value, guarded: cell.key != FieldKey.passwordHash.rawValue, to: &bytes)
            }
            bytes += Array("\r\n".utf8)
        }
    }

    /// Appends a CSV cell (RFC 4180), quoted if necessary.
    ///
    /// - Parameter guarded: whether a cell that looks like a formula gets an apostrophe.
    private static func append(_ value: JSONValue?, guarded: Bool, to bytes: inout [UInt8]) {
        switch value {
        case .bool(let isTrue): bytes += Array((isTrue ? "true" : "false").utf8)
        case .string(let value):
            let text = guarded && CSVFormula.begins(value.utf8Span.span) ? "'" + value : value
            let quote = UInt8(ascii: "\"")
            let special: [UInt8] = [quote, UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
            guard text.utf8.contains(where: special.contains) else {
                bytes += text.utf8
                return
            }
            bytes.append(quote)
            for byte in text.utf8 {
                if byte == quote { bytes.append(quote) }
                bytes.append(byte)
            }
            bytes.append(quote)
        default: break
        }
    }
}
