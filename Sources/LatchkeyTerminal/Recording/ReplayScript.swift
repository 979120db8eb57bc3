import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// A recording on the way through its replay: says what comes next from outside, and whether what comes of it is the
/// same.
final class ReplayScript: Sendable {
    private let recording: Recording
    private let state: Locked<State>

    private struct State {
        /// The next line that is to be seen again.
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
        state.withLock { learn(&$0) }
    }

    var outcome: ReplayOutcome {
        state.withLock { state in
            if let difference = state.difference { return .differs(difference) }
            return .same(lines: recording.lines.count + 1, frames: state.frames, events: state.events)
        }
    }

    /// Of what comes next from outside, in milliseconds.
    var time: Int {
        state.withLock { state in
            guard let line = nextLine(&state), line.part == .outside else { return state.time }
            return line.at
        }
    }

    // MARK: What came of it

    /// Compares what has happened to what is to happen.
    func see(_ found: JSONValue) {
        state.withLock { state in
            guard state.difference == nil else { return }
            guard state.hasBegun else {
                state.hasBegun = true
                let expected = recording.start.json
                if found != expected { state.difference = RecordingDifference(0, expected: expected, found: found) }
                return
            }
            // Where a recording merely ends, more may have happened.
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
        case .input, .response, .rule, .strength, .said, .echo, .kept, .ended: break
        }
        if line.part == .outside { learn(&state) }
    }

    // MARK: What was said of secrets

    func failure(of rule: Int, on field: FieldKey) -> RuleFailure? { state.withLock { $0.failures[field]?[rule] } }

    func strength(of field: FieldKey) -> PasswordStrength {
        state.withLock { $0.strengths[field] ?? PasswordStrength(score: 0, advice: nil) }
    }

    /// Takes in what was said between here and what comes next from outside.
    private func learn(_ state: inout State) {
        for line in recording.lines[state.next...] {
            switch line.content {
            case .rule(let rule, let field, let failure): state.failures[field, default: [:]][rule] = failure
            case .strength(let score, let field, let advice):
                state.strengths[field] = PasswordStrength(score: score, advice: advice)
            case .input, .response: return
            case .event, .frame, .said, .echo, .kept, .ended: break
            }
        }
    }

    // MARK: What comes from outside

    enum Step {
        case input(RecordedInput, at: Int)
        case response(NetworkResponse, at: Int)
        /// The recording is over, or it is known that it is not the same.
        case end
    }

    /// To be asked when the front has dealt with everything before.
    func next() -> Step {
        state.withLock { state in
            guard state.difference == nil, let line = nextLine(&state) else { return .end }
            switch line.content {
            case .input(let input): return .input(input, at: line.at)
            case .response(let response): return .response(response, at: line.at)
            case .rule, .strength, .event, .frame, .said, .echo, .kept, .ended:
                lack(line, &state)
                return .end
            }
        }
    }

    /// The answer that the recording has next; nil where something else comes before.
    func answerAtHand() -> NetworkResponse? {
        state.withLock { state in
            guard state.difference == nil, case .response(let response)? = nextLine(&state)?.content else { return nil }
            return response
        }
    }

    /// What comes next does not happen.
    func lackNext() {
        state.withLock { state in
            if state.difference == nil, let line = nextLine(&state) { lack(line, &state) }
        }
    }

    private func lack(_ line: RecordingLine, _ state: inout State) {
        state.difference = RecordingDifference(state.next + 1, expected: line.json, found: nil)
    }

    /// The next line that is no judgement; ``State/next`` is its place then.
    private func nextLine(_ state: inout State) -> RecordingLine? {
        while state.next < recording.lines.count, recording.lines[state.next].part == .judgement { state.next += 1 }
        return state.next < recording.lines.count ? recording.lines[state.next] : nil
    }
}
