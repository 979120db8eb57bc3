import CBlocklist

/// A list of refused passwords, stored as digests. It is not loaded into memory. Each look-up is a binary search that
/// reads pages and verifies their checksums.
public struct Blocklist: Sendable {
    private let open: @Sendable () throws(BlocklistError) -> BlocklistBytes?

    /// Creates a list that is reopened for each look-up, so that replacing the file takes effect immediately.
    ///
    /// - Parameter open: opens the list; returns nil if the list does not exist.
    public init(opening open: @escaping @Sendable () throws(BlocklistError) -> BlocklistBytes?) { self.open = open }

    /// The shipped list.
    public static let shipped = Blocklist { .shipped }

    func contains(_ password: FoldedPassword) throws(BlocklistError) -> Bool {
        guard let bytes = try open() else { return false }
        let pages = try BlocklistPages(bytes)
        for prefix in pages.digest.prefixes(of: password) where try pages.contains(prefix) { return true }
        return false
    }

    /// Reads the whole list and verifies all checksums.
    ///
    /// - Returns: the number of entries; nil if the list does not exist.
    @discardableResult
    public func verify() throws(BlocklistError) -> Int? {
        guard let bytes = try open() else { return nil }
        return try BlocklistPages(bytes).verify()
    }
}

/// Random access to the bytes of a list, in memory or in a file.
public struct BlocklistBytes: Sendable {
    /// The size of the list in bytes.
    public let count: Int

    private let read: @Sendable (_ offset: Int, _ count: Int) throws(BlocklistError) -> [UInt8]

    /// Creates a list with a function that reads its bytes.
    ///
    /// - Parameters:
    ///   - read: returns exactly the requested bytes. The range is always within `count`.
    ///   - count: the number of bytes.
    public init(
        count: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) throws(BlocklistError) -> [UInt8]
    ) {
        self.count = count
        self.read = read
    }

    /// Creates the bytes of a list from an array.
    public init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { offset, count in Array(bytes[offset..<(offset + count)]) }
    }

    /// The shipped list, in the program's read-only data.
    static let shipped = BlocklistBytes(count: latchkey_blocklist_size()) { offset, count in
        let all = unsafe UnsafeBufferPointer(start: latchkey_blocklist(), count: latchkey_blocklist_size())
        return unsafe Array(all[offset..<(offset + count)])
    }

    /// - Throws: ``BlocklistError/damaged`` if the list is too short.
    func bytes(at offset: Int, count wanted: Int) throws(BlocklistError) -> [UInt8] {
        guard offset >= 0, wanted >= 0, offset <= count - wanted else { throw .damaged }
        let bytes = try read(offset, wanted)
        guard bytes.count == wanted else { throw .damaged }
        return bytes
    }
}

/// The reason why a list cannot be searched. In this case, the password must not be set.
public enum BlocklistError: Error, Equatable, Sendable {
    /// The list is incomplete or malformed.
    case damaged
    /// A newer version of Latchkey wrote the list in an unknown format.
    case unknownVersion
    /// The list exists but cannot be read.
    case unreadable
    /// The system is out of memory.
    case outOfMemory
}
