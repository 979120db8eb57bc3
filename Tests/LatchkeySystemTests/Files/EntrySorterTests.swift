import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct EntrySorterTests {
    private static let samples: [[UInt64]] = {
        var random = SeededGenerator(seed: 5)
        let spread = (0..<20_000).map { _ in UInt64.random(in: 0 ... .max, using: &random) }
        return [
            [], [7], [7, 7], [.max, 0, .max, 1], spread, spread + spread.prefix(50), Array(spread.sorted().reversed()),
            // Entries that differ in few bytes, or in none.
            (0..<5_000).map { _ in UInt64.random(in: 0...300, using: &random) },
            (0..<5_000).map { _ in UInt64.random(in: 0...300, using: &random) << 56 },
            Array(repeating: 42, count: 5_000),
        ]
    }()

    @Test(arguments: samples.indices, [100, 1_000_000])
    func `entries are sorted, and repeated entries are found`(sample: Int, limit: Int) throws {
        let folder = try TemporaryFolder()
        let guarded = try GuardedFolder(at: folder.path)
        let entries = Self.samples[sample]
        func sorter() throws -> EntrySorter {
            var sorter = EntrySorter(limit: limit) { () throws(FileError) in try FileDraft(of: "spool", in: guarded) }
            for entry in entries { try sorter.add(entry) }
            return sorter
        }
        var sorted: [UInt64] = []
        try sorter().forEachEntry { sorted.append($0) }
        #expect(sorted == Set(entries).sorted())
        var repeated: [UInt64] = []
        try sorter().forEachRepeated { repeated.append($0) }
        let counts = Dictionary(entries.map { ($0, 1) }, uniquingKeysWith: +)
        #expect(repeated == counts.filter { $0.value > 1 }.keys.sorted())
    }
}
