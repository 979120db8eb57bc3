import LatchkeyTerminal

/// A screen of the program: it shows a model as frames and handles actions.
@MainActor
protocol Screen: AnyObject, Sendable {
    /// The user's choice, apart from leaving.
    associatedtype Choice: Equatable, Sendable

    /// Requests a new frame when the model changes.
    var refresh: ScreenRefresh { get }
    /// The work that earlier keys have started.
    var work: ScreenWork { get }
    /// Whether the screen shows tenths of a second.
    var isFast: Bool { get }

    func frame(columns: Int) -> Frame
    func handle(_ action: Action) -> ScreenLoop.Step<Choice>

    /// Reads the model again.
    func update() async

    /// Stores the time of running clocks. It may wait for another process.
    func keepTime() async
}

/// Performs work for a screen, one piece after another. Keys do not wait for it, because the database may be slow. In
/// that case a line of the screen reports it.
@MainActor
final class ScreenWork {
    /// Whether the user has been waiting for a while.
    private(set) var isSlow = false

    private let refresh: ScreenRefresh
    private let pause: @Sendable () async throws -> Void
    private var last: Task<Void, Never>?
    private var running = 0

    /// - Parameter pause: waits for a time that users do not notice.
    init(
        refreshing refresh: ScreenRefresh,
        pausing pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(300)) }
    ) {
        self.refresh = refresh
        self.pause = pause
    }

    /// Starts work after the earlier pieces. If it returns false, it had no effect, and the bell rings.
    func begin(_ work: @escaping @MainActor () async -> Bool) {
        last = Task { [last] in
            await last?.value
            await during { if await !work() { refresh.request(ringing: true) } }
        }
    }

    /// Waits until all work is done.
    func settle() async { await last?.value }

    /// Runs work, and reports it as slow if it takes long.
    func during(_ work: @MainActor () async -> Void) async {
        running += 1
        let patience = Task {
            try await pause()
            isSlow = running > 0
            refresh.request()
        }
        await work()
        patience.cancel()
        running -= 1
        if running == 0, isSlow {
            isSlow = false
            refresh.request()
        }
    }
}

extension FrameBuilder {
    /// The hint for the keys that choose a row.
    ///
    /// - Parameter isPlain: whether the user types lines instead of keys.
    static func choosing(isPlain: Bool) -> String { isPlain ? "j k: choose" : "j k or arrows: choose" }

    /// Adds a line for a problem or a slow database.
    mutating func status(problem: String?, isSlow: Bool) {
        if let problem { text(problem, .error, indent: 2, mark: .wrong) }
        if isSlow { text("Waiting for another program, which is writing the file", .hint, indent: 2) }
    }
}
