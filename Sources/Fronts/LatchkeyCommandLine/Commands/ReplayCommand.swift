import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// `replay`: plays back a recorded session and compares it.
struct ReplayCommand {
    static let spec = CommandSpec(
        words: ["replay"], summary: "Play back a recorded session",
        about:
            "Play back the session that --record wrote to FILE, with its answers and its clock, and compare: ends with 0"
            + " if everything is the same, or with 1 and the first line that differs. Does not open the store.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("speed", value: "N", "Show it in the terminal, N times as fast; 0 does not wait"),
            FlagSpec("svg", value: "FILE", "Write a picture of the last screen to a new FILE"),
            FlagSpec("frame", value: "N", "Write the picture of frame N instead of the last one; 1 is the first"),
            FlagSpec("step", "Show it in the terminal, one step for each key; Esc ends it"),
        ],
        statuses: [.done, .no, .usage, .data, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: [
            "latchkey replay session.jsonl", "latchkey replay session.jsonl --speed 2",
            "latchkey replay session.jsonl --svg login.svg",
        ]
    ) { (context) async throws(ToolFailure) in try await ReplayCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let path = try context.invocation.path()
        let speed = try speed
        let picture = try picture(sparing: path)
        let recording = try RecordingFile(path: path, messages: context.messages).read()
        let viewer = try viewer(of: recording, speed)
        let outcome = await SessionReplay(recording, watchedBy: viewer?.watcher).run()
        // Read before `end`, which ends the input and so looks like a user who leaves.
        let ending = viewer?.ending
        viewer?.end()
        if let ending {
            ending.valueOrDie()
            throw .cancelled(isShown: false)
        }
        switch outcome {
        case .same(let lines, let frames, let events):
            try picture?.write(recording)
            return .sentence(
                "tool.replay_same",
                [
                    "name": .text(path), "lines": .integer(lines), "frames": .integer(frames),
                    "events": .integer(events),
                ],
                json: [("lines", .integer(lines)), ("frames", .integer(frames)), ("events", .integer(events))])
        case .differs(let difference):
            if !context.output.json { for line in difference.lines { try context.output.result(line) } }
            throw .replayDiffers(
                name: path, line: difference.line, version: recording.version, expected: difference.expected,
                found: difference.found ?? .null)
        }
    }

    /// How many times faster than recorded; 0 for no waiting, nil if the replay is not shown.
    private var speed: Double? {
        get throws(ToolFailure) {
            guard let value = context.invocation.value("speed") else { return nil }
            let isPlain = value.bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == 0x2E }
            guard isPlain, value.bytes.count <= 9, let speed = value.text.flatMap(Double.init), speed.isFinite else {
                throw .badSpeed
            }
            guard !context.invocation.has("step") else { throw .speedAndStep }
            return speed
        }
    }

    /// Where `--svg` writes; nil without it.
    private func picture(sparing recording: String) throws(ToolFailure) -> Picture? {
        let number: Int?
        if let value = context.invocation.value("frame") {
            guard let given = value.wholeNumber, given > 0 else { throw .badNumber(name: "--frame") }
            guard context.invocation.has("svg") else { throw .flagNeeds(flag: "frame", other: "svg") }
            number = given
        } else {
            number = nil
        }
        guard let flag = context.invocation.value("svg") else { return nil }
        guard let path = flag.path else { throw .badPath(name: "--svg") }
        return Picture(name: recording, file: try OutputFile(path, sparing: [recording]), frame: number)
    }

    /// A picture of one frame of a recording.
    private struct Picture {
        let name: String
        let file: OutputFile
        /// From 1; nil for the last one.
        let frame: Int?

        func write(_ recording: Recording) throws(ToolFailure) {
            let frames = recording.frames
            guard !frames.isEmpty else { throw .noPicture(name: name) }
            guard let shown = frame.map({ frames.indices.contains($0 - 1) ? frames[$0 - 1] : nil }) ?? frames.last
            else {
                throw .numberOutOfRange(name: "--frame", minimum: 1, maximum: frames.count)
            }
            try file.append(Array(shown.svg(columns: recording.size.columns).utf8).span)
            try file.publish()
        }
    }

    private func viewer(of recording: Recording, _ speed: Double?) throws(ToolFailure) -> ReplayViewer? {
        guard speed != nil || context.invocation.has("step") else { return nil }
        guard !context.settings.noInput, let device = TerminalDevice.open() else {
            throw .noTerminal
        }
        guard device.size.columns >= recording.size.columns else {
            throw .replayNarrow(columns: recording.size.columns)
        }
        guard let viewer = ReplayViewer(on: device, speed: speed) else { throw .noTerminal }
        return viewer
    }
}

extension RecordingDifference {
    /// The difference as text: recorded lines begin with `-`, new ones with `+`.
    fileprivate var lines: [String] {
        parts.flatMap { part in
            (part.row.map { ["row \($0)"] } ?? [])
                + [part.expected.map { "- " + $0 }, part.found.map { "+ " + $0 }].compactMap(\.self)
        }
    }
}
