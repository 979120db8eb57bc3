/// Reports whether a session is still valid.
///
/// A program ends when the session has ended. While the store cannot be read, it continues, because the session may be
/// valid:
///
/// ```swift
/// let person = await SignedIn.atTerminal()
/// async let isOver = person.session.waitForEnd()
/// ```
///
/// A test creates its own:
///
/// ```swift
/// let session = SessionWatch { .ended }
/// ```
public struct SessionWatch: Sendable {
    /// The state of a session.
    public enum State: Equatable, Sendable {
        /// The session is valid.
        case live
        /// The session has expired, or was ended here or elsewhere.
        case ended
        /// The store cannot be read now, or the service does not respond. The session may be valid.
        case unknown
    }

    private let look: @Sendable () async -> State
    private let pause: @Sendable () async throws -> Void

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - pause: waits between two looks, by default for 250 ms.
    ///   - look: finds out the state.
    public init(
        pausing pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(250)) },
        looking look: @escaping @Sendable () async -> State
    ) {
        self.pause = pause
        self.look = look
    }

    /// The state now.
    public func state() async -> State { await look() }

    /// Whether the session has ended. False if that is unknown.
    public func hasEnded() async -> Bool { await look() == .ended }

    /// Waits until the session has ended. If the state is unknown, it tries again.
    ///
    /// - Returns: false if the task was cancelled first.
    public func waitForEnd() async -> Bool {
        while !Task.isCancelled {
            if await hasEnded() { return !Task.isCancelled }
            do { try await pause() } catch { return false }
        }
        return false
    }
}
