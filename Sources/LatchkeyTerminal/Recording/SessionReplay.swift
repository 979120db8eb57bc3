import LatchkeyFlows
import LatchkeyForms

/// Runs a recorded session again, through the same front, and compares what comes of it line by line: the replay is
/// recorded in its turn.
///
/// Nothing but the recording is asked: clock, size, answers, and what was said of secrets come from there.
public struct SessionReplay: Sendable {
    private let recording: Recording
    private let watcher: Watcher?

    /// Somebody who looks on.
    public struct Watcher: Sendable {
        let output: any TerminalOutput
        let wait: @Sendable (_ time: Duration) async -> Bool

        /// - Parameters:
        ///   - output: where it is drawn.
        ///   - wait: before something comes from outside, as long as it took when it was recorded, or as one likes;
        ///     false for no more.
        public init(output: any TerminalOutput, wait: @escaping @Sendable (_ time: Duration) async -> Bool) {
            self.output = output
            self.wait = wait
        }
    }

    public init(_ recording: Recording, watchedBy watcher: Watcher? = nil) {
        self.recording = recording
        self.watcher = watcher
    }

    /// - Returns: whether it is the same as far as the recording goes, or as the watcher has looked.
    public func run() async -> ReplayOutcome {
        let start = recording.start
        let script = ReplayScript(recording)
        let recorder = SessionRecorder(start.setting, script: script) { script.see($0) }
        let networking = ReplayNetworking(script)
        let stage = ReplayStage(script: script, networking: networking, watcher: watcher)
        let port = ReplayPort(start.size, watchedOn: watcher?.output) { await stage.next() }
        let dependency = recorder.recording(
            AppDependency(
                networking: networking, forms: recording.forms, messages: start.setting.messages,
                opensWith: { start.opens }))
        let front = TerminalFront(
            coordinator: AccountCoordinator(dependency: dependency, opening: start.opens, until: start.goal),
            port: port, environment: start.environment, prefill: start.prefill.mapValues(\.prefilled),
            present: start.present, recorder: recorder)
        stage.open(port, front)
        _ = await front.run()
        networking.finish()
        if !stage.wasLeft { script.lackNext() }
        return script.outcome
    }
}
