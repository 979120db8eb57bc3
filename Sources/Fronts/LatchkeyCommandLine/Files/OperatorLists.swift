import LatchkeyForms
import LatchkeySystem

/// The operator's lists of refused passwords in the store's folder. `blocklist import` creates `blocklist`.
/// `context-words` contains words that a password must not consist of, one per line.
///
/// Both files are read for each password check, so that changes take effect immediately. A missing list has no effect.
/// If a list exists but is unusable, no password can be set.
struct OperatorLists: Sendable {
    static let listName = "blocklist"
    private static let wordsName = "context-words"
    /// The names of the two files.
    static let fileNames = [listName, wordsName]
    /// The maximum size of the file with words, in bytes.
    private static let maximumBytes = 65_536

    private let folder: String

    /// - Parameter folder: the store's folder.
    init(folder: String) { self.folder = folder }

    /// The shipped list and the operator's lists. Only the shipped list if no location for a store is known.
    ///
    /// - Parameter id: the ID of the store, if it is in a database.
    static func commonPasswords(_ settings: Settings, storeID id: [UInt8]? = nil) -> CommonPasswords {
        guard settings.database == nil || id != nil, let location = try? StoreLocation(settings, id: id) else {
            return CommonPasswords(serviceName: settings.serviceName)
        }
        let lists = OperatorLists(folder: location.folder)
        return CommonPasswords(lists: [.shipped, lists.blocklist], serviceName: settings.serviceName) {
            () throws(BlocklistError) in try lists.contextWords()
        }
    }

    var blocklist: Blocklist {
        Blocklist { [folder] () throws(BlocklistError) in
            try Self.reading { () throws(FileError) in
                let file = try GuardedFolder(at: folder).openForReading(Self.listName)
                return BlocklistBytes(count: file.size) { (offset, count) throws(BlocklistError) in
                    do throws(FileError) { return try file.bytes(at: offset, count: count) } catch { throw .unreadable }
                }
            }
        }
    }

    /// The paths of lists that exist but are unusable. Reads both lists completely.
    var unusable: [String] {
        var paths: [String] = []
        do throws(BlocklistError) { try blocklist.verify() } catch { paths.append(folder + "/" + Self.listName) }
        do throws(BlocklistError) { _ = try contextWords() } catch { paths.append(folder + "/" + Self.wordsName) }
        return paths
    }

    private func contextWords() throws(BlocklistError) -> [String] {
        let bytes = try Self.reading { () throws(FileError) in
            let bytes = try InputFiles.bytes(folder + "/" + Self.wordsName, limit: Self.maximumBytes)
            guard bytes.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
            return bytes
        }
        guard let bytes else { return [] }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .damaged }
        return text.split(whereSeparator: \.isNewline).map(Self.trimmed).filter { !$0.isEmpty }
    }

    private static func trimmed(_ line: Substring) -> String {
        String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Nil if the file does not exist.
    private static func reading<Value>(
        _ read: () throws(FileError) -> Value
    ) throws(BlocklistError) -> Value? {
        do throws(FileError) {
            return try read()
        } catch .notFound {
            return nil
        } catch .outOfMemory {
            throw .outOfMemory
        } catch {
            throw .unreadable
        }
    }
}
