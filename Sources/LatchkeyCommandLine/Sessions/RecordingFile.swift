import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// A recording that a caller names.
struct RecordingFile {
    let path: String
    let messages: MessageTable

    /// In bytes: more than any session of a person has.
    private static let maximumCount = 1 << 26

    /// - Throws: status 65 where it is none, or none that this version knows.
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
