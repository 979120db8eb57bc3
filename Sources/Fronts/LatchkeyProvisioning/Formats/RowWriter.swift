import LatchkeyAccounts
package import LatchkeyForms

/// Writes accounts in the formats that an import can read.
package struct RowWriter {
    private let format: RowFormat
    private let withHashes: Bool
    /// The names and keys of the sign-up form's fields that are stored.
    private let fields: [(flag: String, key: FieldKey)]
    /// The names that an import already uses for columns.
    private let taken: Set<String>
    /// The attributes without a field that have columns in a CSV file.
    private let columns: [String]
    /// The keys of written attributes for which the form has no field. An import needs a form with these fields.
    package private(set) var unknown: Set<String> = []
    /// The keys of attributes that were not written, because their names are those of other columns.
    package private(set) var omitted: Set<String> = []

    /// - Parameters:
    ///   - form: the sign-up form. Its fields become columns.
    ///   - withHashes: whether to write password hashes and the secrets of authenticator apps.
    ///   - attributes: the keys of all stored attributes, for the header of a CSV file.
    package init(_ form: Form, _ format: RowFormat, withHashes: Bool, attributes: Set<String> = []) {
        self.format = format
        self.withHashes = withHashes
        fields = form.fields.filter { !$0.isSecret }.map { ($0.flag, $0.apiKey) }
        var taken = Set(RowChecker.importColumns(of: form).flatMap(\.names).map { String(decoding: $0, as: UTF8.self) })
        // If there is no such field, the column can only contain the accounts' usernames.
        if form.field(.username) == nil { taken.remove(FieldKey.username.rawValue) }
        self.taken = taken
        columns = attributes.subtracting(taken).sorted()
    }

    /// Appends the record with the column names. JSON Lines have no such record.
    package func appendHeader(to bytes: inout [UInt8]) {
        guard format == .csv else { return }
        let names = [FieldKey.accountID.rawValue] + fields.map(\.flag) + columns + ownColumns.map(\.rawValue)
        append(names.map { .string($0) }, guarded: { _ in false }, to: &bytes)
    }

    private var ownColumns: [FieldKey] {
        (withHashes ? [.passwordHash, .totpSecret] : []) + [.disabled, .requireChange, .createdAt, .groups]
    }

    /// Appends one account.
    package mutating func append(_ entry: ExportPage.Entry, to bytes: inout [UInt8]) {
        let account = entry.account
        let others = attributesWithoutField(of: account)
        var cells: [(key: String, value: JSONValue?)] = [(FieldKey.accountID.rawValue, .string(account.id.text))]
        for (flag, key) in fields {
            let value: FieldValue? =
                switch key {
                case .username: account.username.map { .text($0.typed) }
                case .email: .text(account.email.typed)
                default: account.attributes[key.rawValue]
                }
            cells.append((flag, value?.json))
        }
        let values = Self.values(of: account)
        cells += others.map { ($0, values[$0]?.json) }
        if withHashes {
            cells.append((FieldKey.passwordHash.rawValue, entry.passwordHash.map { .string($0.phc) }))
            let secret = entry.totpSecret.flatMap { TOTP($0) }?.base32Text
            cells.append((FieldKey.totpSecret.rawValue, secret.map { .string($0) }))
        }
        cells += [
            (FieldKey.disabled.rawValue, .bool(account.state == .disabled)),
            (FieldKey.requireChange.rawValue, .bool(account.mustChangePassword)),
            (FieldKey.createdAt.rawValue, .string(account.createdAt.rfc3339Milliseconds)),
            (
                FieldKey.groups.rawValue,
                format == .csv ? .string(entry.groups.line) : .array(entry.groups.map { .string($0.text) })
            ),
        ]
        switch format {
        case .jsonl:
            let members = cells.compactMap { key, value in value.map { (key: key, value: $0) } }
            bytes += Array((JSONValue.object(members).encoded + "\n").utf8)
        case .csv:
            append(cells.map(\.value), guarded: { cells[$0].key != FieldKey.passwordHash.rawValue }, to: &bytes)
        }
    }

    /// The attributes and the username, which are written even if the form has no field for them.
    private static func values(of account: Account) -> [String: FieldValue] {
        var values = account.attributes
        values[FieldKey.username.rawValue] = account.username.map { .text($0.typed) }
        return values
    }

    /// The keys of the columns that an account needs in a CSV file, including those without a field in the form.
    package static func keys(of entry: ExportPage.Entry) -> Set<String> { Set(values(of: entry.account).keys) }

    /// The keys to write for attributes without a field in the form: all columns of a CSV file, or in JSON Lines those
    /// of the account.
    private mutating func attributesWithoutField(of account: Account) -> [String] {
        let others = Self.values(of: account).keys.filter { key in !fields.contains { $0.key.rawValue == key } }
        var written = others.filter { !taken.contains($0) }
        // An account can receive an attribute after the header was written.
        if format == .csv { written = written.filter(columns.contains) }
        unknown.formUnion(written)
        omitted.formUnion(Set(others).subtracting(written))
        return format == .csv ? columns : written.sorted()
    }

    /// Appends a CSV record.
    ///
    /// - Parameter guarded: whether the cell at an index gets an apostrophe if it looks like a formula.
    private func append(_ cells: [JSONValue?], guarded: (Int) -> Bool, to bytes: inout [UInt8]) {
        for (place, cell) in cells.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            Self.append(cell, guarded: guarded(place), to: &bytes)
        }
        bytes += Array("\r\n".utf8)
    }

    /// Appends a CSV cell (RFC 4180), quoted if necessary.
    ///
    /// - Parameter guarded: whether the cell gets an apostrophe if it looks like a formula.
    private static func append(_ value: JSONValue?, guarded: Bool, to bytes: inout [UInt8]) {
        switch value {
        case .bool(let isTrue): bytes += Array((isTrue ? "true" : "false").utf8)
        case .array(let values):
            let list = FieldValue.list(values.compactMap(\.string)).text
            append(.string(list), guarded: guarded, to: &bytes)
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
