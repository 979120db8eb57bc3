import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// Names and addresses are compared by bytes. A look-alike is another name or invalid.
@Suite(.timeLimit(.minutes(60)))
struct IdentifierTests {
    /// Every non-ASCII scalar that a case or width mapping turns into an ASCII letter or digit, with that character.
    static let lookAlikes: [(lookAlike: Unicode.Scalar, ascii: Character)] = {
        let fullwidth = (0xFF01...0xFF5E as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).map {
            (lookAlike: $0, ascii: Character(Unicode.Scalar(UInt8($0.value - 0xFEE0))))
        }
        let folding: [(Unicode.Scalar, Character)] = [
            ("\u{212A}", "k"), ("\u{17F}", "s"), ("\u{131}", "i"), ("\u{130}", "i"), ("\u{212B}", "a"),
            ("\u{1E9E}", "s"), ("\u{DF}", "s"), ("\u{FB00}", "f"), ("\u{FB05}", "s"), ("\u{2170}", "i"),
            ("\u{24D0}", "a"), ("\u{1D41A}", "a"), ("\u{2102}", "c"), ("\u{2071}", "i"), ("\u{AA}", "a"),
            ("\u{BA}", "o"), ("\u{B9}", "1"), ("\u{1F130}", "a"), ("\u{430}", "a"), ("\u{3BF}", "o"),
        ]
        return folding + fullwidth.filter { $0.ascii.isLetter || $0.ascii.isNumber }
    }()

    /// S-16: NFC turns the Kelvin sign into K, so the address matches. The message is still sent to the stored address.
    @Test func `a look-alike of an address gets no message and creates no account`() async throws {
        let world = try World()
        let local = "abcdefghijklmnopqrstuvwxyz0123456789"
        let address = local + "@" + local + ".example"
        _ = try await world.service.create(AccountDraft(username: "ada", email: address, password: nil), by: .owner)
        #expect(Self.lookAlikes.count >= 50)
        for (lookAlike, ascii) in Self.lookAlikes {
            let lower = Character(ascii.lowercased())
            let place = try #require(address.firstIndex(of: lower))
            let typed = address.replacingCharacter(in: place..<address.index(after: place), with: lookAlike)
            try await world.service.beginRecovery(email: typed)
            let refusal = await world.failure { () async throws(AccountError) in
                _ = try await world.service.create(
                    AccountDraft(username: "eve", email: typed, password: nil), by: .owner)
            }
            #expect(refusal?.refusals == ["email_field: email"], "U+\(String(lookAlike.value, radix: 16))")
        }
        #expect(world.mailer.delivered.map { $0.recipient?.typed } == [address])
        try await world.service.beginRecovery(email: address.uppercased())
        #expect(world.mailer.delivered.map { $0.recipient?.typed } == [address, address])
    }

    /// S-16.
    @Test func `a non-ASCII address is valid if the setting allows it, and identifies its owner`() async throws {
        let address = "ad\u{E1}@b\u{FC}cher.example"
        let draft = AccountDraft(username: "ada", email: address, password: nil)
        let strict = try World()
        let refusal = await strict.failure { () async throws(AccountError) in
            _ = try await strict.service.create(draft, by: .owner)
        }
        #expect(refusal?.refusals == ["email_field: email"])

        let world = try World(settings: AccountSettings(internationalAddresses: true))
        let account = try await world.service.create(draft, by: .owner)
        #expect(account.email.typed == address)
        let decomposed = "ada\u{301}@bu\u{308}cher.EXAMPLE"
        #expect(try await world.service.account(#require(AccountLookup(decomposed))).id == account.id)
        try await world.service.beginRecovery(email: decomposed)
        #expect(world.mailer.delivered.map { $0.recipient?.typed } == [address])
    }

    /// S-16.
    @Test(arguments: [
        "ada@example.org\r\nBcc: eve@example.org", "ada@example.org\nBcc: eve@example.org", "ada\r@example.org",
        "ada@example.org\0", "\0ada@example.org", "ada@example.org, eve@example.org", "<ada@example.org>",
        "\"ada\r\n\"@example.org", "ada(comment)@example.org", "ada@example.org%0aBcc:eve@example.org",
        "ada@example.org\u{2028}Bcc: eve@example.org", "ada@example.org\u{85}Bcc: eve@example.org",
    ])
    func `an address that could inject a header is refused`(text: String) async throws {
        let world = try World()
        try await world.create("ada")
        try await world.service.beginRecovery(email: text)
        #expect(world.mailer.delivered.isEmpty)
        #expect(throws: RuleFailure.self) { try EmailAddress(text) }
    }

    /// S-16: 64, 255 and 254 octets are the limits of RFC 5321 (sections 4.5.3.1.1 to 4.5.3.1.3).
    @Test func `an address longer than the limits of RFC 5321 is refused`() throws {
        let label = String(repeating: "d", count: 60)
        func address(local: Int, whole: Int) -> String {
            let start = String(repeating: "l", count: local) + "@"
            var domain = ""
            while start.utf8.count + domain.utf8.count + 3 + label.utf8.count + 1 <= whole { domain += label + "." }
            return start + domain + String(repeating: "e", count: whole - start.utf8.count - domain.utf8.count)
        }
        #expect(throws: Never.self) { try EmailAddress(address(local: 64, whole: 254)) }
        #expect(address(local: 64, whole: 254).utf8.count == 254)
        #expect(throws: RuleFailure.self) { try EmailAddress(address(local: 64, whole: 255)) }
        #expect(throws: RuleFailure.self) { try EmailAddress(address(local: 65, whole: 200)) }
    }

    /// S-13: `==` on strings would treat both as equal.
    @Test func `usernames and addresses are compared by bytes, not by canonical equivalence`() {
        let composed = Username(storedAs: "x", prepared: "\u{E9}ric")
        let decomposed = Username(storedAs: "x", prepared: "e\u{301}ric")
        #expect(composed.prepared == decomposed.prepared)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        let first = EmailAddress(storedAs: "x", folded: "\u{E9}@example.org")
        let second = EmailAddress(storedAs: "x", folded: "e\u{301}@example.org")
        #expect(first != second)
        #expect(Set([first, second]).count == 2)
    }

    /// S-13, S-15: normalization makes them equal before they reach a store.
    @Test func `equivalent Unicode encodings of a name or password match`() async throws {
        let world = try World()
        _ = try await world.service.create(
            AccountDraft(
                username: "E\u{301}ric", email: "eric@example.org", password: Secret("cafe\u{301} au lait")),
            by: .owner)
        _ = try await world.signIn("\u{E9}ric", "caf\u{E9} au lait")
        _ = try await world.signIn("\u{C9}RIC", "cafe\u{301} au lait")
        let refusal = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(
                AccountDraft(username: "\u{E9}ric", email: "other@example.org", password: nil), by: .owner)
        }
        #expect(refusal == .taken(field: .username))
    }

    /// S-15.
    @Test(arguments: ["ada", "ADA", "\u{FF21}\u{FF44}\u{FF41}"])
    func `a username in another case or width is the same username`(name: String) async throws {
        let world = try World()
        try await world.create("ada")
        let refusal = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(
                AccountDraft(username: name, email: "other@example.org", password: nil), by: .owner)
        }
        #expect(refusal == .taken(field: .username))
    }

    /// S-117.
    @Test(arguments: ["ada\0", "ada\0x", "\0ada", "ada\0@example.org", "ada@example.org\0", "ada@example.org\0x"])
    func `a name is not truncated at a NUL`(name: String) async throws {
        let world = try World()
        let account = try await world.create("ada")
        #expect(AccountLookup(name) == nil)
        #expect(AccountLookup(account.id.text + "\0") == nil)
        #expect(await world.failure(signingIn: name) == .wrongCredentials)
        try await world.service.beginRecovery(email: name)
        #expect(world.mailer.delivered.isEmpty)
        let refusal = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(
                AccountDraft(
                    username: "bo" + name, email: "bo" + name, attributes: ["company": .text(name)], password: nil),
                by: .owner)
        }
        #expect(refusal?.refusals.contains("company: nul") == true)
        #expect(try await world.service.accounts(after: nil, limit: 10).count == 1)
    }

    /// S-117.
    @Test func `a password is not truncated at a NUL`() async throws {
        let world = try World()
        try await world.create("ada")
        #expect(await world.failure(signingIn: "ada", World.password + "\0") == .wrongCredentials)
        #expect(await world.failure(signingIn: "ada", World.password + "\0x") == .wrongCredentials)
        let draft = AccountDraft(username: "bo", email: "bo@example.org", password: Secret(World.password + "\0x"))
        let refusal = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(draft, by: .owner)
        }
        #expect(refusal?.refusals == ["password: nul"])
    }

    /// S-56: the code was not tried after it expired, but the trail has a later record.
    @Test func `an expired code stays expired if the clock goes back`() async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        world.clock.advance(by: .seconds(600))
        #expect(await world.failure(signingIn: "nobody") == .wrongCredentials)
        world.clock.advance(by: .seconds(-500))
        let failure = await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret("a wholly new password"))
        }
        #expect(failure?.refusals == ["code: recovery_code"])
        _ = try await world.signIn("ada")
    }
}

extension String {
    fileprivate func replacingCharacter(in range: Range<Index>, with scalar: Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView(self[..<range.lowerBound].unicodeScalars)
        scalars.append(scalar)
        scalars.append(contentsOf: self[range.upperBound...].unicodeScalars)
        return String(scalars)
    }
}
