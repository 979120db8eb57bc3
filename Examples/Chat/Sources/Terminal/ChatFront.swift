import LatchkeyFlows
import LatchkeyTerminal

/// Shows view models in a terminal, and asks for what keys mean.
@MainActor
final class ChatFront {
    private let engine: ChatEngine
    private let completion: ContactCompletion
    private var face = ChatFace()

    init(engine: ChatEngine, completion: ContactCompletion) {
        self.engine = engine
        self.completion = completion
    }

    /// Keeps the screen until the person leaves.
    func run(on loop: ScreenLoop) async -> ScreenLoop.End {
        let refresh = ScreenRefresh()
        // Two listeners: whoever types a name waits for no chat.
        let listeners = [
            engine.viewModels.events().listen { _ in refresh.request() },
            completion.viewModels.events().listen { _ in refresh.request() },
        ]
        defer { for listener in listeners { listener.cancel() } }
        return await loop.run(
            refreshing: refresh,
            frame: { face.frame(of: engine.viewModel, completion.viewModel, columns: $0) },
            handling: { handle($0) })
    }

    private func handle(_ action: Action) -> ScreenLoop.Step {
        switch face.handle(action, on: engine.viewModel, completion.viewModel) {
        case .stay: break
        case .bell: return .bell
        case .complete(let text): completion.complete(text)
        case .ask(let request):
            engine.ask(request)
            completion.complete(face.search.text)
        }
        return engine.viewModel.isOver ? .leave : .stay
    }
}
