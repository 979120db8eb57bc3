import LatchkeyAccounts
import LatchkeyForms
import LatchkeyProvisioning
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ImportTests {
    private let actor = AuditActor.operatingSystemUser(1000)

    private func row(_ name: String, _ change: (inout AccountDraft) -> Void = { _ in }) -> AccountDraft {
        var row = AccountDraft(username: name, email: name + "@example.org")
        change(&row)
        return row
    }

    private func take(
        _ rows: [AccountDraft], _ choice: ConflictChoice = .fail, in world: World
    ) async throws -> [ImportVerdict] {
        try await world.service.importBatch(
            try rows.map { try world.service.check($0) }, choice, jobs: 2, by: actor)
    }

    private func refusals(of row: AccountDraft, in world: World) async -> [String] {
        await world.failure { () async throws(AccountError) in _ = try world.service.check(row) }?.refusals ?? []
    }

    private func account(_ name: String, in world: World) async throws -> Account {
        try await world.service.account(try #require(AccountLookup(name)))
    }

    @Test func `an account is created with the values of its row`() async throws {
        let world = try World()
        let id = try #require(AccountID("3B241101-E2BB-4255-8CAF-4136C566A962"))
        let made = try await take(
            [
                row("Ada") { row in
                    row.id = id
                    row.attributes = ["company": "Söhne", "motto": ""]
                    row.state = .disabled
                    row.mustChangePassword = true
                    row.createdAt = Timestamp(milliseconds: 1_234_567)
                }
            ], in: world)
        #expect(made == [.created(id)])
        let account = try await account("ada", in: world)
        #expect(account.username?.typed == "Ada")
        #expect(account.attributes == ["company": "Söhne"])
        #expect(account.state == .disabled && account.mustChangePassword)
        #expect(account.createdAt.milliseconds == 1_234_567)
        #expect(account.updatedAt == world.clock.now())
        #expect(world.hasher.work.isEmpty)
    }

    /// S-31, S-97: one record for everything created together, and none if nothing changes.
    @Test func `a batch writes one record, and the trail stays intact`() async throws {
        let world = try World()
        let rows = (0..<5).map { row("person\($0)") }
        #expect(try await take(rows, in: world).count == 5)
        #expect(try await world.events() == ["import_batch/created:5,updated:0"])
        #expect(try await world.trail().first?.actor == actor)
        #expect(try await take(rows, .skip, in: world) == Array(repeating: .skipped, count: 5))
        #expect(try await world.events().count == 1)
        #expect(try await world.chain().finding == .intact)
    }

    @Test func `plain passwords are hashed, imported hashes are stored, and both allow a login`() async throws {
        let world = try World()
        let rows = [
            row("ada") { $0.password = Secret(World.password) },
            row("bo") { $0.passwordHash = FakePasswordHasher.other(Secret(World.password)) },
            row("cy") { $0.passwordHash = PasswordHash(imported: Secret("!")) },
        ]
        _ = try await take(rows, in: world)
        #expect(world.hasher.work == [.hash])
        _ = try await world.signIn("ada")
        _ = try await world.signIn("bo")
        #expect(await world.failure(signingIn: "cy", "!") == .wrongCredentials)
    }

    /// S-1, S-2, S-24, S-29.
    @Test func `the policy and the cost limits apply to rows`() async throws {
        let world = try World()
        #expect(await refusals(of: row("ada") { $0.password = Secret("short") }, in: world) == ["password: min_length"])
        #expect(
            await refusals(of: row("ada") { $0.passwordHash = FakePasswordHasher.costly }, in: world)
                == ["password_hash: hash_too_costly"])
        #expect(
            await refusals(of: row("ada") { $0.passwordHash = FakePasswordHasher.unsupported }, in: world)
                == ["password_hash: hash_unsupported"])
        let both = row("ada") { row in
            row.password = Secret(World.password)
            row.passwordHash = FakePasswordHasher.other(Secret(World.password))
        }
        #expect(await refusals(of: both, in: world) == ["password_hash: password_and_hash"])
        let short = row("ada") { $0.totpSecret = Secret("nine byte") }
        #expect(await refusals(of: short, in: world) == ["totp_secret: not_totp_secret"])
        let future = row("a b") { $0.createdAt = world.clock.now().advanced(by: .seconds(3600)) }
        #expect(
            await refusals(of: future, in: world) == [
                "email_field: email", "username: username", "created_at: too_late",
            ])
    }

    /// S-43: whatever the row shares with the account, and whatever happens to existing ones.
    @Test(arguments: ConflictChoice.allCases, [FieldKey.username, .email, .accountID])
    func `an unverified account past its deadline matches no row`(choice: ConflictChoice, key: FieldKey) async throws {
        let world = try World()
        let old = try await world.create("ada")
        let deadline = world.clock.now().advanced(by: .seconds(60))
        try await world.edit(old.id) { $0.verifyBy = deadline }
        let new = row(key == .username ? "ada" : "bo") { row in
            if key == .email { row.email = "ada@example.org" }
            if key == .username { row.email = "other@example.org" }
            if key == .accountID { row.id = old.id }
        }
        func conflict() async throws -> RowConflict? {
            try await world.service.conflicts(of: [try world.service.check(new)], choice)[0]
        }
        world.clock.advance(by: .milliseconds(59_999))
        switch (try await conflict(), choice) {
        case (.taken(let field), _): #expect(field == key)
        case (.existing(let account), .skip), (.existing(let account), .update): #expect(account.id == old.id)
        case (let conflict, _): Issue.record("\(String(describing: conflict))")
        }
        world.clock.advance(by: .milliseconds(1))
        // Only rows that conflict are listed.
        let after = try await conflict()
        #expect(after == nil, "\(String(describing: after))")
        let verdict = try await take([new], choice, in: world).first
        #expect(verdict.map { if case .created = $0 { true } else { false } } == true)
        #expect(try await account(key == .username ? "ada" : "bo", in: world).verifyBy == nil)
    }

    @Test func `a taken value is refused, and nothing of the batch is written`() async throws {
        let world = try World()
        let ada = try await world.create("ada")
        let id = try #require(AccountID("3b241101-e2bb-4255-8caf-4136c566a962"))
        _ = try await take([row("bo") { $0.id = id }], in: world)
        let rows = [row("new"), row("ADA"), row("x") { $0.email = "ada@EXAMPLE.org" }, row("y") { $0.id = id }]
        let checked = try rows.map { try world.service.check($0) }
        let conflicts = try await world.service.conflicts(of: checked, .fail)
        let fields = conflicts.compactMapValues { if case .taken(let field) = $0 { field } else { nil } }
        #expect(fields == [1: .username, 2: .email, 3: .accountID])
        for (place, field) in fields {
            await #expect(throws: AccountError.taken(field: field)) {
                try await take([rows[0], rows[place]], in: world)
            }
        }
        let first = try #require(checked[0].username)
        #expect(
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.account(.username(first))
            } == .noSuchAccount)
        #expect(try await account("ada", in: world).updatedAt == ada.updatedAt)
        #expect(try await take(rows, .skip, in: world).filter { $0 == .skipped }.count == 3)
    }

    /// The accounts of a small store are compared in memory, those of a larger one in the database.
    @Test(arguments: ConflictChoice.allCases)
    func `small and large stores report the same conflicts`(choice: ConflictChoice) async throws {
        let world = try World()
        let id = try #require(AccountID("3B241101-E2BB-4255-8CAF-4136C566A962"))
        _ = try await take([row("ada") { $0.id = id }, row("alan")], in: world)
        let rows = try [
            row("new"), row("ADA"), row("other") { $0.email = "Alan@example.org" }, row("third") { $0.id = id },
            row("alan") { $0.email = "new@example.org" },
        ].map { try world.service.check($0) }
        func conflicts() async throws -> [String] {
            let conflicts = try await world.service.conflicts(of: rows, choice)
            return rows.indices.map { index in
                switch conflicts[index] {
                case nil: "new"
                case .new: "listed as new"
                case .existing(let account): account.name
                case .taken(let field): "taken: \(field.rawValue)"
                case .groups: "groups"
                case .unsafeName: "unsafe"
                }
            }
        }
        let small = try await conflicts()
        #expect(small.first == "new" && !small.dropFirst().contains("new"))
        _ = try await take((0..<30).map { row("person\($0)") }, in: world)
        #expect(try await conflicts() == small)
    }

    @Test func `a row that will be skipped is not hashed`() async throws {
        let world = try World()
        let rows = ["ada", "bo"].map { row($0) { $0.password = Secret(World.password) } }
        _ = try await take([rows[0]], in: world)
        world.hasher.forgetWork()
        let verdicts = try await take(rows, .skip, in: world)
        #expect(verdicts[0] == .skipped)
        #expect(world.hasher.work == [.hash])
    }

    @Test func `an update changes the given values and keeps the others`() async throws {
        let world = try World()
        _ = try await take(
            [
                row("ada") { row in
                    row.attributes = ["company": "Engines", "motto": "x"]
                    row.passwordHash = FakePasswordHasher.other(Secret(World.password))
                }
            ], in: world)
        let before = try await account("ada", in: world)
        let token = try await world.signIn("ada").token
        let count = try await world.trail().count
        let change = row("ADA") { row in
            row.email = "new@example.org"
            row.attributes = ["motto": ""]
            row.mustChangePassword = true
        }
        #expect(try await take([change], .update, in: world) == [.updated(before.id)])
        let after = try await account("ada", in: world)
        #expect(after.username?.typed == "ADA" && after.email.typed == "new@example.org")
        #expect(after.attributes == ["company": "Engines"])
        #expect(after.mustChangePassword && after.createdAt == before.createdAt)
        #expect(
            try await world.events(after: count) == ["user_updated/by_operator", "import_batch/created:0,updated:1"])
        let told = try await world.waiting().compactMap { $0.recipient?.typed }
        #expect(told == ["ada@example.org", "new@example.org"])
        // The row gave no password, so password and session stay.
        #expect(try await world.service.session(for: token).account.id == before.id)
        #expect(try await take([change], .update, in: world) == [.unchanged(before.id)])
        #expect(try await world.trail().count == count + 2)
        #expect(try await world.waiting().count == told.count)
    }

    /// S-60, S-75: an operator's file sets the password.
    @Test func `a new password ends sessions and codes, and notifies the owner`() async throws {
        let world = try World()
        let first = row("ada") { $0.passwordHash = FakePasswordHasher.other(Secret(World.password)) }
        _ = try await take([first], in: world)
        let token = try await world.signIn("ada").token
        try await world.edit(try await account("ada", in: world).id) {
            $0.passwordHash = FakePasswordHasher.other(Secret(World.password))
        }
        #expect(try await take([first], .update, in: world).count == 1)
        #expect(try await world.service.session(for: token).account.username?.typed == "ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        let second = row("ada") { $0.password = Secret("a wholly new password") }
        let count = try await world.trail().count
        _ = try await take([second], .update, in: world)
        #expect(
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.session(for: token)
            } == .noSession)
        #expect(
            await world.failure { () async throws(AccountError) in
                try await world.service.finishRecovery(code: code, password: Secret("yet another password"))
            }?.refusals == ["code: recovery_code"])
        #expect(
            try await world.events(after: count).prefix(4) == [
                "session_logout/revoked", "authn_password_change/by_operator", "user_updated/by_operator",
                "import_batch/created:0,updated:1",
            ])
        #expect(try await world.waiting().count == 1)
        _ = try await world.signIn("ada", "a wholly new password")
    }

    @Test func `disabling an account or removing its password ends its sessions`() async throws {
        let world = try World()
        for (change, name) in [
            ({ (row: inout AccountDraft) in row.state = .disabled }, "ada"),
            ({ (row: inout AccountDraft) in row.passwordHash = PasswordHash(imported: Secret("*")) }, "bo"),
        ] {
            try await world.create(name)
            let token = try await world.signIn(name).token
            _ = try await take([row(name, change)], .update, in: world)
            #expect(
                await world.failure { () async throws(AccountError) in
                    _ = try await world.service.session(for: token)
                } == .noSession)
            #expect(await world.failure(signingIn: name) == .wrongCredentials)
        }
    }

    @Test func `an update is matched by ID and cannot take another account's name or address`() async throws {
        let world = try World()
        let ids = try ["ada", "bo"].enumerated().map { place, name in
            try #require(AccountID("3b241101-e2bb-4255-8caf-4136c566a96\(place)"))
        }
        _ = try await take(zip(["ada", "bo"], ids).map { name, id in row(name) { $0.id = id } }, in: world)
        #expect(
            try await take([row("countess") { $0.id = ids[0] }], .update, in: world) == [.updated(ids[0])])
        for (change, field) in [
            (row("bo") { $0.id = ids[0] }, FieldKey.username),
            (
                row("x") { row in
                    row.id = ids[0]
                    row.email = "bo@example.org"
                }, .email
            ),
            (row("y") { $0.email = "bo@example.org" }, .email),
        ] {
            await #expect(throws: AccountError.taken(field: field)) { try await take([change], .update, in: world) }
        }
    }

    /// S-11: under the strict preset a password from an operator must be changed.
    @Test func `the strict preset requires a change of every imported password`() async throws {
        let world = try World(settings: AccountSettings(preset: .nist))
        _ = try await take(
            [row("ada") { $0.passwordHash = FakePasswordHasher.other(Secret(World.password)) }, row("bo")], in: world)
        #expect(try await account("ada", in: world).mustChangePassword)
        #expect(try await account("bo", in: world).mustChangePassword == false)
    }

    /// S-32, S-34.
    @Test func `imported hashes are sealed, and refused if the key is missing`() async throws {
        let keys = MemorySealingKeys()
        let world = try World(sealing: keys)
        let key = try await world.service.addSealingKey(by: actor)
        let hash = FakePasswordHasher.other(Secret(World.password))
        _ = try await take([row("ada") { $0.passwordHash = hash }], in: world)
        #expect(try await world.service.sealingStatus().bare == 0)
        _ = try await world.signIn("ada")
        let page = try await world.service.exportPage(after: nil, limit: 10, withHashes: true)
        #expect(page.entries.count == 1 && page.entries[0].passwordHash != nil)
        keys.forget(key)
        await #expect(throws: AccountError.store(.sealingKeysMissing([key.text]))) {
            try await take([row("bo") { $0.passwordHash = hash }], in: world)
        }
        await #expect(throws: AccountError.store(.sealingKeysMissing([key.text]))) {
            _ = try await world.service.exportPage(after: nil, limit: 10, withHashes: true)
        }
    }

    /// S-68.
    @Test func `an exported authenticator app is sealed again by another store and works there`() async throws {
        let world = try World(sealing: MemorySealingKeys())
        _ = try await world.service.addSealingKey(by: actor)
        let (_, phone, codes) = try await world.createWithFactor("ada")
        try await world.create("bo")
        let without = try await world.service.exportPage(after: nil, limit: 10, withHashes: false)
        #expect(without.entries.allSatisfy { $0.totpSecret == nil })
        let page = try await world.service.exportPage(after: nil, limit: 10, withHashes: true)
        #expect(page.entries.map { $0.totpSecret != nil } == [true, false])
        let other = try World()
        let rows = page.entries.map { entry in
            row(entry.account.name) { row in
                row.passwordHash = entry.passwordHash
                row.totpSecret = entry.totpSecret
            }
        }
        _ = try await take(rows, in: other)
        let challenge = try await other.challenge(signingIn: "ada")
        #expect(try await other.finish(challenge, phone.code(other.clock)) != nil)
        let again = try await other.challenge(signingIn: "ada")
        #expect(await other.failure(finishing: again, codes[0]) != nil, "saved codes are not exported")
        _ = try await other.signIn("bo")
        let ada = try await account("ada", in: other).id
        let stored = try await other.store.read { (transaction) throws(AccountError) in
            try transaction.authenticator(of: ada)
        }
        #expect(stored?.secret.key == nil && stored?.isConfirmed == true)
    }

    /// S-68.
    @Test func `a row with a new secret replaces an account's factor, and a row without one keeps it`() async throws {
        let world = try World()
        let (ada, phone, codes) = try await world.createWithFactor("ada")
        let page = try await world.service.exportPage(after: nil, limit: 10, withHashes: true)
        let secret = try #require(page.entries[0].totpSecret)
        #expect(try await take([row("ada"), row("bo")], .update, in: world).first == .unchanged(ada.id))
        #expect(
            try await take([row("ada") { $0.totpSecret = secret }], .update, in: world) == [.unchanged(ada.id)])
        #expect(try await world.service.factors(of: .id(ada.id)).savedCodes == codes.count)
        let new = try TOTP(from: .seeded(99))
        let before = try await world.trail().count
        let challenge = try await world.challenge(signingIn: "ada")
        #expect(
            try await take([row("ada") { $0.totpSecret = new.secret }], .update, in: world) == [.updated(ada.id)])
        #expect(await world.failure(finishing: challenge, phone.code(world.clock)) == .noSession)
        let status = try await world.service.factors(of: .id(ada.id))
        #expect(status.savedCodes == 0 && status.authenticator?.lastUsedAt == nil)
        #expect(try await world.sessions(of: ada.id).isEmpty)
        #expect(try await world.events(after: before).contains("factor_added/by_operator"))
        let next = try await world.challenge(signingIn: "ada")
        let code = new.code(at: TOTP.step(at: world.clock.now()))
        #expect(await world.failure(finishing: next, phone.code(world.clock)) != nil)
        #expect(try await world.finish(next, code) != nil)
    }

    @Test func `unverified accounts and generated passwords are not exported`() async throws {
        let world = try World()
        let ada = try await world.create("ada", password: nil)
        try await world.edit(ada.id) { $0.verifyBy = $0.createdAt.advanced(by: .seconds(86_400)) }
        var draft = AccountDraft(
            username: "bo", email: "bo@example.org", password: try world.service.newPassword())
        draft.isPasswordGenerated = true
        _ = try await world.service.create(draft, by: actor)
        let page = try await world.service.exportPage(after: nil, limit: 10, withHashes: true)
        #expect(page.entries.map(\.account.name) == ["bo"])
        #expect(page.entries.allSatisfy { $0.passwordHash == nil } && page.unverified == 1)
    }

    /// S-97.
    @Test func `if the audit record cannot be written, no account is created`() async throws {
        let world = try World()
        world.store.fail { $0 == .appendAudit ? .full : nil }
        await #expect(throws: AccountError.store(.full)) { try await take([row("ada")], in: world) }
        world.store.fail(nil)
        #expect(try await world.service.hasAccounts() == false)
    }

    @Test func `an import gives up if logins use the memory for too long`() async throws {
        let world = try World()
        world.hasher.fail(.overloaded)
        await #expect(throws: AccountError.overloaded) {
            try await take([row("ada") { $0.password = Secret(World.password) }], in: world)
        }
        #expect(try await world.service.hasAccounts() == false)
    }

    // MARK: Unverified accounts

    /// A row that shares the id, the username or the address of an account.
    private static func row(_ field: FieldKey, of account: Account) -> AccountDraft {
        switch field {
        case .accountID: AccountDraft(id: account.id, username: "eve", email: "eve@example.org", password: nil)
        case .username: AccountDraft(username: account.name, email: "eve@example.org", password: nil)
        default: AccountDraft(username: nil, email: account.email.typed, password: nil)
        }
    }

    @Test(arguments: [FieldKey.accountID, .username, .email], [0, 86_399, 86_400, 90_000] as [Int64])
    func `an unverified account matches a row until its deadline`(field: FieldKey, seconds: Int64) async throws {
        let isFound = seconds < 86_400
        let world = try World()
        let ada = try await world.create("ada")
        let deadline = world.clock.now().advanced(by: .seconds(86_400))
        try await world.edit(ada.id) { $0.verifyBy = deadline }
        // So many accounts that rows are looked up one by one.
        for number in 0..<20 { try await world.create("other\(number)") }
        world.clock.advance(by: .seconds(seconds))
        let checked = try world.service.check(Self.row(field, of: ada))
        for choice in ConflictChoice.allCases {
            let conflicts = try await world.service.conflicts(of: [checked], choice)
            #expect((conflicts[0] != nil) == isFound, "\(choice)")
        }
        let verdicts = try await world.service.importBatch([checked], .skip, by: .operatingSystemUser(7))
        if isFound {
            #expect(verdicts == [.skipped])
            #expect(try await world.service.account(.id(ada.id)).username?.typed == "ada")
        } else {
            guard case .created(let id)? = verdicts.first else {
                Issue.record("\(verdicts)")
                return
            }
            #expect(try await world.service.account(.id(id)).verifyBy == nil)
        }
    }

    // MARK: Released usernames

    @Test(arguments: ConflictChoice.allCases)
    func `a row cannot have a username that another account released`(choice: ConflictChoice) async throws {
        let world = try World()
        let ada = try await world.create("ada")
        try await world.service.delete(.id(ada.id), by: .operatingSystemUser(7))
        let stranger = try world.service.check(AccountDraft(username: "Ada", email: "x@example.org", password: nil))
        let conflicts = try await world.service.conflicts(of: [stranger], choice)
        guard case .taken(.username)? = conflicts[0] else {
            Issue.record("\(conflicts)")
            return
        }
        let refused = await world.failure { () async throws(AccountError) in
            _ = try await world.service.importBatch([stranger], choice, by: .operatingSystemUser(7))
        }
        #expect(refused == .taken(field: .username))
        guard case .refused(let failures) = try await world.service.plan([stranger], pruning: false) else {
            Issue.record("the plan accepts it")
            return
        }
        #expect(failures.map(\.failure.code) == [.taken])
        // The account itself comes back with its id.
        let back = try world.service.check(
            AccountDraft(id: ada.id, username: "ada", email: "ada@example.org", password: nil))
        let verdicts = try await world.service.importBatch([back], choice, by: .operatingSystemUser(7))
        #expect(verdicts == [.created(ada.id)])
    }
}
