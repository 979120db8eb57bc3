import CSQLite
import LatchkeyAccounts
import LatchkeySystem

/// A copy of a store in a file of its own, which has its name only when it is whole, sound and durable.
struct StoreCopy {
    let folder: GuardedFolder
    let name: String
    /// What it is called until then. What has this name is removed first.
    let unfinished: String
    var vfs: String?

    /// - Parameter inspect: what else must hold of the copy before it gets its name.
    func make<Value>(
        of source: SQLiteConnection, inspect: (SQLiteConnection) throws(AccountError) -> Value
    ) throws(AccountError) -> Value {
        do throws(AccountError) {
            try files { () throws(FileError) in
                _ = try folder.remove(unfinished)
                _ = try folder.remove(unfinished + "-journal")
                try folder.create(unfinished, holding: [UInt8]().span)
            }
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

    /// Its connection is closed when this returns.
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
