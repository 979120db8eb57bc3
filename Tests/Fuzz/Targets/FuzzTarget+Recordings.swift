import LatchkeyForms

@testable import LatchkeyTerminal

extension FuzzTarget {
    /// A recording: each accepted line is written back unchanged, and the recording can be replayed to its end.
    static let recording = FuzzTarget("recording", upTo: 6_000) { bytes in
        var reader = Recording.Reader()
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 63, omittingEmptySubsequences: true)
        do throws(RecordingProblem) {
            for line in lines { try reader.read(Array(line).span) }
        } catch {
            return error.line == 0 || error.line > lines.count ? "a refusal of a line that there is not" : nil
        }
        // Where nothing was read, there is nothing to refuse but that.
        guard let recording = try? reader.finish() else { return lines.isEmpty ? nil : "read, and none" }
        for (line, written) in zip(recording.lines, lines.dropFirst()) {
            guard let json = try? JSONReader.read(Array(written)).value else { return "taken, and no JSON" }
            if line.json != json { return "taken as something else" }
        }
        let first = await SessionReplay(recording).run()
        return await SessionReplay(recording).run() == first ? nil : "it happens otherwise each time"
    }
}
