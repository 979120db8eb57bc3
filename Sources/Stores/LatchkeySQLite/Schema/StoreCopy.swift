import CSQLite
import LatchkeyAccounts
import LatchkeySystem

/// A copy of a store in a separate file. It is renamed to its final name when it is complete, valid and durable.
struct StoreCopy {
    let folder: GuardedFolder
    let name: String
    /// The temporary name. An older file with this name is deleted first.
    let unfinished: String
    var vfs: String?

    /// - Parameter inspect: checks the copy before it is renamed.
    func make<Value>(
        of source: SQLiteConnection, inspect: (SQLiteConnection) throws(AccountError) -> Value
    ) throws(AccountError) -> Value {
        do throws(AccountError) {
            try files { () throws(FileError) in try folder.createUnfinished(unfinished) }
            let value = try copy(source, inspect)
            try files { () throws(FileError) in
                try folder.synchronize(unfinished)
                try folder.publish(unfinished, as: name)
            }
            return value
        } catch {
            _ = try? folder.remove(unfinished)
            _ = try? folder.remove(unfinished + "-journal")
            throw error
        }
    }

    /// Copies the store. Closes the copy's connection before it returns.
    private func copy<Value>(
        _ source: SQLiteConnection, _ inspect: (SQLiteConnection) throws(AccountError) -> Value
    ) throws(AccountError) -> Value {
        let path = folder.path(of: unfinished)
        return try StoreFile.database(at: path) { () throws(SQLiteError) in
            let connection = try SQLiteConnection(opening: path, vfs: vfs)
            try source.copy(to: connection)
            guard try connection.damage().isEmpty else { throw .corrupt }
            return Result { () throws(AccountError) in try inspect(connection) }
        }.get()
    }

    private func files<Value>(_ body: () throws(FileError) -> Value) throws(AccountError) -> Value {
        try StoreFile.files(at: folder.path(of: name), body)
    }
}
