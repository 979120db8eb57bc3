import LatchkeyAccounts
import LatchkeyForms
import Testing

extension StoreContract {
    static let accounts: [Clause] = [
        Clause("an account is read as it was stored, by ID, username and address") { store in
            #expect(try await store.read { (store) throws(AccountError) in try store.hasAccounts } == false)
            let ada = try account("ada")
            let withoutPassword = try {
                var account = try account("grace")
                account.attributes = [:]
                account.state = .disabled
                account.mustChangePassword = true
                account.passwordExpiresAt = time(7)
                account.passwordHash = nil
                return account
            }()
            try await store.insert(ada)
            try await store.insert(withoutPassword)
            #expect(try await store.read { (store) throws(AccountError) in try store.hasAccounts })
            for expected in [ada, withoutPassword] {
                let username = try #require(expected.username)
                for lookup in [AccountLookup.id(expected.id), .username(username), .email(expected.email)] {
                    let found = try await store.read { (store) throws(AccountError) in try store.account(lookup) }
                    expectSame(found, expected)
                }
            }
        },
        Clause("an unknown identifier finds no account") { store in
            try await store.insert(account("ada"))
            let unknown = try account("ad")
            let username = try #require(unknown.username)
            for lookup in [AccountLookup.id(unknown.id), .username(username), .email(unknown.email)] {
                let found = try await store.read { (store) throws(AccountError) in try store.account(lookup) }
                #expect(found == nil)
            }
        },
        Clause("a new account is told from one with a known username, address or ID") { store in
            let (ada, grace) = (try account("ada"), try account("grace"))
            try await store.insert(ada)
            func isKnown(_ name: Username?, _ email: EmailAddress, _ id: AccountID?) async throws -> Bool {
                try await store.read { (store) throws(AccountError) in try store.hasAccount(name, email, id) }
            }
            #expect(try await isKnown(ada.username, grace.email, nil))
            #expect(try await isKnown(nil, ada.email, grace.id))
            #expect(try await isKnown(grace.username, grace.email, ada.id))
            #expect(try await !isKnown(grace.username, grace.email, grace.id))
            #expect(try await !isKnown(nil, grace.email, nil))
        },
        Clause("of several new accounts, those with a taken value are reported and the rest is stored") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            let disabled = try {
                var account = try account("grace")
                account.state = .disabled
                account.passwordHash = nil
                account.attributes = [:]
                return account
            }()
            let new = [
                try account("ada", email: "other@example.org"), try account("bob"),
                try account("carl", email: "ada@example.org"), try account("eve", id: ada.id), disabled,
            ]
            let taken = try await store.write { (store) throws(AccountError) in try store.insert(new) }
            #expect(taken == [0: .username, 2: .email, 3: .accountID])
            for (index, expected) in new.enumerated() where taken[index] == nil {
                let found = try await store.read { (store) throws(AccountError) in try store.account(.id(expected.id)) }
                expectSame(found, expected)
            }
            let none = try await store.write { (store) throws(AccountError) in try store.insert([Account]()) }
            #expect(none.isEmpty)
        },
        Clause("names are compared by their bytes: two spellings that look alike differ") { store in
            let composed = try account("\u{E9}", email: "e1@example.org")
            let decomposed = try account("e\u{301}", email: "e2@example.org")
            try await store.insert(composed)
            try await store.insert(decomposed)
            let username = try #require(decomposed.username)
            let found = try await store.read { (store) throws(AccountError) in
                try store.account(.username(username))
            }
            expectSame(found, decomposed)
        },
        Clause("a text is not cut at a zero byte") { store in
            let short = try account("alice", email: "a1@example.org")
            let long = try account("alice\0x", email: "a2@example.org")
            try await store.insert(short)
            try await store.insert(long)
            let username = try #require(long.username)
            let found = try await store.read { (store) throws(AccountError) in
                try store.account(.username(username))
            }
            expectSame(found, long)
        },
        Clause("a username and an address belong to one account") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            let sameName = try account("ada", email: "other@example.org")
            #expect(
                await failure { try await store.insert(sameName) }
                    == .taken(field: .username))
            let sameAddress = try account("other", email: "ADA@example.ORG")
            #expect(
                await failure { try await store.insert(sameAddress) }
                    == .taken(field: .email))
            let sameID = try account("third", id: ada.id)
            #expect(
                await failure { try await store.insert(sameID) }
                    == .taken(field: "id"))
            var grace = try account("grace")
            try await store.insert(grace)
            grace.email = ada.email
            let stolen = grace
            let refused = await failure {
                try await store.transact { (store) throws in try store.update(stolen) }
            }
            #expect(refused == .taken(field: .email))
            #expect(try await store.account(grace.id)?.email.folded == "grace@example.org")
            #expect(try await store.account(sameName.id) == nil)
            #expect(try await store.account(sameAddress.id) == nil)
        },
        Clause("an update replaces everything but the ID and the time of creation") { store in
            let old = try account("ada")
            try await store.insert(old)
            var new = try account("countess", id: old.id)
            new.attributes = ["company": "Analytical Engines"]
            new.state = .disabled
            new.mustChangePassword = true
            new.passwordExpiresAt = time(3_000_000_000)
            new.updatedAt = time(2_000_000_000)
            new.passwordHash = nil
            let replacement = new
            try await store.transact { (store) throws in try store.update(replacement) }
            expectSame(try await store.account(old.id), replacement)
            let username = try #require(old.username)
            let byOldName = try await store.read { (store) throws(AccountError) in
                try store.account(.username(username))
            }
            #expect(byOldName == nil)
            // Its old name is available again.
            try await store.insert(account("ada"))
        },
        Clause("an unknown account cannot be updated") { store in
            let unknown = try account("nobody")
            let refused = await failure {
                try await store.transact { (store) throws in try store.update(unknown) }
            }
            #expect(refused == .noSuchAccount)
        },
        Clause("deleting an account deletes its sessions, codes and failures") { store in
            let ada = try account("ada")
            let session = Session(
                digest: SessionDigest(bytes: digest(1)), account: ada.id, scope: .full, createdAt: time(1),
                lastUsedAt: time(1))
            let code = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(2)), throttle: .account(ada.id), createdAt: time(1),
                expiresAt: time(600)
            )
            try await store.insert(ada)
            try await store.transact { (store) throws in
                try store.insert(session)
                try store.insert(code)
                try store.setFailures(ThrottleFailures(count: 3, lastAt: time(1)), in: .account(ada.id))
            }
            let wasThere = try await store.write { (store) throws(AccountError) in try store.deleteAccount(ada.id) }
            #expect(wasThere)
            #expect(try await store.account(ada.id) == nil)
            try await store.transact { (store) throws in
                #expect(try store.session(session.digest) == nil)
                #expect(try store.spendRecoveryCode(code.tag, at: time(2)) == nil)
                #expect(try store.failures(in: .account(ada.id)) == nil)
                #expect(try store.deleteAccount(ada.id) == false)
            }
        },
        Clause("accounts are listed by the bytes of their prepared names, in pages") { store in
            for name in ["b", "a", "\u{E9}", "Z", "ab", "\u{1F980}"] {
                try await store.insert(account(name, email: "\(name.utf8.count)\(name.utf8.first ?? 0)@example.org"))
            }
            let all = try await names(in: store, after: nil, limit: 100)
            #expect(all == ["Z", "a", "ab", "b", "\u{E9}", "\u{1F980}"])
            #expect(try await names(in: store, after: nil, limit: 2) == ["Z", "a"])
            #expect(try await names(in: store, after: "a", limit: 2) == ["ab", "b"])
            #expect(try await names(in: store, after: "aa", limit: 1) == ["ab"])
            #expect(try await names(in: store, after: "\u{1F980}", limit: 2) == [])
            #expect(try await names(in: store, after: nil, limit: 0) == [])
        },
        Clause("accounts are filtered by state and by a part of a name") { store in
            for (index, name) in ["Cy", "ada", "bo", "\u{E9}va", "o%_'x"].enumerated() {
                var account = try account(name, email: ["a%b", "c", "ADA2", "d", "e"][index] + "@example.org")
                if index == 1 { account.state = .disabled }
                if index == 2 { account.verifyBy = time(9) }
                if index == 2 || index == 3 { account.mustChangePassword = true }
                try await store.insert(account)
            }
            let expected: [(AccountFilter.State?, String?, [String])] = [
                (nil, nil, ["Cy", "ada", "bo", "o%_'x", "\u{E9}va"]), (.active, nil, ["Cy", "o%_'x", "\u{E9}va"]),
                (.disabled, nil, ["ada"]), (.unverified, nil, ["bo"]), (.mustChange, nil, ["bo", "\u{E9}va"]),
                (nil, "ADA", ["ada", "bo"]), (nil, "", ["Cy", "ada", "bo", "o%_'x", "\u{E9}va"]),
                (nil, "%", ["Cy", "o%_'x"]), (nil, "_", ["o%_'x"]), (nil, "'", ["o%_'x"]),
                (nil, "\u{C9}V", ["\u{E9}va"]), (nil, "E\u{301}", ["\u{E9}va"]), (nil, "c@EXAMPLE", ["ada"]),
                (.mustChange, "ada2", ["bo"]), (.active, "ada", []), (nil, "nobody", []),
            ]
            for (state, text, names) in expected {
                let filter = AccountFilter(state: state, matching: text)
                let page = try await store.read { (store) throws(AccountError) in
                    try store.accounts(matching: filter, after: nil, limit: 9)
                }
                let found = page.accounts.map(\.loginName.text)
                #expect(found == names, "\(state?.rawValue ?? "") \(text ?? "")")
                #expect(page.last?.text == "\u{E9}va")
                let first = try await store.read { (store) throws(AccountError) in
                    try store.accounts(matching: filter, after: nil, limit: 2)
                }
                #expect(first.accounts.map(\.loginName.text) == names.filter { ["Cy", "ada"].contains($0) })
                #expect(first.last?.text == "ada")
            }
            let end = try await store.read { (store) throws(AccountError) in
                let last = LoginName(stored: "\u{E9}va")
                return try store.accounts(matching: AccountFilter(), after: last, limit: 2)
            }
            #expect(end.accounts.isEmpty && end.last == nil)
        },
        Clause("accounts are found by the beginning of their name or address") { store in
            for (name, email) in [
                ("ada", "zed@example.org"), ("bo", "ada.bo@example.org"), ("Cy", "cy@example.org"),
                ("ad%", "d@example.org"), ("a\u{10FFFF}", "e@example.org"),
            ] {
                try await store.insert(try account(name, email: email))
            }
            let nora = try accountByAddress("nora@example.org")
            try await store.insert(nora)
            let expected: [(String, [String])] = [
                ("ad", ["ad%", "ada", "bo"]), ("AD", ["ad%", "ada", "bo"]), ("ada", ["ada", "bo"]), ("ada.", ["bo"]),
                ("ad%", ["ad%"]), ("nora@", ["nora@example.org"]), ("da", []), ("_", []), ("zed@EXAMPLE", ["ada"]),
            ]
            for (text, names) in expected {
                let filter = AccountFilter(matching: text, isBeginning: true)
                let page = try await store.read { (store) throws(AccountError) in
                    try store.accounts(matching: filter, after: nil, limit: 9)
                }
                #expect(page.accounts.map(\.loginName.text) == names, "\(text)")
                #expect(!page.isIncomplete)
                let rest = try await store.read { (store) throws(AccountError) in
                    try store.accounts(matching: filter, after: names.first.map { LoginName(stored: $0) }, limit: 1)
                }
                #expect(rest.accounts.map(\.loginName.text) == Array(names.dropFirst().prefix(1)), "\(text)")
            }
            let disabled = AccountFilter(state: .disabled, matching: "ad", isBeginning: true)
            let none = try await store.read { (store) throws(AccountError) in
                try store.accounts(matching: disabled, after: nil, limit: 9)
            }
            #expect(none.accounts.isEmpty && none.last?.text == "bo")
        },
        Clause("the last login of an account stays when the account is changed") { store in
            var ada = try account("ada")
            try await store.insert(ada)
            try await store.transact { [ada] (store) throws in
                #expect(try store.account(.id(ada.id))?.lastLoginAt == nil)
                try store.noteLogin(of: ada.id, at: time(7))
                try store.noteLogin(of: try newID(), at: time(8))
            }
            ada.state = .disabled
            let changed = ada
            try await store.transact { (store) throws in
                try store.update(changed)
                let found = try store.account(.id(changed.id))
                #expect(found?.lastLoginAt == time(7) && found?.state == .disabled)
            }
        },
        Clause("accounts without a second factor are selected") { store in
            let accounts = [try account("ada"), try account("bo"), try account("cy")]
            for account in accounts { try await store.insert(account) }
            try await store.transact { (store) throws in
                let secret = SealedSecret(key: nil, bytes: [UInt8](repeating: 1, count: 64))
                for (account, isConfirmed) in [(accounts[0], true), (accounts[2], false)] {
                    try store.setAuthenticator(
                        Authenticator(secret: secret, createdAt: time(1), isConfirmed: isConfirmed), of: account.id)
                }
                let credential = PasskeyCredential(
                    id: [1], publicKey: [2], signCount: 0, isBackupEligible: false, isBackedUp: false, transports: [])
                try store.insert(Passkey(credential, of: accounts[1].id, named: "Phone", createdAt: time(1)))
                let filter = AccountFilter(hasNoFactor: true)
                #expect(
                    try store.accounts(matching: filter, after: nil, limit: 9).accounts.map(\.loginName.text) == ["cy"])
            }
        },
        Clause("an account without a username is found by its ID and its address") { store in
            let anna = try accountByAddress("anna@Example.org")
            try await store.insert(anna)
            for lookup in [AccountLookup.id(anna.id), .email(anna.email)] {
                let found = try await store.read { (store) throws(AccountError) in try store.account(lookup) }
                expectSame(found, anna)
                #expect(found?.username == nil)
            }
            let byLocalPart = try await store.read { (store) throws(AccountError) in
                try store.account(.username(Username(storedAs: "anna", prepared: "anna")))
            }
            #expect(byLocalPart == nil)
        },
        Clause("accounts without usernames are listed by their addresses, between those with usernames") { store in
            for name in ["b", "a", "c"] { try await store.insert(account(name, email: name + "1@example.org")) }
            for address in ["b@example.org", "A@example.org", "z@example.org"] {
                var account = try accountByAddress(address)
                account.attributes["company"] = "Ünïcode & Söhne \u{1F980}"
                try await store.insert(account)
            }
            let all = ["a", "a@example.org", "b", "b@example.org", "c", "z@example.org"]
            #expect(try await names(in: store, after: nil, limit: 9) == all)
            #expect(try await names(in: store, after: nil, limit: 2) == ["a", "a@example.org"])
            #expect(try await names(in: store, after: "a@example.org", limit: 2) == ["b", "b@example.org"])
            #expect(try await names(in: store, after: "b@e", limit: 1) == ["b@example.org"])
            let page = try await store.read { (store) throws(AccountError) in
                try store.accounts(matching: AccountFilter(matching: "@EXAMPLE"), after: nil, limit: 2)
            }
            #expect(page.accounts.map(\.name) == ["A", "A@example.org"] && page.last?.text == "a@example.org")
        },
        Clause("two accounts without usernames cannot share an address") { store in
            let anna = try accountByAddress("anna@example.org")
            try await store.insert(anna)
            let second = try accountByAddress("ANNA@example.org")
            #expect(await failure { try await store.insert(second) } == .taken(field: .email))
            let named = try account("anna", email: "Anna@Example.Org")
            #expect(await failure { try await store.insert(named) } == .taken(field: .email))
            try await store.insert(account("anna", email: "other@example.org"))
            #expect(try await store.account(anna.id)?.name == "anna@example.org")
        },
        Clause("an account gets a username and loses it again") { store in
            let ada = try account("ada", email: "first@example.org")
            try await store.insert(ada)
            var anna = try accountByAddress("anna@example.org")
            try await store.insert(anna)
            anna.username = ada.username
            let stolen = anna
            let refused = await failure {
                try await store.transact { (store) throws in try store.update(stolen) }
            }
            #expect(refused == .taken(field: .username))
            for username in [Username(storedAs: "Anna", prepared: "anna"), nil] {
                anna.username = username
                let new = anna
                try await store.transact { (store) throws in try store.update(new) }
                expectSame(try await store.account(anna.id), new)
                let byName = try await store.read { (store) throws(AccountError) in
                    try store.account(.username(Username(storedAs: "", prepared: "anna")))
                }
                #expect(byName?.id == (username == nil ? nil : anna.id))
            }
        },
    ]

    private static func accountByAddress(_ address: String) throws -> Account {
        var account = try account("", email: address)
        account.username = nil
        return account
    }

    private static func names(in store: any AccountStore, after name: String?, limit: Int) async throws -> [String] {
        let after = name.map { LoginName(stored: $0) }
        let page = try await store.read { (store) throws(AccountError) in
            try store.accounts(after: after, limit: limit)
        }
        for account in page { #expect(account.attributes["company"] == "Ünïcode & Söhne \u{1F980}") }
        return page.map(\.loginName.text)
    }
}
