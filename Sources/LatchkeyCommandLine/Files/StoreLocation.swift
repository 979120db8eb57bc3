import LatchkeyAccounts
import LatchkeySystem

/// The path of a store and of the files that belong to it, all in one folder.
struct StoreLocation: Sendable {
    let path: String
    /// Whether it is the default, whose folder is created if it is missing.
    let isDefault: Bool

    /// The path below the user's data folder.
    static let defaultName = "/accounts.sqlite"

    /// - Throws: status 64 if the settings name a service instead of a store.
    init(_ settings: Settings) throws(ToolFailure) {
        if settings.server != nil, let entry = settings.values[.server] {
            throw .serverUnwanted(name: entry.origin.name)
        }
        if let path = settings.values.text(.store) {
            self.path = path
            isDefault = false
        } else {
            path = try UserFolder.data.path(in: settings.environment) + Self.defaultName
            isDefault = true
        }
    }

    var folder: String { FilePlace(path).folder }

    /// Creates the default folder if it is missing. The folder of a path from a setting must exist.
    ///
    /// - Returns: whether the folder has no store yet.
    func prepareFolder() throws(AccountError) -> Bool {
        do throws(FileError) {
            return try !openFolder().contains(name)
        } catch {
            throw .store(StoreError(error, at: path, orElse: .missing))
        }
    }

    /// Opens the folder, and creates it if it is the default and missing.
    func openFolder() throws(FileError) -> GuardedFolder {
        isDefault ? try GuardedFolder(making: folder) : try GuardedFolder(at: folder)
    }

    /// The store and the files and folders that it needs.
    var needed: [String] { [path, path + ".lock", path + ".reserve", keysFolder, pepperFolder] }

    private var name: String { FilePlace(path).name }

    /// The name of the file that a service locks while it runs.
    var servingLock: String { name + ".serving" }

    /// Shared by all stores in the folder.
    var keysFolder: String { folder + "/keys" }

    /// The shares of memory for hashes that processes hold; common to all stores in the folder.
    var slotsFolder: String { folder + "/slots" }

    /// The keys that seal hashes. It may be a link to another disk.
    var pepperFolder: String { keysFolder + "/pepper.d" }

    /// Exists once every hash of the store is sealed.
    var sealedMark: String { keysFolder + "/" + name + ".sealed" }

    var outbox: OutboxFolder { OutboxFolder(path: folder + "/outbox") }
}
