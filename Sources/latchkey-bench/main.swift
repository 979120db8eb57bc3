import LatchkeyCommandLine

await CommandLineTool.main(with: [.benchmarks, .hashBenchmark, .lookupBenchmark])

extension CommandSpec {
    /// `latchkey-bench` alone, which only lists the benchmarks.
    static let benchmarks = benchmark(
        [], summary: "Measure hashes and look-ups",
        about: "Measures password hashes and account look-ups with the current settings.", statuses: [.usage],
        examples: ["latchkey-bench --help"]
    ) { (_) async throws(ToolFailure) in
        throw .commandMissing(group: "latchkey-bench", known: "hash, lookup")
    }
}
