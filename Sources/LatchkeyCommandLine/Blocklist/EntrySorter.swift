import LatchkeySystem

/// Sorts any number of entries in bounded memory: writes sorted runs to a private file, and merges them at the end.
struct EntrySorter: ~Copyable {
    /// 16 MiB of entries; sorting takes half as much again.
    static let entriesInMemory = 2_097_152
    /// Memory for the blocks of all runs during the merge, in bytes.
    private static let mergeBytes = 8_388_608
    private static let entrySize = 8

    private let limit: Int
    private let makeSpool: () throws(FileError) -> FileDraft
    private var spool: FileDraft?
    private var waiting: [UInt64] = []
    /// The byte range of each sorted run in the spool.
    private var runs: [Range<Int>] = []

    /// - Parameter makeSpool: creates an empty file when the memory is full. It is never published, and is removed with
    ///   the sorter.
    init(limit: Int = entriesInMemory, spool makeSpool: @escaping () throws(FileError) -> FileDraft) {
        self.limit = limit
        self.makeSpool = makeSpool
    }

    mutating func add(_ entry: UInt64) throws(FileError) {
        waiting.append(entry)
        if waiting.count == limit { try spill() }
    }

    /// Passes each different entry to `body` once, in ascending order.
    consuming func hand(to body: (UInt64) throws(FileError) -> Void) throws(FileError) {
        var last: UInt64?
        try merge { (entry) throws(FileError) in
            if entry != last { try body(entry) }
            last = entry
        }
    }

    /// Passes each entry that was added more than once to `body` once, in ascending order.
    consuming func handRepeated(to body: (UInt64) -> Void) throws(FileError) {
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
            waiting.sort()
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
        waiting.sort()
        let start = runs.last?.upperBound ?? 0
        try unsafe waiting.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in
            try unsafe spool.append(bytes.assumingMemoryBound(to: UInt8.self).span)
        }
        runs.append(start..<(start + waiting.count * Self.entrySize))
        waiting.removeAll(keepingCapacity: true)
    }
}
