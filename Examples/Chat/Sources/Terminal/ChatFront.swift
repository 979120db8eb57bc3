import LatchkeyFlows
import LatchkeyTerminal

/// Shows view models in a terminal, and turns keys into requests.
@MainActor
final class ChatFront {
    private let engine: ChatEngine
    private let completion: ContactCompletion
    private var face = ChatFace()
    /// The last drawn view models. A number chooses the row that the user saw, even if new rows have arrived since.
    private var drawn: (chat: ChatViewModel, completion: CompletionViewModel)

    init(engine: ChatEngine, completion: ContactCompletion) {
        self.engine = engine
        self.completion = completion
        drawn = (engine.viewModel, completion.viewModel)
    }

    /// Shows the chat until the user leaves.
    func run(on loop: ScreenLoop) async -> TerminalEnding<Never> {
        let refresh = ScreenRefresh()
        // Two listeners, so that completing names never waits for a chat.
        let listeners = [
            engine.viewModels.events().listen { _ in refresh.request() },
            completion.viewModels.events().listen { _ in refresh.request() },
        ]
        defer { for listener in listeners { listener.cancel() } }
        return await loop.run(
            refreshing: refresh,
            frame: { frame(columns: $0) }, handling: { await handle($0) })
    }

    func frame(columns: Int) -> Frame {
        drawn = (engine.viewModel, completion.viewModel)
        return face.frame(of: drawn.chat, drawn.completion, columns: columns)
    }

    func handle(_ action: Action) async -> ScreenLoop.Step<Never> {
        switch face.handle(action, on: drawn.chat, drawn.completion) {
        case .stay: break
        case .bell: return .bell
        case .complete(let text): completion.complete(text)
        case .ask(let request):
            await engine.askInSession(request)
            completion.complete(face.search.text)
        }
        return engine.viewModel.isOver ? .leave : .stay
    }
}
