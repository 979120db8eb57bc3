import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct DeliveryTests {
    @Test func `a delivered message is deleted and not delivered again`() async throws {
        let world = try World()
        try await world.create("ada")
        try await world.service.beginRecovery(email: "ada@example.org")
        await world.service.deliverMessages()
        #expect(world.mailer.delivered.count == 1)
        #expect(try await world.waiting().isEmpty)
    }

    @Test func `the code is alone on its line, and no other line looks like a code`() async throws {
        let world = try World()
        try await world.create("ada")
        try await world.service.beginRecovery(email: "ada@example.org")
        let message = try #require(world.mailer.delivered.first)
        let lines = message.body.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count { RecoveryCode(typed: Secret(String($0))) != nil } == 1)
        #expect(message.body.utf8.allSatisfy { $0 < 0x80 })
        #expect(message.subject == "Set a new password for Latchkey")
    }

    @Test(arguments: [MessageTable.english, .portuguese])
    func `a message is in the sender's language, with the code alone on its line`(table: MessageTable) async throws {
        let settings = AccountSettings(serviceName: "Küche", messages: table)
        let world = try World(settings: settings)
        let ada = try await world.create("ada")
        try await world.service.beginRecovery(email: "ada@example.org")
        _ = try await world.service.issueRecoveryCode(for: .id(ada.id), isSent: true, by: .owner)
        let messages = world.mailer.delivered
        #expect(messages.count == 2)
        let sentences = table.completed(by: .accounts)
        for message in messages {
            let lines = message.body.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count { RecoveryCode(typed: Secret(String($0))) != nil } == 1)
            #expect(message.subject == sentences.sentence("mail.recovery.subject", ["service": .text("Küche")]))
            #expect(!message.body.contains("{") && !message.body.contains("mail."))
        }
        let body = try #require(messages.first?.body)
        #expect(body.contains(table.language == .english ? "We received a request" : "Recebemos um pedido"))
        #expect(body.contains(table.language == .english ? "expires after 10 minutes" : "expira ao fim de 10 minutos"))
    }

    @Test func `the owner's first password is followed by a welcome, and later ones by a notice`() async throws {
        let world = try World()
        try await world.create("ada", password: nil)
        let bo = try await world.create("bo")
        let deadline = world.clock.now().advanced(by: .seconds(3600))
        try await world.edit(bo.id) { $0.verifyBy = deadline }
        let passwords = ["a new long password", "another long password"]
        for name in ["ada", "bo"] {
            for (password, subject) in zip(passwords, ["Welcome to Latchkey", "Your Latchkey password was changed"]) {
                let code = try #require(
                    try await world.service.issueRecoveryCode(for: .username(Username(name)), isSent: false, by: .owner)
                )
                try await world.service.finishRecovery(code: code, password: Secret(password))
                #expect(world.mailer.delivered.last?.subject == subject, "\(name)")
            }
        }
    }

    @Test func `no mail has an article before the name of the service`() {
        for (code, sentence) in ModuleSentences.accounts.sentences
        where code.hasPrefix("mail.") {
            #expect(!sentence.contains(#/\b[Aa]n? \{/#), "\(code)")
        }
    }

    @Test func `a failing mailer does not block recovery, and delivery is retried`() async throws {
        let world = try World()
        try await world.create("ada")
        world.mailer.fail(.system(code: 5))
        try await world.service.beginRecovery(email: "ada@example.org")
        let waiting = try await world.waiting()
        #expect(waiting.count == 1)
        world.mailer.fail(nil)
        world.clock.advance(by: .seconds(60))
        await world.service.deliverMessages()
        #expect(world.mailer.delivered == waiting)
        #expect(try await world.waiting().isEmpty)
    }

    @Test(arguments: [(599, 1), (600, 0)] as [(Int64, Int)])
    func `a message with an expired code is deleted undelivered`(seconds: Int64, delivered: Int) async throws {
        let world = try World()
        try await world.create("ada")
        world.mailer.fail(.system(code: 5))
        try await world.service.beginRecovery(email: "ada@example.org")
        world.mailer.fail(nil)
        world.clock.advance(by: .seconds(seconds))
        await world.service.deliverMessages()
        #expect(world.mailer.delivered.count == delivered)
        #expect(try await world.waiting().isEmpty)
    }

    /// S-147.
    @Test func `a decoy is deleted without being delivered`() async throws {
        let world = try World()
        try await world.service.beginRecovery(email: "eve@example.org")
        #expect(world.mailer.calls == 1)
        #expect(world.mailer.delivered.isEmpty)
        #expect(try await world.waiting().isEmpty)
    }

    /// S-147.
    @Test func `a decoy is counted neither as delivered nor as waiting`() async throws {
        let world = try World()
        world.mailer.fail(.timedOut)
        try await world.service.beginRecovery(email: "eve@example.org")
        #expect(try await world.waiting().count == 1)
        #expect(try await world.service.maintain(by: .owner).messagesWaiting == 0)
        world.mailer.fail(nil)
        world.clock.advance(by: .seconds(60))
        #expect(await world.service.deliverMessages() == 0)
        #expect(try await world.waiting().isEmpty)
    }

    /// S-146.
    @Test(arguments: ["ada@example.org", "eve@example.org"])
    func `a delivery by another process is requested for messages and for decoys`(email: String)
        async throws
    {
        let requests = Locked(0)
        let world = try World(delivery: .later { requests.withLock { $0 += 1 } })
        try await world.create("ada")
        try await world.service.beginRecovery(email: email)
        #expect(requests.withLock { $0 } == 1)
        #expect(world.mailer.calls == 0)
        _ = try await world.service.maintain(by: .owner)
        #expect(world.mailer.calls == 1)
        #expect(try await world.waiting().isEmpty)
        await world.service.deliverMessages()
        #expect(requests.withLock { $0 } == 1, "nothing is due")
    }

    @Test(arguments: [StoreOperation.dueMessages, .postponeMessage, .deleteMessage])
    func `a store failure during delivery does not affect other calls`(operation: StoreOperation) async throws {
        let world = try World()
        try await world.create("ada")
        world.store.fail { $0 == operation ? .busy : nil }
        try await world.service.beginRecovery(email: "ada@example.org")
        #expect(try await world.events().last == "recovery_requested")
    }
}

/// Messages that cannot be delivered.
@Suite(.timeLimit(.minutes(60)))
struct RetryingTests {
    private func waiting() async throws -> World {
        let world = try World()
        let account = try await world.create("ada")
        world.mailer.fail(.timedOut)
        _ = try await world.service.setPassword(
            of: .id(account.id), to: Secret("another long password"), mustChangePassword: false, by: .owner)
        return world
    }

    /// S-65.
    @Test func `the wait between attempts grows from a minute to six hours`() async throws {
        let world = try await waiting()
        for (attempts, minutes) in [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360].enumerated() {
            await world.service.deliverMessages()
            #expect(try await world.waiting().map(\.attempts) == [attempts + 1])
            world.clock.advance(by: .seconds(Int64(minutes) * 60 - 1))
            await world.service.deliverMessages()
            #expect(try await world.waiting().map(\.attempts) == [attempts + 1], "not yet")
            world.clock.advance(by: .seconds(1))
        }
        world.mailer.fail(nil)
        let id = try #require(try await world.waiting().first?.id)
        #expect(await world.service.deliverMessages() == 1)
        #expect(world.mailer.delivered.map(\.id) == [id], "the same ID as before")
        #expect(try await world.waiting().isEmpty)
    }

    /// S-65.
    @Test func `a wrong clock does not delay a message for long`() async throws {
        let world = try await waiting()
        world.clock.advance(by: .seconds(10 * 365 * 86400))
        await world.service.deliverMessages()
        world.clock.advance(by: .seconds(-10 * 365 * 86400))
        world.mailer.fail(nil)
        #expect(await world.service.deliverMessages() == 1)
    }

    /// S-65.
    @Test func `three failing messages do not block the others`() async throws {
        let world = try await waiting()
        let account = try #require(try await world.service.accounts(after: nil, limit: 1).first)
        for _ in 0..<9 {
            _ = try await world.service.setPassword(
                of: .id(account.id), to: Secret("another long password"), mustChangePassword: false, by: .owner)
        }
        await world.service.deliverMessages()
        #expect(try await world.waiting().map(\.attempts) == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
        world.mailer.fail(nil)
        #expect(await world.service.deliverMessages() == 7, "the due messages")
        world.clock.advance(by: .seconds(60))
        #expect(await world.service.deliverMessages() == 3)
    }

    @Test func `a permanently refused message is deleted, and the reason is audited`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        for (failure, reason) in [
            (MailServerFailure(.refused, code: 550, reply: "550 5.1.1 unknown"), "reply:550"),
            (MailServerFailure(.address), "address"), (MailServerFailure(.international, code: 250), "international"),
        ] {
            world.mailer.fail(.server(failure))
            try await world.service.beginRecovery(email: "ada@example.org")
            let calls = world.mailer.calls
            #expect(try await world.waiting().isEmpty)
            let record = try #require(try await world.trail().last)
            #expect(record.event == .messageRefused && record.reason == reason && record.account == account.id)
            world.clock.advance(by: .seconds(60))
            await world.service.deliverMessages()
            #expect(world.mailer.calls == calls, "not delivered again")
        }
    }

    @Test(arguments: MailServerFailure.Reason.allCases)
    func `a message is deleted after a permanent failure and kept after any other`(
        reason: MailServerFailure.Reason
    ) async throws {
        let world = try World()
        try await world.create("ada")
        let failure = MailServerFailure(reason, code: 550)
        world.mailer.fail(.server(failure))
        try await world.service.beginRecovery(email: "ada@example.org")
        #expect(try await world.waiting().count == (failure.isPermanent ? 0 : 1))
        #expect(failure.isPermanent == [.refused, .address, .international].contains(reason))
    }

    @Test func `if a refused message cannot be deleted, it is retried and no refusal is recorded`() async throws {
        let world = try World()
        try await world.create("ada")
        world.mailer.fail(.server(MailServerFailure(.refused, code: 550)))
        world.store.fail { $0 == .deleteMessage ? .busy : nil }
        try await world.service.beginRecovery(email: "ada@example.org")
        world.store.fail(nil)
        #expect(try await world.waiting().count == 1)
        #expect(try await world.events().last == "recovery_requested")
    }

    /// S-65.
    @Test func `a test message is passed directly to the mailer`() async throws {
        let world = try World()
        let address = try EmailAddress("ada@example.org")
        try await world.service.deliverTest(to: address)
        #expect(world.mailer.delivered.map(\.recipient) == [address])
        #expect(try await world.waiting().isEmpty)
        world.mailer.fail(.exited(status: 67))
        await #expect(throws: MailerError.exited(status: 67)) { try await world.service.deliverTest(to: address) }
    }
}
