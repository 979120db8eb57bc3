import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

struct DeliveringTests {
    @Test func `a message that is delivered is wiped, and delivered once`() async throws {
        let world = try World()
        try await world.create("ada")
        try await world.service.beginRecovery(email: "ada@example.org")
        await world.service.deliverMessages()
        #expect(world.mailer.delivered.count == 1)
        #expect(try await world.waiting().isEmpty)
    }

    @Test func `the code is alone on its line, and nothing else in the message is one`() async throws {
        let world = try World()
        try await world.create("ada")
        try await world.service.beginRecovery(email: "ada@example.org")
        let message = try #require(world.mailer.delivered.first)
        let lines = message.body.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count { RecoveryCode(typed: Secret(String($0))) != nil } == 1)
        #expect(message.body.utf8.allSatisfy { $0 < 0x80 })
        #expect(message.subject == "Your Latchkey recovery code")
    }

    @Test func `a mailer that fails keeps nobody from recovering, and is tried again`() async throws {
        let world = try World()
        try await world.create("ada")
        world.mailer.fail(MailerError(systemCode: 5))
        try await world.service.beginRecovery(email: "ada@example.org")
        let waiting = try await world.waiting()
        #expect(waiting.count == 1)
        world.mailer.fail(nil)
        await world.service.deliverMessages()
        #expect(world.mailer.delivered == waiting)
        #expect(try await world.waiting().isEmpty)
    }

    @Test(arguments: [(599, 1), (600, 0)] as [(Int64, Int)])
    func `a code that is too old is wiped undelivered`(seconds: Int64, delivered: Int) async throws {
        let world = try World()
        try await world.create("ada")
        world.mailer.fail(MailerError(systemCode: 5))
        try await world.service.beginRecovery(email: "ada@example.org")
        world.mailer.fail(nil)
        world.clock.advance(by: .seconds(seconds))
        await world.service.deliverMessages()
        #expect(world.mailer.delivered.count == delivered)
        #expect(try await world.waiting().isEmpty)
    }

    @Test func `a decoy is wiped and never delivered`() async throws {
        let world = try World()
        try await world.service.beginRecovery(email: "eve@example.org")
        #expect(world.mailer.delivered.isEmpty)
        #expect(try await world.waiting().isEmpty)
    }

    @Test(arguments: [StoreOperation.waitingMessages, .deleteMessage])
    func `a store that fails at delivery fails nothing else`(operation: StoreOperation) async throws {
        let world = try World()
        try await world.create("ada")
        world.store.fail { $0 == operation ? .busy : nil }
        try await world.service.beginRecovery(email: "ada@example.org")
        #expect(try await world.events().last == "recovery_requested")
    }
}
