import LatchkeyAccounts
import LatchkeySystem

/// Where a store is, and what lies beside it.
struct StoreLocation: Sendable {
    let path: String
    /// Whether it is the default: its folder is then made where it is missing.
    let isDefault: Bool

    /// Below the folder of the user's data.
    static let defaultName = "/accounts.sqlite"

    init(_ settings: Settings) throws(ToolFailure) {
        if let path = settings.values.store {
            self.path = path
            isDefault = false
        } else {
            path = try UserFolder.data.path(in: settings.environment) + Self.defaultName
            isDefault = true
        }
    }

    var folder: String { FilePlace(path).folder }

    /// Makes the default folder where it is missing; that of a path that was given must be there.
    ///
    /// - Returns: whether there is no store in it yet.
    func prepareFolder() throws(AccountError) -> Bool {
        do throws(FileError) {
            return try !openFolder().contains(name)
        } catch {
            throw .store(StoreError(error, at: path, orElse: .missing))
        }
    }

    /// The folder, made where it is the default and missing.
    func openFolder() throws(FileError) -> GuardedFolder {
        isDefault ? try GuardedFolder(making: folder) : try GuardedFolder(at: folder)
    }

    /// The store, and what it cannot be used without: files, and folders of keys.
    var needed: [String] { [path, path + ".lock", path + ".reserve", keysFolder, pepperFolder] }

    private var name: String { FilePlace(path).name }

    /// Several stores in one folder share it.
    var keysFolder: String { folder + "/keys" }

    /// Which processes have how much memory for hashes: what lies beside one store shares it.
    var slotsFolder: String { folder + "/slots" }

    /// The keys that hashes are sealed with; a link to another disk does.
    var pepperFolder: String { keysFolder + "/pepper.d" }

    /// A Maildir.
    var outboxFolder: String { folder + "/outbox" }
}
