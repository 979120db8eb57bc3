import Foundation
import TestSupport
import Testing

/// `scripts/bench timing`: its conclusions, and that it runs. No test of this suite measures time.
@Suite(.programs, .timeLimit(.minutes(60))) struct TimingBenchTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Bench/bench-timing.py").standardized.path

    /// Times in seconds around 20 ms, sometimes much longer, as on a busy machine.
    private func times(_ seed: UInt64, count: Int = 800, longer: Double = 0, spread: Double = 0.001) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let noise = (0..<8).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &generator) } / 8
            let pause = Int.random(in: 0..<20, using: &generator) == 0 ? 0.03 : 0
            return 0.02 + longer + spread * noise + pause
        }
    }

    private func judge(_ samples: [String: [Double]]) throws -> Sandbox.Ending {
        let input = try JSONSerialization.data(withJSONObject: samples)
        return try Sandbox().run(
            "/usr/bin/env", "python3", Self.script, "--judge", "-", input: String(decoding: input, as: UTF8.self))
    }

    /// S-39: a difference of a few per cent, one visible only in the order of the times, and a build that does less
    /// work.
    @Test(arguments: [
        (0.0, true), (0.002, false), (0.000_3, false), (-0.019, false), (-0.000_3, false),
    ])
    func `two kinds of failure differ only if their times differ beyond chance`(longer: Double, alike: Bool) throws {
        let ending = try judge([
            "unknown name": times(1), "wrong password": times(2), "disabled": times(3, longer: longer),
        ])
        #expect(ending.status == (alike ? 0 : 1), "\(ending.stdout)\(ending.stderr)")
        #expect(ending.stdout.matches(of: /AUC 0\.\d{3}/).count + ending.stdout.matches(of: /AUC 1\.000/).count == 3)
        #expect(ending.stdout.contains("DIFFERENT") == !alike)
    }

    /// S-39: Mann and Whitney's statistic, ties counting half.
    @Test(arguments: [
        ([1.0, 2, 3], [4.0, 5, 6], "0.000"), ([4, 5, 6], [1, 2, 3], "1.000"), ([1, 1, 1], [1, 1], "0.500"),
        ([1, 2, 2], [2, 3], "0.167"),
    ])
    func `ties count half in the area under the curve`(one: [Double], other: [Double], area: String) throws {
        let ending = try judge(["a": one, "b": other])
        #expect(ending.stdout.contains("AUC \(area)") || ending.stdout.contains("AUC \(complement(area))"))
    }

    private func complement(_ area: String) -> String {
        String(format: "%.3f", 1 - (Double(area) ?? 0))
    }

    /// S-145: so few pairs can only reveal a different number of flushes.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cc"), "a C compiler is not here"))
    func `requests for a known and an unknown address flush equally often`() throws {
        let ending = try Sandbox().run(
            "/usr/bin/env", "python3", Self.script, "--recovery", Sandbox.binary.path, "--rounds", "2")
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        #expect(ending.stdout.contains("2 pairs; flushes: account [17], unknown address [17]"))
    }

    /// The binary responds to every class with a failure. The verdict on so few measurements is chance.
    @Test func `the timing benchmark covers every class of failure`() throws {
        let sandbox = try Sandbox()
        let record = sandbox.folder.appending(path: "record").path
        let ending = try sandbox.run(
            "/usr/bin/env", "python3", Self.script, Sandbox.binary.path, "--rounds", "5", "--runs", "1", "--record",
            record)
        #expect(ending.stderr == "")
        let samples = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: record)))
        let times = try #require(samples as? [String: [Double]])
        #expect(times.count == 10)
        #expect(times.values.allSatisfy { $0.count == 5 })
    }
}
