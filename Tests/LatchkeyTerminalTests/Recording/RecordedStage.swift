import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import TestSupport

@testable import LatchkeyTerminal

/// A front on a terminal in memory whose session is recorded, with responses from the test.
struct RecordedStage {
    let port: ScriptedTerminal
    let network: ScriptedNetworking
    let running: Task<TerminalEnding<CompletedFlow>, Never>
    private let written = Locked<[UInt8]>([])

    init(
        _ environment: TerminalEnvironment = Stage.rich, opening first: AccountType = .login,
        until goal: Goal = .signedIn, columns: Int = 80, language: Language = .english,
        forms: FormCatalogue? = nil, shown: FormCatalogue? = nil, prefill: [FieldKey: Prefilled] = [:],
        present: [FieldKey: FieldValue] = [:], clock: Locked<FormMachine.Instant>? = nil,
        answer: @escaping ScriptedNetworking.Rule = { _, _ in .success(Stage.ada) }
    ) throws {
        let port = ScriptedTerminal(columns: columns)
        let network = ScriptedNetworking(answering: answer)
        let forms = try forms ?? FormCatalogue(messages: language.messages)
        let setting = RecordingConfiguration(
            version: "0.0.0", language: language, sentences: [:], forms: forms, shown: shown ?? forms)
        let written = written
        let recorder = SessionRecorder(setting) { line in written.withLock { $0 += line + [0x0A] } }
        let dependency = AppDependency(
            networking: network, forms: shown ?? forms, messages: language.messages, opensWith: { first })
        let front = TerminalFront(
            coordinator: AccountCoordinator(
                dependency: recorder.recording(dependency), opening: first, until: goal),
            port: port, environment: environment, prefill: prefill, present: present,
            now: { clock?.withLock { $0 } ?? .now }, recorder: recorder)
        self.port = port
        self.network = network
        running = Task { await front.run() }
    }

    /// The content of the file.
    var bytes: [UInt8] { written.withLock { $0 } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    func recording() throws -> Recording { try Recording(lines: lines) }
}

extension Recording {
    init(lines: [String]) throws {
        var reader = Reader()
        for line in lines { try reader.read(line.utf8Span.span) }
        self = try reader.finish()
    }

    /// Replays the recording.
    func replayed() async -> ReplayOutcome { await SessionReplay(self).run() }
}

extension ReplayOutcome {
    var isSame: Bool {
        if case .same = self { true } else { false }
    }
}
