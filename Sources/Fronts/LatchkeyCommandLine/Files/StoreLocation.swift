import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// The location of a store and of its files, all in one folder.
struct StoreLocation: Sendable {
    /// The path of an SQLite store, or the address of a database.
    let path: String
    /// The folder of the files: that of an SQLite store, or for a database a folder in the setting `state_dir`.
    let folder: String
    /// The name of the store in the folder.
    private let name: String
    /// Whether to create the folder if it is missing.
    private let makesFolder: Bool
    /// Whether the store is in a PostgreSQL database.
    let isDatabase: Bool

    /// The path of the default store, relative to the user's data folder.
    static let defaultName = "/accounts.sqlite"

    /// - Parameter id: the ID of a store in a database. If it is nil, because the database has no store yet, the
    ///   location is the parent folder of all stores.
    /// - Throws: status 64 if the settings name a service instead of a store.
    init(_ settings: Settings, id: [UInt8]? = nil) throws(ToolFailure) {
        if settings.server != nil, let entry = settings.values[.server] {
            throw .serverUnwanted(name: entry.origin.name)
        }
        if let database = settings.database {
            path = database.text
            folder = try settings.stateFolder() + (id.map { "/" + Hexadecimal.text(of: $0) } ?? "")
            name = "accounts"
            (makesFolder, isDatabase) = (true, true)
            return
        }
        if let given = settings.values.text(.store) {
            path = given
            makesFolder = false
        } else {
            path = try UserFolder.data.path(in: settings.environment) + Self.defaultName
            makesFolder = true
        }
        (folder, name) = (FilePlace(path).folder, FilePlace(path).name)
        isDatabase = false
    }

    /// Creates the default folder if it is missing. A folder from a setting must exist.
    ///
    /// - Returns: whether the folder has no store yet.
    func prepareFolder() throws(AccountError) -> Bool {
        do throws(FileError) {
            return try !openFolder().contains(name)
        } catch {
            let folder = isDatabase ? folder : path
            throw .store(StoreError(error, at: folder, orElse: isDatabase ? .denied(path: folder) : .missing))
        }
    }

    /// Opens the folder. The default folder is created if it is missing.
    func openFolder() throws(FileError) -> GuardedFolder {
        makesFolder ? try GuardedFolder(making: folder) : try GuardedFolder(at: folder)
    }

    /// The paths of the store and the files and folders that it needs.
    var needed: [String] {
        (isDatabase ? [] : [path, path + ".lock", path + ".reserve"]) + [keysFolder, pepperFolder]
    }

    /// The name of the file that a service locks while it runs.
    var servingLock: String { name + ".serving" }

    /// The folder of keys, which all stores in the folder share.
    var keysFolder: String { folder + "/keys" }

    /// The shares of the memory for hashes that processes use. All stores in the folder use the same shares.
    var slotsFolder: String { folder + "/slots" }

    /// The folder of the keys that seal hashes. It may be a link to another disk.
    var pepperFolder: String { keysFolder + "/pepper.d" }

    /// The marker file. It exists after every hash of the store was sealed.
    var sealedMark: String { keysFolder + "/" + name + ".sealed" }

    var outbox: OutboxFolder { OutboxFolder(path: folder + "/outbox") }
}
