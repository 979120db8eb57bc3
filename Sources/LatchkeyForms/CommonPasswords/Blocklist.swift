import CBlocklist

/// A list of passwords that must not be set, by their digests. Nothing of it is kept in memory: each look-up reads and
/// proves the pages of a binary search.
public struct Blocklist: Sendable {
    private let open: @Sendable () throws(BlocklistError) -> BlocklistBytes?

    /// - Parameter open: finds the list, each time that it is asked; nil where there is none.
    public init(opening open: @escaping @Sendable () throws(BlocklistError) -> BlocklistBytes?) { self.open = open }

    /// The list that comes with Latchkey.
    public static let shipped = Blocklist { .shipped }

    func contains(_ password: FoldedPassword) throws(BlocklistError) -> Bool {
        guard let bytes = try open() else { return false }
        let pages = try BlocklistPages(bytes)
        for prefix in pages.digest.prefixes(of: password) where try pages.contains(prefix) { return true }
        return false
    }

    /// Reads and proves the whole list.
    ///
    /// - Returns: how many entries it has; nil where there is none.
    @discardableResult
    public func verify() throws(BlocklistError) -> Int? {
        guard let bytes = try open() else { return nil }
        return try BlocklistPages(bytes).verify()
    }
}

/// Where the bytes of a list lie: in memory, or in a file of which a few pages are read at a time.
public struct BlocklistBytes: Sendable {
    /// How many there are.
    public let count: Int

    private let read: @Sendable (_ offset: Int, _ count: Int) throws(BlocklistError) -> [UInt8]

    /// - Parameter read: gives as many bytes as it is asked for, all of which lie within `count`.
    public init(
        count: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) throws(BlocklistError) -> [UInt8]
    ) {
        self.count = count
        self.read = read
    }

    /// Those of an array.
    public init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { offset, count in Array(bytes[offset..<(offset + count)]) }
    }

    /// The list that comes with Latchkey, in the read-only data of the program.
    static let shipped = BlocklistBytes(count: latchkey_blocklist_size()) { offset, count in
        let all = unsafe UnsafeBufferPointer(start: latchkey_blocklist(), count: latchkey_blocklist_size())
        return unsafe Array(all[offset..<(offset + count)])
    }

    /// - Throws: ``BlocklistError/damaged`` where there are not so many bytes at `offset`.
    func bytes(at offset: Int, count wanted: Int) throws(BlocklistError) -> [UInt8] {
        guard offset >= 0, wanted >= 0, offset <= count - wanted else { throw .damaged }
        let bytes = try read(offset, wanted)
        guard bytes.count == wanted else { throw .damaged }
        return bytes
    }
}

/// Why nothing can be said of a password by a list: it must then not be set.
public enum BlocklistError: Error, Equatable, Sendable {
    /// The list is not whole, or was not written as its format says.
    case damaged
    /// The list was made by a newer version, in a format that is not known here.
    case unknownVersion
    /// The list is there, and cannot be read.
    case unreadable
    /// The system has no memory to give.
    case outOfMemory
}
