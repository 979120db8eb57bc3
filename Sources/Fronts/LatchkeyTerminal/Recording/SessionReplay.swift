import LatchkeyFlows
package import LatchkeyForms

/// Runs a recorded session again in the same front. Records the replay and compares it with the recording line by line.
///
/// The clock, the terminal's size, the responses and the verdicts about secrets come from the recording alone.
public struct SessionReplay: Sendable {
    private let recording: Recording
    private let watcher: Watcher?

    /// Shows a replay on a terminal.
    public struct Watcher: Sendable {
        let output: any TerminalOutput
        let wait: @Sendable (_ time: Duration) async -> Bool

        /// - Parameters:
        ///   - output: the terminal to draw on.
        ///   - wait: called before each input with the recorded time to the next one. Returns false to stop the replay.
        public init(output: any TerminalOutput, wait: @escaping @Sendable (_ time: Duration) async -> Bool) {
            self.output = output
            self.wait = wait
        }
    }

    public init(_ recording: Recording, watchedBy watcher: Watcher? = nil) {
        self.recording = recording
        self.watcher = watcher
    }

    /// - Returns: whether the replay equals the recording, up to its end or to where the watcher stopped.
    public func run() async -> ReplayOutcome {
        let start = recording.start
        let script = ReplayScript(recording)
        let recorder = SessionRecorder(start.configuration, script: script) { script.compare($0) }
        let networking = ReplayNetworking(script)
        let feed = ReplayFeed(script: script, networking: networking, watcher: watcher)
        let port = ReplayPort(start.size, watchedOn: watcher?.output) { await feed.next() }
        let dependency = recorder.recording(
            AppDependency(
                networking: networking, forms: recording.forms, messages: start.configuration.messages,
                opensWith: { start.opens }))
        let front = TerminalFront(
            coordinator: AccountCoordinator(dependency: dependency, opening: start.opens, until: start.goal),
            port: port, environment: start.environment, prefill: start.prefill.mapValues(\.prefilled),
            present: start.present, recorder: recorder)
        feed.open(port, front)
        _ = await front.run()
        networking.finish()
        if !feed.wasStopped { script.reportMissing() }
        return script.outcome
    }
}

/// The result of a replay.
public enum ReplayOutcome: Equatable, Sendable {
    /// The replay produced every recorded line again.
    case same(lines: Int, frames: Int, events: Int)
    case differs(RecordingDifference)
}

/// The first line of a recording that a replay does not produce again.
public struct RecordingDifference: Equatable, Sendable {
    /// The line number, from 1.
    public let line: Int
    package let expected: JSONValue
    /// Nil if the replay produced nothing.
    package let found: JSONValue?

    /// - Parameter index: the index of the line, from 0.
    init(_ index: Int, expected: JSONValue, found: JSONValue?) {
        line = index + 1
        self.expected = expected
        self.found = found
    }

    /// The recorded text and the text found instead. For two frames: each row that differs, with its number from 1.
    public var parts: [(expected: String?, found: String?, row: Int?)] {
        guard case .array(let expectedRows)? = expected["frame"], case .array(let foundRows)? = found?["frame"] else {
            return [(expected.encoded, found?.encoded, nil)]
        }
        var parts: [(expected: String?, found: String?, row: Int?)] = []
        for row in 0..<max(expectedRows.count, foundRows.count) {
            let (was, isNow) = (expectedRows.element(row), foundRows.element(row))
            if was != isNow { parts.append((was?.encoded, isNow?.encoded, row + 1)) }
        }
        for key in ["at", "cursor", "pinned"] where expected[key] != found?[key] {
            func member(_ json: JSONValue?) -> String? { json?[key].map { "\"\(key)\":" + $0.encoded } }
            parts.append((member(expected), member(found), nil))
        }
        return parts
    }
}

extension [JSONValue] {
    fileprivate func element(_ index: Int) -> JSONValue? { indices.contains(index) ? self[index] : nil }
}
