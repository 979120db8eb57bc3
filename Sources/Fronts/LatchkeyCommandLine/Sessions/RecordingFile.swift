import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// A recording in a file.
struct RecordingFile {
    let path: String
    let messages: MessageTable

    /// The largest recording in bytes; no real session is longer.
    private static let maximumCount = 1 << 26

    /// - Throws: status 65 if the file is not a recording that this version knows.
    func read() throws(ToolFailure) -> Recording {
        let file: GivenFile
        do throws(FileError) { file = try GivenFile(at: path) } catch { throw .reading(path, error) }
        var lines = InputLines(file, named: path)
        var reader = Recording.Reader()
        var problem: RecordingProblem?
        var count = 0
        repeat {
            var isMore = true
            while isMore, problem == nil {
                isMore = lines.take { kind, line in
                    count += line.count
                    do throws(RecordingProblem) {
                        guard kind == .whole, count <= Self.maximumCount else { throw reader.tooLong() }
                        try reader.read(line)
                    } catch {
                        problem = error
                    }
                }
            }
            if let problem { throw failure(problem) }
        } while try lines.refill()
        do throws(RecordingProblem) { return try reader.finish() } catch { throw failure(error) }
    }

    private func failure(_ problem: RecordingProblem) -> ToolFailure {
        let reason =
            switch problem.reason {
            case .form(let error): messages.sentence(error.problem.code, error.problem.values)
            case .newer(let version): messages.sentence("recording.newer", ["version": .integer(version)])
            case .noRecording, .notJSON, .cut, .unknown, .backwards, .afterEnd, .tooLong:
                messages.sentence("recording." + problem.reason.name)
            }
        return .recordingBad(name: path, line: problem.line, reason: reason, word: problem.reason.name)
    }
}
