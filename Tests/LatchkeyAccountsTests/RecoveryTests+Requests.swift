import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

extension RecoveryTests {
    /// S-58.
    @Test func `1,000 requests neither flood the owner nor invalidate the code`() async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        for _ in 0..<1000 { try await world.service.beginRecovery(email: "ada@example.org") }
        #expect(world.mailer.delivered.count == 3)
        #expect(await finish(world, code) == nil)
    }

    /// S-58.
    @Test func `after three messages in an hour, another is sent only when no code is valid`() async throws {
        let world = try World()
        try await world.create("ada")
        var minutes: [Int] = []
        for minute in 0..<120 {
            let before = world.mailer.delivered.count
            try await world.service.beginRecovery(email: "ada@example.org")
            if world.mailer.delivered.count > before { minutes.append(minute) }
            world.clock.advance(by: .seconds(60))
        }
        #expect(minutes == [0, 1, 2, 12, 22, 32, 42, 52, 62, 72, 82, 92, 102, 112])
    }

    /// S-58: a stranger uses up the free messages, and the owner requests one after their codes have expired.
    @Test func `a stranger's requests do not prevent the owner from getting a code`() async throws {
        let world = try World()
        try await world.create("ada")
        for _ in 0..<3 { try await world.service.beginRecovery(email: "ada@example.org") }
        for _ in 1...20 {
            world.clock.advance(by: RecoveryCode.lifetime)
            // The stranger's request comes just before the owner's, so the owner gets that code.
            _ = try await world.recoveryCode(for: "ada@example.org")
            for _ in 0..<10 { try await world.service.beginRecovery(email: "ada@example.org") }
            world.clock.advance(by: .milliseconds(1))
        }
        let code = try #require(world.mailer.delivered.last?.code)
        #expect(await finish(world, code) == nil)
    }

    /// S-58.
    @Test func `at most eight messages an hour are sent, even if no code is valid`() async throws {
        let world = try World(settings: AccountSettings(recoveryMessagesPerHour: 0))
        try await world.create("ada")
        var sent: [Timestamp] = []
        for _ in 0..<600 {
            let before = world.mailer.delivered.count
            try await world.service.beginRecovery(email: "ada@example.org")
            if world.mailer.delivered.count > before { sent.append(world.clock.now()) }
            world.clock.advance(by: .seconds(30))
        }
        #expect(sent.count == 30)
        for start in sent { #expect(sent.count { $0 >= start && $0.since(start) < .seconds(3600) } <= 8) }
    }

    @Test func `recovery requests are deleted an hour after their code has expired`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        func kept() async throws -> Int {
            try await world.store.read { (transaction) throws(AccountError) in
                try transaction.recoveryRequests(in: .account(account.id), since: Timestamp(milliseconds: 0))
            }
        }
        for _ in 0..<3 { try await world.service.beginRecovery(email: "ada@example.org") }
        #expect(try await kept() == 3)
        // A code is valid for ten minutes, and its request counts for another hour.
        world.clock.advance(by: .seconds(4199))
        _ = try await world.service.maintain(by: .owner)
        #expect(try await kept() == 3)
        world.clock.advance(by: .seconds(2))
        _ = try await world.service.maintain(by: .owner)
        #expect(try await kept() == 0)
    }

    @Test func `a disabled account's code is refused`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        try await world.edit(account.id) { $0.state = .disabled }
        #expect(await finish(world, code) == refused)
        #expect(try await world.events().last == "recovery_failed/disabled")
    }

    /// S-16.
    @Test func `a message is sent to the stored address, never to the typed one`() async throws {
        let world = try World()
        let draft = AccountDraft(username: "ada", email: "Ada@Example.org", password: nil)
        _ = try await world.service.create(draft, by: .owner)
        try await world.service.beginRecovery(email: "aDA@eXAMPLE.ORG")
        #expect(world.mailer.delivered.map { $0.recipient?.typed } == ["Ada@Example.org"])
        for lookAlike in [
            "ada@example.org\u{17F}", "ad\u{430}@example.org", "\u{FF41}da@example.org", "ada@example.or\u{261}",
        ] {
            try await world.service.beginRecovery(email: lookAlike)
        }
        #expect(world.mailer.delivered.count == 1)
    }

    @Test(arguments: [HashError.overloaded, .outOfMemory])
    func `if hashing fails, the code stays valid`(error: HashError) async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        world.hasher.fail(error)
        let failure = await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret(Self.new))
        }
        #expect(failure == (error == .overloaded ? .overloaded : .outOfMemory))
        world.hasher.fail(nil)
        #expect(await finish(world, code) == nil)
    }

    enum Requester: CaseIterable { case owner, unknown, disabled, noAddress, tooLong, none }

    /// S-57, S-145.
    @Test(arguments: Requester.allCases, [false, true])
    func `a request does the same work for every address`(requester: Requester, mailerFails: Bool) async throws {
        let world = try World()
        let account = try await world.create("ada")
        if requester == .disabled { try await world.edit(account.id) { $0.state = .disabled } }
        let email: String? =
            switch requester {
            case .owner, .disabled: "ada@example.org"
            case .unknown: "eve@example.org"
            case .noAddress: "ada-example.org"
            case .tooLong: String(repeating: "x", count: 300)
            case .none: nil
            }
        if mailerFails { world.mailer.fail(.system(code: 5)) }
        let kept: [StoreOperation] = [.insertRecoveryRequest, .enqueue]
        let delivered: [StoreOperation] =
            [.beginWrite, .dueMessages, .postponeMessage, .commit]
            + (mailerFails ? [.beginWrite, .setFailure, .commit, .beginWrite] : [.beginWrite, .deleteMessage])
            + [.dueMessages, .commit]
        for round in 0..<5 {
            world.store.forgetOperations()
            let calls = world.mailer.calls
            try await world.service.beginRecovery(email: email)
            let expected: [StoreOperation] =
                [.beginWrite, .account, .signUps, .recoveryRequests, .recoveryRequests]
                + (round < 3 ? kept : [])
                + [
                    .auditHead, .auditFlood, .appendAudit, .setAuditFlood, .commit, .beginRead, .dueMessages,
                    .dueMessages,
                ]
                + (round < 3 ? delivered : [])
            #expect(world.store.operations == expected)
            #expect(world.mailer.calls - calls == (round < 3 ? 1 : 0))
        }
        #expect(world.mailer.delivered.count == (requester == .owner && !mailerFails ? 3 : 0))
        #expect(try await world.waiting().count == (mailerFails ? 3 : 0))
    }

    /// S-57, S-145.
    @Test func `a decoy has the same size as the message that it replaces`() async throws {
        let world = try World()
        try await world.create("ada")
        // Every message stays in the outbox.
        world.store.fail { $0 == .dueMessages ? .busy : nil }
        try await world.service.beginRecovery(email: "ada@example.org")
        try await world.service.beginRecovery(email: "eve@example.org")
        world.store.fail(nil)
        let messages = try await world.waiting()
        #expect(messages.count == 2)
        let stored = messages.map { message in
            let address = message.recipient.map { $0.typed.utf8.count + $0.folded.utf8.count } ?? 0
            return message.body.utf8.count + message.subject.utf8.count + address
        }
        #expect(Set(stored).count == 1)
        #expect(Set(messages.map { MailText.text(of: $0, from: "a@b.example").utf8.count }).count == 1)
    }
}
