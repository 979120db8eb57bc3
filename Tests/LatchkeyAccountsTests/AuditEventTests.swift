import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyProvisioning
import LatchkeySecrets
import TestSupport
import Testing

/// S-95.
@Suite(.timeLimit(.minutes(60)))
struct AuditEventTests {
    private static let inventory = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/audit-events.md").standardized

    /// The table of events: event, level, reasons and occasion.
    private func rows() throws -> [[String]] {
        let text = try String(contentsOf: Self.inventory, encoding: .utf8)
        let table = try #require(text.components(separatedBy: "## Events").dropFirst().first)
        return table.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func `the documented table lists every event with its level, in order`() throws {
        let rows = try rows()
        #expect(rows.map { $0[0] } == AuditEvent.allCases.map { "`\($0.rawValue)`" })
        #expect(rows.map { $0[1] } == AuditEvent.allCases.map(\.level.rawValue))
        for row in rows { #expect(row.count == 4 && !row[3].isEmpty, "\(row)") }
    }

    @Test func `the documented table lists every reason to refuse a passkey`() throws {
        let text = try String(contentsOf: Self.inventory, encoding: .utf8)
        let table = try #require(text.components(separatedBy: "### Refused passkeys").dropFirst().first)
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        let listed = rows.flatMap { $0.matches(of: #/`([a-z_]+)`/#).map { String($0.1) } }
        #expect(listed.sorted() == PasskeyFailure.allCases.map(\.rawValue).sorted())
    }

    /// Causes every event at least once.
    private func story() async throws -> World {
        var settings = AccountSettings(sessions: SessionLimits(perAccount: 2))
        settings.audit = AuditLimits(bytes: 1 << 40)
        let keys = MemorySealingKeys()
        let world = try World(settings: settings, sealing: keys)
        let service = world.service
        func tried(_ body: () async throws(AccountError) -> Void) async { _ = await world.failure(body) }
        func create(_ name: String, _ password: String?) async {
            await tried { () async throws(AccountError) in
                _ = try await service.create(
                    AccountDraft(
                        username: name, email: name + "@example.org", password: password.map { Secret($0) }),
                    by: .operatingSystemUser(0))
            }
        }
        let ada = try await world.create("ada").id
        world.hasher.fallBack(HashFallback(engine: "avx512"))
        await create("ada", World.password)
        await create("bo", "short")
        await create("bo", nil)
        let token = try await world.signIn("ada").token
        for name in ["ada", "nobody", "bo"] { _ = await world.failure(signingIn: name, "wrong") }
        _ = await world.failure(signingIn: "ada", nil)
        _ = try await world.signIn("ada")
        let kept = try await world.signIn("ada").token
        await tried { () async throws(AccountError) in _ = try await service.session(for: token) }
        for (current, new) in [("wrong", "a new password"), (World.password, "short"), (World.password, "a new one x")]
        {
            await tried { () async throws(AccountError) in
                _ = try await service.changePassword(token: kept, current: Secret(current), new: Secret(new))
            }
        }
        let bo = try await world.service.account(try #require(AccountLookup("bo"))).id
        try await world.edit(bo) { $0.passwordHash = FakePasswordHasher.unsupported }
        _ = await world.failure(signingIn: "bo")
        try await world.edit(bo) { $0.state = .disabled }
        _ = await world.failure(signingIn: "bo")
        world.hasher.fail(.overloaded)
        _ = await world.failure(signingIn: "ada")
        world.hasher.fail(nil)
        let code = try await world.recoveryCode(for: "ada@example.org")
        for email in ["nobody@example.org", "bo@example.org"] { try await service.beginRecovery(email: email) }
        for (code, password) in [
            (nil, World.password), (Secret("0000-0000-0000-0000-0000-0000"), World.password), (code, "short"),
            (code, World.password),
        ] {
            await tried { () async throws(AccountError) in
                try await service.finishRecovery(code: code, password: Secret(password))
            }
        }
        for _ in 0..<4 { try await service.beginRecovery(email: "ada@example.org") }
        let late = try await world.recoveryCode(for: "bo@example.org", sentTo: false)
        #expect(late == nil)
        for _ in 0..<20 {
            _ = await world.failure(signingIn: "nobody", "wrong")
            world.clock.advance(by: .seconds(900))
        }
        let last = try await world.signIn("ada").token
        #expect(try await service.endSession(token: last))
        let idle = try await world.signIn("ada").token
        world.clock.advance(by: .seconds(8 * 86400))
        await tried { () async throws(AccountError) in _ = try await service.session(for: idle) }
        _ = try await world.signIn("ada")
        world.clock.advance(by: .seconds(32 * 86400))
        // A flood, followed by the next minute.
        for _ in 0..<150 { _ = try await service.beginRecovery(email: "nobody@example.org") }
        for _ in 0..<30 { _ = await world.failure(signingIn: "nobody", "wrong") }
        world.clock.advance(by: .seconds(61))
        _ = try await service.maintain(by: .operatingSystemUser(0))
        let own = try await world.signIn("ada").token
        _ = try await service.updateProfile(token: own, ProfileDraft(attributes: ["company": "Analytical"]))
        try await service.unlock(.id(bo), by: .operatingSystemUser(0))
        try await service.delete(.id(bo), by: .operatingSystemUser(0))
        world.clock.advance(by: .seconds(-86400))
        try await service.acceptClock(by: .operatingSystemUser(0))
        try await service.revokeAfterRestoring(keyIsNew: false, by: .operatingSystemUser(0))
        try await world.edit(ada) { $0.passwordHash = FakePasswordHasher.other(Secret(World.password)) }
        world.store.fail { $0 == .replaceHash ? .full : nil }
        _ = try await world.signIn("ada")
        world.store.fail(nil)
        let first = try await service.addSealingKey(by: .operatingSystemUser(0))
        let second = try await service.addSealingKey(by: .operatingSystemUser(0))
        _ = try await service.rotateSealingKeys(by: .operatingSystemUser(0))
        try await service.retireSealingKey(first, by: .operatingSystemUser(0))
        let made = try await service.createToken(
            "ci", scopes: [.writeAccounts], lifetime: nil, by: .operatingSystemUser(0))
        try await service.unlock(.id(ada), by: try #require(made).0.actor)
        _ = try await service.revokeToken(try #require(made).0.id, by: .operatingSystemUser(0))
        let invitation = try await service.createToken(
            "Dee", scopes: [.signUp], lifetime: nil, by: .operatingSystemUser(0))
        _ = try await service.invited(by: try #require(invitation).1).create(
            AccountDraft(username: "dee", email: "dee@example.org", password: nil), by: .owner)
        let staff = try await service.createGroup(.administrators, by: .operatingSystemUser(0)).name
        for isMember in [true, false] {
            try await service.setMembership(
                of: .id(ada), in: staff, to: isMember, mayLeaveNone: true, by: .operatingSystemUser(0))
        }
        let team = try #require(GroupName("team"))
        _ = try await service.changeGroup(staff, to: team, force: true, by: .operatingSystemUser(0))
        try await service.deleteGroup(team, by: .operatingSystemUser(0))
        let hash = FakePasswordHasher.other(Secret(World.password))
        let row = AccountDraft(username: "cy", email: "cy@example.org", passwordHash: hash)
        for choice in [ConflictChoice.fail, .update] {
            _ = try await service.importBatch([try service.check(row)], choice, by: .operatingSystemUser(0))
            let cy = try await service.account(try #require(AccountLookup("cy"))).id
            try await world.edit(cy) { $0.passwordHash = nil }
        }
        try await world.create("dee2")
        let (eve, phone, codes) = try await world.createWithFactor("eve")
        for code in [Secret("000000"), phone.code(world.clock), codes[0], phone.code(world.clock)] {
            let challenge = try await world.challenge(signingIn: "eve")
            if let signIn = try? await world.finish(challenge, code) {
                _ = try await service.replaceSavedCodes(token: signIn.token)
            }
        }
        world.clock.advance(by: .seconds(30))
        let proved = try await world.finish(try await world.challenge(signingIn: "eve"), phone.code(world.clock))
        _ = try await service.removeAuthenticator(token: try #require(proved).token)
        let (_, added) = try await world.addFactor(for: .session(try await world.signIn("eve").token))
        let app = try #require(try await service.createAppPassword(token: added.signIn.token, name: "Mail"))
        for password in [Secret(World.password), app.1] {
            await tried { () async throws(AccountError) in
                _ = try await service.verifyAppLogin(identifier: "eve", password: password)
            }
        }
        _ = try await service.revokeAppPassword(app.0.id, token: added.signIn.token)
        var key = SoftwareAuthenticator()
        let keyed = try await world.addPasskey(&key, for: .session(added.signIn.token))
        _ = try await world.signIn(with: key)
        key.origin = "http://localhost"
        _ = await world.failure(loggingInWith: key)
        let passkey = try #require(try await service.factors(of: .id(eve.id)).passkeys.first)
        _ = try await service.removePasskey(passkey.id, token: keyed.signIn.token)
        _ = try await service.resetFactors(of: .id(eve.id), by: .operatingSystemUser(0))
        world.mailer.fail(.server(MailServerFailure(.refused, code: 550, reply: "550 5.1.1 no such user")))
        try await service.beginRecovery(email: "cy@example.org")
        world.mailer.fail(nil)
        _ = try await service.forStrangers.create(
            AccountDraft(username: "fay", email: "fay@example.org", password: nil), by: .owner)
        var wiki = ClientSettings(name: "Wiki")
        wiki.redirectURIs = ["https://wiki.example.org/cb"]
        wiki.grants = [.code, .device]
        _ = try await service.addClient("wiki", wiki, by: .operatingSystemUser(0))
        try await service.updateClient("wiki", by: .operatingSystemUser(0)) { $0.settings.name = "Encyclopedia" }
        let newKey = NewSigningKey(algorithm: .rs256, publicKey: [1], privateKey: Secret("key"))
        let signing = try await service.addSigningKey(newKey, activeAfter: .zero, by: .operatingSystemUser(0))
        _ = try await service.retireSigningKey(try #require(signing).id, by: .operatingSystemUser(0))
        let visitor = try await world.signIn("dee2").token
        let request = CodeRequest(client: "wiki", scopes: ["openid"], redirectURI: "https://wiki.example.org/cb")
        for _ in 0..<2 {
            guard case .code(let code) = try await service.authorize(request, session: visitor, withConsent: true)
            else {
                continue
            }
            for _ in 0..<2 {
                _ = try await service.redeem(code, by: "wiki", redirectURI: request.redirectURI) { _ in true }
            }
        }
        _ = try await service.authorize(request, session: visitor, withConsent: true)
        _ = try await service.withdrawConsent(to: "wiki", token: visitor)
        _ = try await service.authorize(request, session: visitor, withConsent: true)
        for (userCode, isAllowed) in [(Secret("BCDF-GHJK"), true), (Secret("LMNP-QRST"), false)] {
            _ = try await service.beginDeviceRequest(of: "wiki", scopes: ["openid"], userCode: userCode)
            _ = try await service.answerDeviceRequest(userCode, allowing: isAllowed, token: visitor)
        }
        _ = try await service.changePassword(
            token: visitor, current: Secret(World.password), new: Secret("another correct horse"))
        try await service.updateClient("wiki", by: .operatingSystemUser(0)) {
            $0.settings.backchannelLogoutURI = "https://wiki.example.org/logout"
        }
        let sender = MemoryLogoutSender()
        let sending = service.linking(to: try #require(WebOrigin("https://accounts.example.org")))
            .sendingLogouts(with: sender)
        for failure in [nil, LogoutFailure("refused with status 400", isFinal: true)] {
            let login = try await world.signIn("dee2", "another correct horse").token
            _ = try await service.authorize(request, session: login, withConsent: true)
            _ = try await service.endSession(token: login)
            sender.fail("wiki", failure)
            await sending.deliverDueMessages()
        }
        try await service.removeClient("wiki", by: .operatingSystemUser(0))
        keys.forget(second)
        _ = await world.failure(signingIn: "ada")
        let planted = try await service.createSession(of: .id(eve.id), by: .operatingSystemUser(0))
        try await world.store.write { (transaction) throws(AccountError) in
            var session = planted.session
            session.lastUsedAt = Timestamp(milliseconds: 4_000_000_000_000)
            try transaction.touch(session)
        }
        // Another program removes the seal, which the next record reveals.
        try await world.store.write { (transaction) throws(AccountError) in
            try transaction.setSeal([UInt8](repeating: 0, count: 32))
        }
        await tried { () async throws(AccountError) in _ = try await service.session(for: planted.token) }
        return world
    }

    /// S-96: golden rows of every event.
    @Test func `a scenario that causes every event leaves the expected rows`() async throws {
        let world = try await story()
        let trail = try await world.trail()
        #expect(Set(trail.compactMap(\.event)) == Set(AuditEvent.allCases))
        // Every reason is in the documented table.
        let reasons = Dictionary(uniqueKeysWithValues: try rows().map { ($0[0], $0[2]) })
        for record in trail where !record.reason.isEmpty && record.event != .inputRefused {
            var code = record.reason.split(separator: ":")[0]
            if code.hasPrefix("passkey_") { code = "passkey_REASON" }
            let known = try #require(reasons["`\(record.name)`"])
            #expect(known.contains("`\(code)") || known == "as before", "\(record.name) \(record.reason)")
        }
        var names: [AccountID: String] = [:]
        var requests: [String: Int] = [:]
        let lines = trail.map { record in
            for id in [record.account, record.context?.actingAccount].compactMap(\.self) where names[id] == nil {
                names[id] = "account-\(names.count + 1)"
            }
            if requests[record.requestID] == nil { requests[record.requestID] = requests.count + 1 }
            let context = record.context
            return [
                "\(record.sequence)", record.time.rfc3339Milliseconds, record.name,
                record.account.flatMap { names[$0] } ?? "-", "\(record.actor)",
                context?.actingAccount.flatMap { names[$0] } ?? "-", "\(context?.processUser ?? 0)",
                "\(context?.sinceBoot ?? -1)", context?.bootID.prefix(4).description ?? "-",
                context?.version ?? "-", "request-\(requests[record.requestID] ?? 0)", record.reason,
            ].joined(separator: " | ") + "\n"
        }
        // Shows only the first two of repeated rows.
        var shown: [String] = []
        var last = ("", 0)
        for (record, line) in zip(trail, lines) {
            let key = record.name + record.reason
            last = key == last.0 ? (key, last.1 + 1) : (key, 1)
            if last.1 <= 2 { shown.append(line) }
        }
        try Golden.expect(shown.joined(), "accounts/audit-story.txt")
        let change = try #require(trail.last { $0.event == .auditEndChanged })
        #expect(try await world.chain().finding == .endWasChanged(sequence: change.sequence))
    }

    /// A record from a newer version can be read, and its chain verified.
    @Test func `an event from a newer version is preserved`() async throws {
        let world = try World()
        let trail = try await world.store.write { (transaction) throws(AccountError) in
            let record = AuditRecord(
                sequence: 1, time: world.clock.now(), name: "quantum_tunnel", account: nil, actor: .owner,
                requestID: "r", reason: "", context: nil)
            var chain = AuditChain(storeID: try transaction.storeID)
            try transaction.append(record, hash: chain.add(record))
            if let head = chain.head { try transaction.setSeal(World.key.seal(of: head, [])) }
            return try transaction.auditRows(after: 0, limit: 1)
        }
        #expect(trail[0].record?.name == "quantum_tunnel" && trail[0].record?.event == nil)
        #expect(try await world.chain().finding == .intact)
    }
}

extension World {
    /// Nil if no message was sent.
    fileprivate func recoveryCode(for email: String, sentTo: Bool) async throws -> Secret? {
        let before = mailer.delivered.count
        try await service.beginRecovery(email: email)
        return mailer.delivered.dropFirst(before).first?.code
    }
}
