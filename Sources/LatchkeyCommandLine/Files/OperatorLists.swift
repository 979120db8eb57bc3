import LatchkeyForms
import LatchkeySystem

/// What an operator has put beside the store against common passwords: a list of more of them (`blocklist`, made by
/// `blocklist import`), and words that no password may be made of (`context-words`, a word a line).
///
/// Both are looked for each time that a password is judged, so that a change is in force at once; where there is none,
/// nothing is asked. One that is there and cannot be used is an error, and no password can be set then.
struct OperatorLists: Sendable {
    static let listName = "blocklist"
    private static let wordsName = "context-words"
    /// Of the words, in bytes.
    private static let maximumBytes = 65_536

    private let folder: String

    /// - Parameter folder: the store's.
    init(folder: String) { self.folder = folder }

    /// With the list that comes with Latchkey; the operator's are left out where nobody can say where a store would be.
    static func commonPasswords(_ settings: Settings) -> CommonPasswords {
        guard let location = try? StoreLocation(settings) else {
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

    /// The paths of those that are there and cannot be used. Reads all of them.
    var unusable: [String] {
        var paths: [String] = []
        do throws(BlocklistError) { try blocklist.verify() } catch { paths.append(folder + "/" + Self.listName) }
        do throws(BlocklistError) { _ = try contextWords() } catch { paths.append(folder + "/" + Self.wordsName) }
        return paths
    }

    private func contextWords() throws(BlocklistError) -> [String] {
        let bytes = try Self.reading { () throws(FileError) in
            let bytes = try GivenFiles.bytes(folder + "/" + Self.wordsName, limit: Self.maximumBytes)
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

    /// Nil where there is no such file.
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
