import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// `replay`: runs a recorded session again, and says whether it is the same. Touches no store.
struct ReplayRun {
    let run: Run

    func perform() async throws(ToolFailure) {
        guard let path = run.invocation.operands.first?.path else {
            throw ToolFailure(.usage, "bad_path", ["name": .text("FILE")])
        }
        let speed = try speed
        let recording = try RecordingFile(path: path, messages: run.messages).read()
        let viewer = try viewer(of: recording, speed)
        let outcome = await SessionReplay(recording, watchedBy: viewer?.watcher).run()
        // Before the keys are let go of: their end is nobody's leaving.
        let ending = viewer?.ending
        viewer?.end()
        switch ending {
        case nil: break
        case .left: throw ToolFailure(.no, "cancelled")
        case .killed(by: let signal): TerminalDevice.die(of: signal)
        }
        switch outcome {
        case .same(let lines, let frames, let events):
            try report(path, ["lines": lines, "frames": frames, "events": events])
        case .differs(let difference):
            if !run.output.json { for line in difference.lines { try run.output.result(line) } }
            throw ToolFailure(difference, in: path, recordedBy: recording.version)
        }
    }

    /// By how much it goes faster than it was; 0 for no waiting, nil where nobody watches.
    private var speed: Double? {
        get throws(ToolFailure) {
            guard let value = run.invocation.value("speed") else { return nil }
            let isPlain = value.bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == 0x2E }
            guard isPlain, value.bytes.count <= 9, let speed = value.text.flatMap(Double.init), speed.isFinite else {
                throw ToolFailure(.usage, "bad_speed")
            }
            guard !run.invocation.has("step") else { throw ToolFailure(.usage, "speed_and_step") }
            return speed
        }
    }

    private func viewer(of recording: Recording, _ speed: Double?) throws(ToolFailure) -> ReplayViewer? {
        guard speed != nil || run.invocation.has("step") else { return nil }
        guard !run.settings.noInput, let device = TerminalDevice.open() else {
            throw ToolFailure(.usage, "no_terminal")
        }
        guard device.size.columns >= recording.size.columns else {
            throw ToolFailure(.usage, "replay_narrow", ["columns": .integer(recording.size.columns)])
        }
        guard let viewer = ReplayViewer(on: device, speed: speed) else { throw ToolFailure(.usage, "no_terminal") }
        return viewer
    }

    private func report(_ path: String, _ counts: KeyValuePairs<String, Int>) throws(ToolFailure) {
        if run.output.json {
            return try run.output.success(counts.map { (key: $0.key, value: .integer($0.value)) })
        }
        var values: [String: RuleFailure.Value] = ["name": .text(path)]
        for (key, count) in counts { values[key] = .integer(count) }
        try run.output.result(run.messages.sentence("tool.replay_same", values))
    }
}

extension RecordingDifference {
    /// As a person reads it: what was recorded behind `-`, and behind `+` what happened.
    fileprivate var lines: [String] {
        parts.flatMap { part in
            (part.row.map { ["row \($0)"] } ?? [])
                + [part.expected.map { "- " + $0 }, part.found.map { "+ " + $0 }].compactMap(\.self)
        }
    }
}

extension ToolFailure {
    fileprivate init(_ difference: RecordingDifference, in path: String, recordedBy version: String) {
        self.init(
            .no, "replay_differs",
            ["name": .text(path), "line": .integer(difference.line), "version": .text(version)])
        members = [
            ("line", .integer(difference.line)), ("expected", difference.expected),
            ("found", difference.found ?? .null),
        ]
    }
}
