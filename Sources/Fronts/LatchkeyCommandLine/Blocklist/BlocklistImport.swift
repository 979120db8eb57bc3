import LatchkeyForms
import LatchkeySystem

/// Creates the operator's blocklist for `blocklist import`. Each line of the input contains a password, or a SHA-1 hash
/// in the format of the Pwned Passwords download (`HASH:count`).
struct BlocklistImport: ~Copyable {
    private var lines: InputLines
    private var sorter: EntrySorter
    private let draft: FileDraft
    /// The kind of digest; nil before the first line.
    private var digest: BlocklistDigest?
    private var number = 0

    /// - Parameters:
    ///   - location: the location of the store. Its folder is created only if it is the default folder.
    ///   - isPlain: whether lines that look like digests are passwords too.
    ///   - limit: the maximum number of entries to sort in memory.
    init(
        _ lines: consuming InputLines, nextTo location: StoreLocation, isPlain: Bool,
        limit: Int = EntrySorter.entriesInMemory
    ) throws(Refusal) {
        let folder: GuardedFolder
        do throws(FileError) {
            folder = try location.openFolder()
            draft = try FileDraft(of: OperatorLists.listName, in: folder)
        } catch {
            throw .file(error)
        }
        sorter = EntrySorter(limit: limit) { () throws(FileError) in
            try FileDraft(of: OperatorLists.listName + "-spool", in: folder)
        }
        self.lines = lines
        digest = isPlain ? .sha256OfFolded : nil
    }

    /// The reason why nothing was imported.
    enum Refusal: Error {
        case file(FileError)
        /// The number of the invalid line, from 1.
        case badLine(Int)
        case input(ToolFailure)
    }

    /// Reads the input and replaces the list.
    ///
    /// - Returns: the number of different passwords in the list.
    consuming func perform() throws(Refusal) -> Int {
        repeat { try takeLines() } while try refill()
        try takeLines()
        let draft = draft
        let digest = digest ?? .sha256OfFolded
        do throws(FileError) {
            try draft.append(BlocklistFormat.head(digest, count: 0).span)
            var count = 0
            var page: [UInt64] = []
            func write() throws(FileError) {
                guard !page.isEmpty else { return }
                let number = (count - 1) / BlocklistFormat.prefixesPerPage
                try draft.append(BlocklistFormat.page(number, of: page).span)
                page.removeAll(keepingCapacity: true)
            }
            try sorter.forEachEntry { (entry) throws(FileError) in
                page.append(entry)
                count += 1
                if page.count == BlocklistFormat.prefixesPerPage { try write() }
            }
            try write()
            try draft.replace(at: 0, with: BlocklistFormat.head(digest, count: count).span)
            try draft.publish()
            return count
        } catch {
            throw .file(error)
        }
    }

    private mutating func refill() throws(Refusal) -> Bool {
        do throws(ToolFailure) { return try lines.refill() } catch { throw .input(error) }
    }

    private mutating func takeLines() throws(Refusal) {
        while true {
            var entry: UInt64?
            var isBlank = false
            var digest = digest
            let isThere = lines.take { kind, bytes in
                guard case .whole = kind else { return }
                let hasReturn = !bytes.isEmpty && bytes[bytes.count - 1] == UInt8(ascii: "\r")
                let line = hasReturn ? bytes.extracting(droppingLast: 1) : bytes
                isBlank = line.isEmpty
                if digest == nil, !isBlank {
                    digest = BlocklistDigest.sha1.entry(of: line) == nil ? .sha256OfFolded : .sha1
                }
                entry = digest?.entry(of: line)
            }
            guard isThere else { return }
            self.digest = digest
            number += 1
            if isBlank { continue }
            guard let entry else { throw .badLine(number) }
            do throws(FileError) { try sorter.add(entry) } catch { throw .file(error) }
        }
    }
}
