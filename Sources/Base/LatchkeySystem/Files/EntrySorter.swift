/// Sorts any number of entries with bounded memory.
///
/// When the memory is full, its entries are sorted and written to a temporary file as one run. At the end, all runs are
/// merged.
package struct EntrySorter: ~Copyable {
    /// The default limit: 16 MiB of entries.
    package static let entriesInMemory = 2_097_152
    /// The memory for reading all runs at the same time, in bytes.
    private static let mergeBytes = 8_388_608
    private static let entrySize = 8

    private let limit: Int
    private let makeSpool: () throws(FileError) -> FileDraft
    private var spool: FileDraft?
    private var waiting: [UInt64] = []
    /// The byte range of each sorted run in the spool.
    private var runs: [Range<Int>] = []

    /// - Parameters:
    ///   - limit: the maximum number of entries in memory.
    ///   - makeSpool: creates an empty file when the limit is reached. The file is removed with the sorter.
    package init(limit: Int = entriesInMemory, spool makeSpool: @escaping () throws(FileError) -> FileDraft) {
        self.limit = limit
        self.makeSpool = makeSpool
    }

    /// Adds an entry.
    package mutating func add(_ entry: UInt64) throws(FileError) {
        waiting.append(entry)
        if waiting.count == limit { try spill() }
    }

    /// Calls `body` with each distinct entry, in ascending order.
    package consuming func forEachEntry(_ body: (UInt64) throws(FileError) -> Void) throws(FileError) {
        var last: UInt64?
        try merge { (entry) throws(FileError) in
            if entry != last { try body(entry) }
            last = entry
        }
    }

    /// Calls `body` with every entry that was added more than once, in ascending order.
    package consuming func forEachRepeated(_ body: (UInt64) -> Void) throws(FileError) {
        var last: UInt64?
        var isReported = false
        try merge { (entry) throws(FileError) in
            if entry != last {
                isReported = false
            } else if !isReported {
                body(entry)
                isReported = true
            }
            last = entry
        }
    }

    private consuming func merge(_ body: (UInt64) throws(FileError) -> Void) throws(FileError) {
        if runs.isEmpty {
            waiting.sortByBytes()
            for entry in waiting { try body(entry) }
            return
        }
        try spill()
        waiting = []
        guard let spool else { return }
        let size = max(1, Self.mergeBytes / Self.entrySize / max(1, runs.count))
        let reader = try spool.reader()
        var heap = RunHeap()
        for run in runs { try heap.insert(EntryRun(reader, at: run, reading: size * Self.entrySize)) }
        while let entry = try heap.removeFirst() { try body(entry) }
    }

    private mutating func spill() throws(FileError) {
        guard !waiting.isEmpty else { return }
        let spool = if let spool = self.spool { spool } else { try makeSpool() }
        self.spool = spool
        waiting.sortByBytes()
        let start = runs.last?.upperBound ?? 0
        try unsafe waiting.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in
            try unsafe spool.append(bytes.assumingMemoryBound(to: UInt8.self).span)
        }
        runs.append(start..<(start + waiting.count * Self.entrySize))
        waiting.removeAll(keepingCapacity: true)
    }
}

extension [UInt64] {
    /// Sorts in place, byte by byte, starting with the most significant byte (an American flag sort).
    ///
    /// It is several times as fast as `sort()`, because entries are digests with evenly distributed bytes.
    mutating func sortByBytes() { sortByBytes(indices, below: UInt64.bitWidth) }

    /// - Parameter bits: the number of low bits in which the entries of `range` may differ.
    private mutating func sortByBytes(_ range: Range<Int>, below bits: Int) {
        guard range.count > 32 else { return sortByInsertion(range) }
        guard bits > 0 else { return }
        let shift = UInt64(bits - 8)
        func byte(_ entry: UInt64) -> Int { Int(truncatingIfNeeded: entry >> shift) & 0xFF }
        var ends = [Int](repeating: 0, count: 256)
        for index in range { ends[byte(self[index])] += 1 }
        var next = ends
        var end = range.lowerBound
        for value in ends.indices {
            (next[value], end) = (end, end + ends[value])
            ends[value] = end
        }
        for value in ends.indices {
            while next[value] < ends[value] {
                // This puts the entry into its bucket and continues with the displaced entry.
                var entry = self[next[value]]
                while byte(entry) != value {
                    let place = next[byte(entry)]
                    next[byte(entry)] += 1
                    swap(&self[place], &entry)
                }
                self[next[value]] = entry
                next[value] += 1
            }
        }
        var start = range.lowerBound
        for end in ends {
            sortByBytes(start..<end, below: bits - 8)
            start = end
        }
    }

    private mutating func sortByInsertion(_ range: Range<Int>) {
        for index in range.dropFirst() {
            let entry = self[index]
            var place = index
            while place > range.lowerBound, self[place - 1] > entry {
                self[place] = self[place - 1]
                place -= 1
            }
            self[place] = entry
        }
    }
}

/// The entries of one sorted run, read block by block.
private struct EntryRun {
    private let reader: PlacedReader
    private var rest: Range<Int>
    private let blockSize: Int
    private var block: [UInt8] = []
    private var offset = 0

    /// The next entry of the run.
    private(set) var first: UInt64 = 0

    /// - Parameter range: the byte range of the run, which must not be empty.
    init(_ reader: PlacedReader, at range: Range<Int>, reading blockSize: Int) throws(FileError) {
        self.reader = reader
        rest = range
        self.blockSize = blockSize
        _ = try advance()
    }

    /// Moves to the next entry. Returns false at the end.
    mutating func advance() throws(FileError) -> Bool {
        if offset == block.count {
            guard !rest.isEmpty else { return false }
            block = try reader.bytes(at: rest.lowerBound, count: min(blockSize, rest.count))
            offset = 0
            rest = (rest.lowerBound + block.count)..<rest.upperBound
            // The file was truncated, although it has no name through which other processes could open it.
            guard !block.isEmpty, block.count.isMultiple(of: 8) else { throw .system(code: 5) }
        }
        first = unsafe block.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        offset += 8
        return true
    }
}

/// A binary heap of runs, ordered by their next entries.
private struct RunHeap {
    private var runs: [EntryRun] = []

    mutating func insert(_ run: EntryRun) {
        runs.append(run)
        var child = runs.count - 1
        while child > 0, runs[child].first < runs[(child - 1) / 2].first {
            runs.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes the smallest entry; nil if there is none.
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
