import LatchkeySystem

/// One sorted run of entries, read a block at a time.
struct EntryRun {
    private let reader: PlacedReader
    private var rest: Range<Int>
    private let blockSize: Int
    private var block: [UInt8] = []
    private var offset = 0

    /// The next entry.
    private(set) var first: UInt64 = 0

    /// - Parameter range: in bytes, not empty.
    init(_ reader: PlacedReader, at range: Range<Int>, reading blockSize: Int) throws(FileError) {
        self.reader = reader
        rest = range
        self.blockSize = blockSize
        _ = try advance()
    }

    /// Moves to the next entry; false at the end.
    mutating func advance() throws(FileError) -> Bool {
        if offset == block.count {
            guard !rest.isEmpty else { return false }
            block = try reader.bytes(at: rest.lowerBound, count: min(blockSize, rest.count))
            offset = 0
            rest = (rest.lowerBound + block.count)..<rest.upperBound
            // The file is shorter than it was written, which is a fault of the disk: nothing else can open it.
            guard !block.isEmpty, block.count.isMultiple(of: 8) else { throw .system(code: 5) }
        }
        first = unsafe block.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        offset += 8
        return true
    }
}

/// Runs ordered by their next entries, as a binary heap.
struct RunHeap {
    private var runs: [EntryRun] = []

    mutating func insert(_ run: EntryRun) {
        runs.append(run)
        var child = runs.count - 1
        while child > 0, runs[child].first < runs[(child - 1) / 2].first {
            runs.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The smallest entry; nil at the end.
    mutating func removeFirst() throws(FileError) -> UInt64? {
        guard !runs.isEmpty else { return nil }
        let entry = runs[0].first
        if try !runs[0].advance() {
            runs.swapAt(0, runs.count - 1)
            runs.removeLast()
        }
        var parent = 0
        while true {
            let least = [2 * parent + 1, 2 * parent + 2].filter { $0 < runs.count }.min {
                runs[$0].first < runs[$1].first
            }
            guard let least, runs[least].first < runs[parent].first else { return entry }
            runs.swapAt(parent, least)
            parent = least
        }
    }
}
