import CBlocklist

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
