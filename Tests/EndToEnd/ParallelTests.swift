import Foundation
import Testing

@Suite(.programs, .timeLimit(.minutes(60))) struct ParallelTests {
    @Test func `twenty concurrent sign-ups with one name create one account`() async throws {
        let sandbox = try Sandbox()
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await withCheckedThrowingContinuation { done in
                        // Blocks until the program ends, so it needs its own thread.
                        Thread.detachNewThread {
                            done.resume(
                                with: Result {
                                    try sandbox.latchkey(
                                        "accounts", "create", "ada", "--email", "ada\(number)@example.org",
                                        "--password-stdin", input: "correct horse battery\n"
                                    ).status
                                })
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 0 }.count == 1)
        #expect(statuses.filter { $0 == 76 }.count == 19, "\(statuses)")
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        #expect(try sandbox.latchkey("accounts", "list").stdout.split(separator: "\n").count == 1)
    }
}
