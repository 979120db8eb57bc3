import LatchkeyAccounts
import LatchkeyForms
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60)))
struct SessionsRevokeTests {
    @Test func `equal outcomes of an application are one line`() {
        let logouts =
            Array(repeating: ("wiki", LogoutOutcome.confirmed), count: 9) + [("chat", .failed), ("wiki", .failed)]
        let messages = MessageTable.english.completed(by: .commandLine)
        guard case .lines(let lines, let json) = SessionsRevokeCommand.result(9, logouts, messages) else {
            Issue.record("no lines")
            return
        }
        let reason = "The log has the reason, and when the service tries again"
        #expect(
            lines == [
                "9 sessions ended", "chat: not confirmed. \(reason)", "wiki: logged out (9 sessions)",
                "wiki: not confirmed. \(reason)",
            ])
        #expect(json.first { $0.key == "logouts" }?.value.elements?.count == 11, "programs get each notice")
    }
}
