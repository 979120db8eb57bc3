import LatchkeyFlows
import LatchkeyForms
import LatchkeyTesting
import Testing

@testable import guestbook

@Suite(.timeLimit(.minutes(60)))
struct AccountBookTests {
    @Test func `the book keeps its entries in order`() async throws {
        let folder = try TemporaryFolder()
        let ada = AccountSummary(id: "1", username: "ada")
        var entries: [String] = []
        for message in ["Thank you all", "I was here again"] {
            let answers = Credentials(["stay": .text("good"), "message": .text(message)])
            entries = try await AccountBook.add(answers, by: ada, to: folder.path(of: "guestbook.sqlite"))
        }
        #expect(entries == ["ada (good): Thank you all", "ada (good): I was here again"])
    }

    @Test func `a user signs up, signs the book and finds the entry the next time`() async throws {
        let home = try ProgramHome()
        let first = try home.start("guestbook", ["--accounts"])
        try await home.signUp(in: first)
        try await first.expect("Guest book")
        first.send("\rThank you all\r\r")
        try await first.expect("ada (good): Thank you all")
        #expect(try await first.waitForExit() == .status(0))

        let second = try home.start("guestbook", ["--accounts"])
        try await second.expect("Guest book")
        second.send("\rHere again, thank you\r\r")
        try await second.expect("ada (good): Here again, thank you")
        #expect(try await second.waitForExit() == .status(0))
    }
}
