public import LatchkeyFlows
public import LatchkeyForms
import LatchkeySystem

/// Keeps what a ``TerminalFront`` is given and what comes of it, a line of JSON each; no secret is among it.
///
/// For one front. What is typed into a secret, or into nothing that shows it, is stood in for, and so what rules and the
/// strength meter say of it is kept too: of the stand-in they would say something else. The recorded front lives by the
/// recorder's clock, which stands still while one thing is dealt with, and goes in steps: when a key was pressed would
/// tell something of a password.
public final class SessionRecorder: Sendable {
    typealias Instant = FormMachine.Instant

    /// From one time in a recording to the next.
    public static let step = Duration.milliseconds(250)

    private let setting: RecordedSetting
    private let put: @Sendable (JSONValue) -> Void
    /// Has what is to be said and answered, where a recording is replayed.
    let script: ReplayScript?
    private let state = Locked(State())

    private struct State {
        var port: (any TerminalPort)?
        var clock: @Sendable () -> Instant = { .now }
        var start = Instant.now
        /// Since then, in milliseconds.
        var time = 0
        var size = TerminalSize(columns: 80, rows: 24)
        var frame: JSONValue?
        /// What was said last of each secret, by whom.
        var said: [FieldKey: [Int: JSONValue]] = [:]
        var events: EventFeed<Never>?
        /// Whether the stream still tells what was true before.
        var isJoining = true
        var isOver = false
    }

    /// - Parameter write: takes a line without its end, in one piece; called under a lock, one at a time.
    public convenience init(_ setting: RecordedSetting, write: @escaping @Sendable (_ line: [UInt8]) -> Void) {
        self.init(setting, script: nil) { write(Array($0.encoded.utf8)) }
    }

    init(_ setting: RecordedSetting, script: ReplayScript?, _ put: @escaping @Sendable (JSONValue) -> Void) {
        self.setting = setting
        self.script = script
        self.put = put
    }

    /// The same dependency with every answer recorded: for the coordinator of the front.
    public func recording(_ dependency: AppDependency) -> AppDependency {
        var dependency = dependency
        dependency.networking = RecordedNetworking(dependency.networking, self)
        return dependency
    }

    /// What the front shows everything by.
    var now: Instant { state.withLock { $0.start.advanced(by: .milliseconds($0.time)) } }

    /// As large as the recorded front knows it.
    var size: TerminalSize { state.withLock { $0.size } }

    // MARK: The front

    func begin(
        on port: any TerminalPort, _ environment: TerminalEnvironment, opening opens: AccountType, until goal: Goal,
        prefill: [FieldKey: Prefilled], present: [FieldKey: String], clock: @escaping @Sendable () -> Instant
    ) {
        let size = port.size
        let start = RecordingStart(
            setting: setting, environment: environment, size: size, opens: opens, goal: goal,
            prefill: prefill.mapValues(RecordedText.init), present: present)
        state.withLock { state in
            state.port = port
            state.clock = clock
            state.start = clock()
            state.size = size
            put(start.json)
        }
    }

    func listen(to events: AccountEvents) {
        // Written where they are emitted, so that each stands where it belongs among the frames.
        let feed = events.events(.bounded(1)) { [weak self] event -> Never? in
            self?.hear(event)
            return nil
        }
        state.withLock { state in
            state.events = feed
            state.isJoining = false
        }
    }

    private func hear(_ event: AccountEvent) {
        // Of what is true already, what this front has opened with: the rest is of a front before it.
        if state.withLock({ $0.isJoining }) {
            guard case .navigation(.opened) = event else { return }
        }
        note(.event(event))
    }

    func end(_ result: TerminalResult) {
        note(.ended(TerminalEnding(result)))
        // Let go of outside the lock: what goes with it takes the lock of the stream.
        let feed = state.withLock { state in
            state.isOver = true
            defer { state.events = nil }
            return state.events
        }
        withExtendedLifetime(feed) {}
    }

    // MARK: From outside

    /// - Parameter shows: whether what is typed goes where it is seen.
    func take(_ input: TerminalInput, shows: Bool) {
        came { state in
            if case .resized = input, let port = state.port { state.size = port.size }
            return .input(RecordedInput(input, shows: shows, size: state.size))
        }
    }

    /// - Returns: the answer as a recording gives it back.
    func take(_ response: NetworkResponse) -> NetworkResponse {
        came { _ in .response(response) }
        return NetworkResponse(recorded: response.recorded) ?? response
    }

    private func came(_ content: (inout State) -> RecordingLine.Content) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.time = max(state.time, script?.time ?? Self.steps(from: state.start, to: state.clock()))
            let content = content(&state)
            put(RecordingLine(at: state.time, content: content).json)
        }
    }

    /// In milliseconds, rounded up: what is due by then is due.
    private static func steps(from start: Instant, to now: Instant) -> Int {
        let steps = Int((start.duration(to: now) / step).rounded(.up))
        return max(steps, 0) * Int(step / .milliseconds(1))
    }

    // MARK: What comes of it

    func show(_ frame: Frame) {
        let json = JSONValue.object(frame.members)
        let isNew = state.withLock { state in
            defer { state.frame = json }
            return state.frame != json
        }
        if isNew { note(.frame(frame)) }
    }

    func keep(_ line: String?) {
        state.withLock { $0.frame = nil }
        if let line { note(.kept(line)) }
    }

    func say(_ text: String) { note(.said(text)) }

    func echo(_ isOn: Bool) { note(.echo(isOn)) }

    private func note(_ content: RecordingLine.Content) {
        state.withLock { state in
            guard !state.isOver else { return }
            put(RecordingLine(at: state.time, content: content).json)
        }
    }
}

extension SessionRecorder: SecretVerdicts {
    /// Where the strength of a password is kept, beside what its rules say.
    private static let meter = -1

    public func failure(of rule: Int, on field: FieldKey, _ check: () -> RuleFailure?) -> RuleFailure? {
        if let script { return script.failure(of: rule, on: field) }
        let failure = check()
        hear(.rule(rule, of: field, says: failure), field, by: rule, failure?.json ?? .null)
        return failure
    }

    public func strength(of field: FieldKey, _ estimate: () -> PasswordStrength) -> PasswordStrength {
        if let script { return script.strength(of: field) }
        let strength = estimate()
        let words = JSONValue.array([
            .integer(strength.score), strength.advice.map { .string($0.rawValue) } ?? .null,
        ])
        hear(.strength(strength.score, of: field, advice: strength.advice), field, by: Self.meter, words)
        return strength
    }

    private func hear(_ content: RecordingLine.Content, _ field: FieldKey, by judge: Int, _ words: JSONValue) {
        let isNew = state.withLock { state in
            defer { state.said[field, default: [:]][judge] = words }
            // That a rule holds is what a replay takes for granted.
            return (state.said[field]?[judge] ?? .null) != words
        }
        if isNew { note(content) }
    }
}
