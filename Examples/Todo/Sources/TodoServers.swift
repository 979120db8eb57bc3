import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeySQLite
import LatchkeySystem

/// The two streams with their servers, and methods to send requests.
final class TodoServers: Sendable {
    let model = EventStream<ModelEvent>()
    let view = EventStream<ViewEvent>()
    private let modelServer: ModelServer
    private let viewModelServer: ViewModelServer
    /// The number of requests so far.
    private let asked = Locked(0)

    let store: TodoStore

    init(_ store: TodoStore) {
        self.store = store
        modelServer = ModelServer(store, on: model)
        viewModelServer = ViewModelServer(model: model, view: view)
    }

    /// Sends a request without waiting. The response is an event.
    func send(_ request: ViewRequest) { view.emit(.request(nextNumber, request)) }

    /// Sends a request and waits for its response.
    func ask(_ request: ViewRequest) async -> ViewResponse {
        let number = nextNumber
        let answers = view.events(limit: 1) {
            if case .response(number, let response) = $0 { response } else { nil }
        }
        view.emit(.request(number, request))
        return await answers.next()?.event ?? .failed(.failed)
    }

    /// Requests the list again whenever another window has changed a todo, until the task is cancelled. Shows nothing of
    /// it after the end of the session.
    ///
    /// - Parameter pause: waits between two looks, each of which costs less than a key press.
    func follow(
        pausing pause: () async throws -> Void = { try await Task.sleep(for: .milliseconds(250)) }
    ) async {
        var seen: Int64?
        while !Task.isCancelled {
            // A failed look reports nothing. The next request of the user reports the failure.
            let version = try? await store.database.dataVersion()
            if let version, let seen, version != seen, await !store.session.hasEnded() { send(.refresh) }
            seen = version ?? seen
            do { try await pause() } catch { return }
        }
    }

    private var nextNumber: Int {
        asked.withLock { asked in
            asked += 1
            return asked
        }
    }
}
