import LatchkeyFlows
import LatchkeyForms
import Testing

/// Answers as a recording has them.
@Suite(.timeLimit(.minutes(60)))
struct RecordedResponseTests {
    private static let responses: [NetworkResponse] =
        NetworkResponse.Code.allCases.flatMap { [.refused($0), .unavailable($0)] } + [
            .success(), .codeSent(), .changeRequired(), .throttled(retryAfter: .milliseconds(1500)),
            .success(
                AccountSummary(
                    id: "1", username: "ada", email: "ada@example.org", attributes: ["company": "Acme", "a": ""],
                    state: "active", createdAt: "2026-01-01T00:00:00Z"),
                failedLogins: FailedLoginsSummary(count: 3, lastAt: "2026-01-01T00:00:00Z")),
            .refused(
                .validationFailed,
                [
                    RuleFailure(
                        code: .minLength, values: ["minimum": .integer(9), "a": .text("b")], field: "password", rule: 0),
                    RuleFailure(code: .taken),
                ]),
        ]

    @Test(arguments: responses.indices)
    func `a response survives recording`(index: Int) {
        let response = Self.responses[index]
        #expect(NetworkResponse(recorded: response.recorded) == response)
    }

    @Test func `a recorded wait is rounded up and at most a hundred years`() {
        let wait = NetworkResponse.throttled(retryAfter: .microseconds(1001)).recorded
        #expect(NetworkResponse(recorded: wait) == .throttled(retryAfter: .milliseconds(2)))
        let ever = NetworkResponse(recorded: NetworkResponse.throttled(retryAfter: .seconds(Int64.max)).recorded)
        #expect(ever == .throttled(retryAfter: .milliseconds(3_155_760_000_000)))
    }
}
