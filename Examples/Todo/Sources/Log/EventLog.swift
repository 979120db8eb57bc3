import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// Writes every event of both streams to a file, a line each, as it happens. It asks to miss nothing, and nobody waits for
/// it: what it has not written yet is in memory.
struct EventLog {
    private let file: LineFile
    private let listeners: [EventListener]

    /// - Throws: where the file is there already, or cannot be made.
    init(
        at path: String, model: EventStream<ModelEvent>, view: EventStream<ViewEvent>
    ) throws(SystemError) {
        file = try LineFile(at: path)
        listeners = [Self.listen(to: model, "model", file), Self.listen(to: view, "view", file)]
    }

    /// Waits until the end of the session is written too.
    ///
    /// - Returns: false where something could not be written: the log is cut short there.
    func end() async -> Bool {
        for listener in listeners { await listener.wait() }
        return file.isWhole
    }

    private static func listen<Request: Logged, Response: Logged>(
        to events: EventStream<Exchange<Request, Response>>, _ stream: String, _ file: LineFile
    ) -> EventListener {
        events.listenToTheEnd { try file.append($0.json(of: stream).encoded) }
    }
}
