import LatchkeyFlows
public import LatchkeyForms
import LatchkeySystem

/// Records one session of a ``TerminalFront`` as lines of JSON, without any secret.
///
/// Secrets are replaced by ``RedactedText``. Rules and the strength meter would judge the replacement differently, so the
/// recorder stores their verdicts too. The recorder's clock moves on in steps and only with input, because the exact times
/// of key presses would reveal something about a password.
public final class SessionRecorder: Sendable {
    typealias Instant = FormMachine.Instant

    /// The resolution of times in a recording.
    public static let step = Duration.milliseconds(250)

    private let configuration: RecordingConfiguration
    private let put: @Sendable (JSONValue) -> Void
    /// The recording that is replayed; nil while recording.
    let script: ReplayScript?
    private let state = Locked(State())

    private struct State {
        var port: (any TerminalPort)?
        var mode = TerminalMode.keys
        var clock: @Sendable () -> Instant = { .now }
        var start = Instant.now
        /// Milliseconds since the start.
        var time = 0
        var size = TerminalSize(columns: 80, rows: 24)
        /// The last recorded frame.
        var frame: JSONValue?
        /// The last recorded verdicts about each secret, by rule.
        var verdicts: [FieldKey: [Int: JSONValue]] = [:]
        var events: EventFeed<Never>?
        /// Whether the stream is still repeating events from before.
        var isJoining = true
        var isOver = false
    }

    /// - Parameter write: receives one line without its line break. It is called under a lock, for one line at a time.
    public convenience init(
        _ configuration: RecordingConfiguration, write: @escaping @Sendable (_ line: [UInt8]) -> Void
    ) {
        self.init(configuration, script: nil) { write(Array($0.encoded.utf8)) }
    }

    init(
        _ configuration: RecordingConfiguration, script: ReplayScript?,
        _ put: @escaping @Sendable (JSONValue) -> Void
    ) {
        self.configuration = configuration
        self.script = script
        self.put = put
    }

    /// The time of the last input: the recording's clock moves on only with input.
    var now: Instant { state.withLock { $0.start.advanced(by: .milliseconds($0.time)) } }

    /// The size after the last recorded resize.
    var size: TerminalSize { state.withLock { $0.size } }

    // MARK: The session

    func begin(
        on port: any TerminalPort, _ environment: TerminalEnvironment, opening opens: AccountType, until goal: Goal,
        prefill: [FieldKey: Prefilled], present: [FieldKey: FieldValue], clock: @escaping @Sendable () -> Instant
    ) {
        let size = port.size
        let start = RecordingStart(
            configuration: configuration, environment: environment, size: size, opens: opens, goal: goal,
            prefill: prefill.mapValues(RecordedText.init), present: present)
        state.withLock { state in
            state.port = port
            state.clock = clock
            state.start = clock()
            state.size = size
            put(start.json)
        }
    }

    func listen(to events: AccountEvents, _ mode: TerminalMode) {
        state.withLock { $0.mode = mode }
        // Events are recorded as they are emitted, so that each one stands between the right frames.
        let feed = events.events(.bounded(1)) { [weak self] event -> Never? in
            self?.record(event)
            return nil
        }
        state.withLock { state in
            state.events = feed
            state.isJoining = false
        }
    }

    private func record(_ event: AccountEvent) {
        // Of the events from before, only the opened flow belongs to this front.
        if state.withLock({ $0.isJoining }) {
            guard case .navigation(.opened) = event else { return }
        }
        append(.event(event))
    }

    func end(_ ending: TerminalEnding<AccountType>) {
        append(.ended(ending))
        // Released outside the lock, because releasing it takes the lock of the stream.
        let feed = state.withLock { state in
            state.isOver = true
            defer { state.events = nil }
            return state.events
        }
        withExtendedLifetime(feed) {}
    }

    // MARK: Input

    func record(_ input: TerminalInput, isVisible: Bool) {
        appendInput { state in
            if case .resized = input, let port = state.port { state.size = port.size }
            return .input(RecordedInput(input, isVisible: isVisible, size: state.size))
        }
    }

    /// - Returns: the response as a replay reads it back.
    func record(_ response: NetworkResponse) -> NetworkResponse {
        appendInput { _ in .response(response) }
        return NetworkResponse(recorded: response.recorded) ?? response
    }

    private func appendInput(_ content: (inout State) -> RecordingLine.Content) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.time = max(state.time, script?.time ?? Self.steps(from: state.start, to: state.clock()))
            let content = content(&state)
            put(RecordingLine(at: state.time, content: content).json)
        }
    }

    /// The time since `start` in milliseconds, rounded up to a step, so that nothing is due that was not due yet.
    private static func steps(from start: Instant, to now: Instant) -> Int {
        let steps = Int((start.duration(to: now) / step).rounded(.up))
        return max(steps, 0) * Int(step / .milliseconds(1))
    }

    // MARK: Output

    func record(_ frame: Frame) {
        let json = JSONValue.object(frame.members)
        let isNew = state.withLock { state in
            defer { state.frame = json }
            return state.frame != json
        }
        if isNew { append(.frame(frame)) }
    }

    /// Records the line that replaces the form.
    func recordClosing(_ line: String?) {
        state.withLock { $0.frame = nil }
        if let line { append(.closingLine(line)) }
    }

    /// Records what the line driver writes. The bytes of a frame are not recorded, because they may hold a revealed secret.
    func recordText(_ bytes: Span<UInt8>) {
        guard state.withLock({ $0.mode }) == .lines else { return }
        append(.text(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)))
    }

    func recordEcho(_ isOn: Bool) { append(.echo(isOn)) }

    private func append(_ content: RecordingLine.Content) {
        state.withLock { state in
            guard !state.isOver else { return }
            put(RecordingLine(at: state.time, content: content).json)
        }
    }
}

extension SessionRecorder: SecretVerdicts {
    /// The key of the strength meter among the verdicts, which are numbered by rule.
    private static let meter = -1

    public func failure(of rule: Int, on field: FieldKey, _ check: () -> RuleFailure?) -> RuleFailure? {
        if let script { return script.failure(of: rule, on: field) }
        let failure = check()
        record(.rule(rule, of: field, failure: failure), field, by: rule, failure?.json ?? .null)
        return failure
    }

    public func strength(of field: FieldKey, _ estimate: () -> PasswordStrength) -> PasswordStrength {
        if let script { return script.strength(of: field) }
        let strength = estimate()
        let verdict = JSONValue.array([
            .integer(strength.score), strength.advice.map { .string($0.rawValue) } ?? .null,
        ])
        record(.strength(strength.score, of: field, advice: strength.advice), field, by: Self.meter, verdict)
        return strength
    }

    private func record(_ content: RecordingLine.Content, _ field: FieldKey, by rule: Int, _ verdict: JSONValue) {
        let isNew = state.withLock { state in
            defer { state.verdicts[field, default: [:]][rule] = verdict }
            // A replay assumes that a rule holds, so the first verdict without a failure need not be recorded.
            return (state.verdicts[field]?[rule] ?? .null) != verdict
        }
        if isNew { append(content) }
    }
}
