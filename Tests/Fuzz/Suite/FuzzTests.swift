import Foundation
import TestSupport
import Testing

/// A short form of scripts/fuzz: every seed, earlier findings, and several hundred inputs derived from them.
@Suite(.timeLimit(.minutes(60)))
struct FuzzTests {
    private static let folder = SourceTree.path(of: "Tests/Fuzz/Seeds")

    private func seeds(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = Self.folder + "/" + target.name
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
            ($0, Array(try Data(contentsOf: URL(filePath: folder + "/" + $0))))
        }
    }

    @Test func `each target has seeds, and each seed folder has a target`() throws {
        let names = FuzzTarget.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted() == names.sorted())
        for target in FuzzTarget.all {
            let seeds = try seeds(of: target)
            #expect(seeds.count >= 3, "\(target.name) has too little to begin with")
            for seed in seeds { #expect(seed.bytes.count <= target.maximumBytes, "\(target.name)/\(seed.name)") }
        }
    }

    @Test func `the stored-rows target can change every column of every table`() async throws {
        #expect(try await FuzzRows.unreached() == [])
    }

    /// S-86, S-121, S-123, S-137, S-139.
    @Test(arguments: FuzzTarget.all)
    func `the seeds and random inputs violate no property`(target: FuzzTarget) async throws {
        let seeds = try seeds(of: target)
        for seed in seeds {
            let finding = await target.judge(seed.bytes)
            #expect(finding == nil, "\(target.name)/\(seed.name)")
        }
        // Each input of these targets opens a store, or fills in a form key by key.
        let count = ["store", "stored-rows", "audit-trail", "terminal-input", "flows"].contains(target.name) ? 40 : 800
        for number in 1...4 as ClosedRange<UInt64> {
            var mutator = FuzzMutator(seeds: seeds.map(\.bytes), maximumBytes: target.maximumBytes, seed: number)
            for _ in 0..<(count / 4) {
                let input = mutator.next()
                guard let finding = await target.judge(input) else { continue }
                Issue.record("\(finding): \(Data(input).base64EncodedString())")
                return
            }
        }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    var testDescription: String { name }
}
