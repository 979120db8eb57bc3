import TestSupport
import Testing

/// Whole sessions with the binary on a terminal.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct TypedSessionTests {
    @Test(arguments: TypedSession.all)
    func `a session ends as expected and shows no secret`(session: TypedSession) async throws {
        try await session.run()
    }
}
