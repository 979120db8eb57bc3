package import LatchkeyAccounts
import LatchkeySystem

/// The tables of an SQLite store, for use as the source or target of a copy.
///
/// An incomplete copy has a temporary name. An additional table contains the state of its source.
package final class SQLiteTables: StoreTables {
    private let file: StoreFile
    private var connection: SQLiteConnection?
    /// For each table name, whether each column is text.
    private var textColumns: [String: [Bool]] = [:]

    /// - Parameter path: the path of the file, whose folder must exist.
    package convenience init(at path: String) throws(AccountError) { try self.init(at: path, options: .init()) }

    init(at path: String, options: StoreFile.Options) throws(AccountError) {
        file = try StoreFile(at: path, options: options)
    }

    private var unfinished: String { file.copiedName }

    // MARK: The source

    package func lock() throws(AccountError) -> (id: [UInt8], state: String) {
        let connection = try file.open(create: false)
        self.connection = connection
        return try file.database { () throws(SQLiteError) in
            try connection.run("BEGIN IMMEDIATE")
            let id = try connection.row("SELECT id FROM store") { (row) throws(SQLiteError) in try row.bytes(0) }
            guard let id else { throw .corrupt }
            // The file change counter (https://www.sqlite.org/fileformat.html, section 1.3.7).
            let header = try connection.fileStart(count: 28)
            return (id, "\(Array(header[24...]))")
        }
    }

    package func rows(
        of table: StoredTable, from start: Int, limit: Int
    ) throws(AccountError) -> [[StoredValue]] {
        try database { (connection) throws(SQLiteError) in
            try connection.rows(
                joining: table.selection("?"), .integer(Int64(start)), .integer(Int64(limit))
            ) { (row) throws(SQLiteError) in
                try (0..<Int32(table.columns.count)).map { (column) throws(SQLiteError) in try row.value(column) }
            }
        }
    }

    package func count(of table: StoredTable) throws(AccountError) -> Int {
        try database { (connection) throws(SQLiteError) in
            let counts = try connection.rows(joining: "SELECT count(*) FROM \(table.rows)") {
                (row) throws(SQLiteError) in Int(try row.integer(0))
            }
            return counts.first ?? 0
        }
    }

    // MARK: The target

    package func prepare(for identity: StoreIdentity, in state: String) throws(AccountError) {
        let folder = file.folder
        guard try !file.files({ () throws(FileError) in try folder.contains(file.name) }) else {
            throw .store(.failed(resultCode: 0))
        }
        let isThere = try file.files { () throws(FileError) in try folder.contains(unfinished) }
        let left = isThere ? try? opened() : nil
        if let left, (try? left.state()) == .some(.init(identity.id, state)) {
            connection = left
            return
        }
        try file.files { () throws(FileError) in try folder.createUnfinished(unfinished) }
        let new = try opened()
        try file.database { () throws(SQLiteError) in
            try new.transaction { () throws(SQLiteError) in
                try new.createStore(identity.id, file.options.migrations)
                try new.run("CREATE TABLE transfer (state TEXT NOT NULL) STRICT")
                try new.run("INSERT INTO transfer VALUES (?1)", .text(state))
            }
        }
        connection = new
    }

    package func append(_ rows: [[StoredValue]], to table: StoredTable) throws(AccountError) {
        try database { (connection) throws(SQLiteError) in
            let isText = try self.isText(table, in: connection)
            let parameters = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
            let insertion = "INSERT INTO \(table.name) (\(StoredTable.list(table.columns))) VALUES (\(parameters))"
            try connection.transaction { () throws(SQLiteError) in
                // The start of the trail may be missing, which the triggers only allow after a deletion.
                let isTrail = "\(table.name)" == "audit"
                if isTrail { try connection.run("DROP TRIGGER audit_without_gaps") }
                for row in rows {
                    let values = try row.indices.map { (index) throws(SQLiteError) in
                        try SQLiteValue(row[index], asText: isText[index])
                    }
                    try connection.run(joining: insertion, values)
                }
                if isTrail { try connection.execute(SQLiteSchema.auditWithoutGaps) }
            }
        }
    }

    package func finish(_ store: [StoredValue]) throws(AccountError) {
        try database { (connection) throws(SQLiteError) in
            let changes = StoredTable.store.columns.indices.map { "\(StoredTable.store.columns[$0]) = ?\($0 + 1)" }
            let values = try store.map { (value) throws(SQLiteError) in try SQLiteValue(value, asText: false) }
            try connection.transaction { () throws(SQLiteError) in
                try connection.run(joining: "UPDATE store SET " + changes.joined(separator: ", "), values)
                try connection.run("DROP TABLE transfer")
            }
            guard try connection.damage().isEmpty else { throw .corrupt }
        }
        connection = nil
        try file.files { () throws(FileError) in
            try file.folder.synchronize(unfinished)
            try file.folder.publish(unfinished, as: file.name)
        }
    }

    private func opened() throws(AccountError) -> SQLiteConnection {
        try file.database { () throws(SQLiteError) in
            let connection = try SQLiteConnection(opening: file.folder.path(of: unfinished))
            try connection.applySettings(busyTimeout: file.options.busyTimeout)
            return connection
        }
    }

    private func isText(_ table: StoredTable, in connection: SQLiteConnection) throws(SQLiteError) -> [Bool] {
        if let known = textColumns["\(table.name)"] { return known }
        let texts = try connection.rows(
            "SELECT name FROM pragma_table_info(?1) WHERE type = 'TEXT'", .text("\(table.name)")
        ) { (row) throws(SQLiteError) in try row.text(0) }
        let found = table.columns.map { texts.contains("\($0)") }
        textColumns["\(table.name)"] = found
        return found
    }

    private func database<Value>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> Value
    ) throws(AccountError) -> Value {
        guard let connection else { throw .store(.missing) }
        return try file.database { () throws(SQLiteError) in try body(connection) }
    }
}

/// The source of an interrupted copy, and its state at the time.
private struct TransferState: Equatable {
    let id: [UInt8]
    let text: String

    init(_ id: [UInt8], _ text: String) { (self.id, self.text) = (id, text) }
}

extension SQLiteConnection {
    fileprivate func state() throws(SQLiteError) -> TransferState? {
        try row("SELECT id, state FROM store, transfer") { (row) throws(SQLiteError) in
            TransferState(try row.bytes(0), try row.text(1))
        }
    }
}

extension SQLiteRow {
    fileprivate func value(_ column: Int32) throws(SQLiteError) -> StoredValue {
        if isNull(column) { return .null }
        if let number = try? integer(column) { return .integer(number) }
        if let bytes = try? bytes(column) { return .bytes(bytes) }
        return .text(try text(column))
    }
}

extension SQLiteValue {
    fileprivate init(_ value: StoredValue, asText: Bool) throws(SQLiteError) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        case .bytes(let bytes) where asText:
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .corrupt }
            self = .text(text)
        case .bytes(let bytes): self = .bytes(bytes)
        }
    }
}
