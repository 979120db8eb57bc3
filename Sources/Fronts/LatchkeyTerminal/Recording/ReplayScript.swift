import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// A recording during its replay: provides the next input and compares the output.
final class ReplayScript: Sendable {
    private let recording: Recording
    private let state: Locked<State>

    private struct State {
        /// The index of the next line to compare.
        var next = 0
        var hasBegun = false
        var time = 0
        var failures: [FieldKey: [Int: RuleFailure]] = [:]
        var strengths: [FieldKey: PasswordStrength] = [:]
        var difference: RecordingDifference?
        var frames = 0
        var events = 0
    }

    init(_ recording: Recording) {
        self.recording = recording
        state = Locked(State())
        state.withLock { readVerdicts(&$0) }
    }

    var outcome: ReplayOutcome {
        state.withLock { state in
            if let difference = state.difference { return .differs(difference) }
            return .same(lines: recording.lines.count + 1, frames: state.frames, events: state.events)
        }
    }

    /// The time of the next input, in milliseconds.
    var time: Int {
        state.withLock { state in
            guard let line = nextLine(&state), line.part == .input else { return state.time }
            return line.at
        }
    }

    // MARK: Output

    /// Compares one line of the replay with the recording.
    func compare(_ found: JSONValue) {
        state.withLock { state in
            guard state.difference == nil else { return }
            guard state.hasBegun else {
                state.hasBegun = true
                let expected = recording.start.json
                if found != expected { state.difference = RecordingDifference(0, expected: expected, found: found) }
                return
            }
            // A recording that was cut off may lack lines.
            guard let expected = nextLine(&state) else { return }
            guard found == expected.json else {
                state.difference = RecordingDifference(state.next + 1, expected: expected.json, found: found)
                return
            }
            step(over: expected, &state)
        }
    }

    private func step(over line: RecordingLine, _ state: inout State) {
        state.next += 1
        state.time = line.at
        switch line.content {
        case .frame: state.frames += 1
        case .event: state.events += 1
        case .input, .response, .rule, .strength, .text, .echo, .closingLine, .ended: break
        }
        if line.part == .input { readVerdicts(&state) }
    }

    // MARK: Verdicts about secrets

    func failure(of rule: Int, on field: FieldKey) -> RuleFailure? { state.withLock { $0.failures[field]?[rule] } }

    func strength(of field: FieldKey) -> PasswordStrength {
        state.withLock { $0.strengths[field] ?? PasswordStrength(score: 0, advice: nil) }
    }

    /// Reads the verdicts up to the next input.
    private func readVerdicts(_ state: inout State) {
        for line in recording.lines[state.next...] {
            switch line.content {
            case .rule(let rule, let field, let failure): state.failures[field, default: [:]][rule] = failure
            case .strength(let score, let field, let advice):
                state.strengths[field] = PasswordStrength(score: score, advice: advice)
            case .input, .response: return
            case .event, .frame, .text, .echo, .closingLine, .ended: break
            }
        }
    }

    // MARK: Input

    enum Step {
        case input(RecordedInput, at: Int)
        case response(NetworkResponse, at: Int)
        /// The recording is over, or a difference has been found.
        case end
    }

    /// The next input. Call it after the front has handled the one before.
    func next() -> Step {
        state.withLock { state in
            guard state.difference == nil, let line = nextLine(&state) else { return .end }
            switch line.content {
            case .input(let input): return .input(input, at: line.at)
            case .response(let response): return .response(response, at: line.at)
            case .rule, .strength, .event, .frame, .text, .echo, .closingLine, .ended:
                reportMissing(line, &state)
                return .end
            }
        }
    }

    /// The response, if it is the next line of the recording.
    func nextResponse() -> NetworkResponse? {
        state.withLock { state in
            guard state.difference == nil, case .response(let response)? = nextLine(&state)?.content else { return nil }
            return response
        }
    }

    /// Reports the next recorded line as missing from the replay.
    func reportMissing() {
        state.withLock { state in
            if state.difference == nil, let line = nextLine(&state) { reportMissing(line, &state) }
        }
    }

    private func reportMissing(_ line: RecordingLine, _ state: inout State) {
        state.difference = RecordingDifference(state.next + 1, expected: line.json, found: nil)
    }

    /// The next line that is not a verdict. Moves ``State/next`` there.
    private func nextLine(_ state: inout State) -> RecordingLine? {
        while state.next < recording.lines.count, recording.lines[state.next].part == .verdict { state.next += 1 }
        return state.next < recording.lines.count ? recording.lines[state.next] : nil
    }
}
