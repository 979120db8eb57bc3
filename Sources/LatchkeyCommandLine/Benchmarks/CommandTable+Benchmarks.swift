extension CommandTable {
    /// The commands of `latchkey-bench`, a tool for developers that is not installed.
    static let benchmarks: [CommandSpec] = [.benchmarks, .benchmarkHash, .benchmarkLookup]
}

extension CommandSpec {
    /// `latchkey-bench` alone, which only lists the benchmarks.
    fileprivate static let benchmarks = CommandSpec(
        words: [], summary: "Measure hashes and look-ups",
        about: "Measures password hashes and account look-ups with the current settings.", statuses: [.usage],
        examples: ["latchkey-bench --help"], program: "latchkey-bench"
    ) { (_) async throws(ToolFailure) in
        throw .commandMissing(group: "latchkey-bench", known: "hash, lookup")
    }
}
