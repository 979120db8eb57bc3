import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// Refresh tokens and their successors.
@Suite(.timeLimit(.minutes(60)))
struct RefreshTests {
    @Test func `a refresh token is replaced, and the login stays the same`() async throws {
        let setting = try await GrantWorld()
        let first = try await setting.tokens()
        setting.world.clock.advance(by: .seconds(300))
        let second = try await setting.refresh(first.refresh).get()
        #expect(second.refresh?.text != first.refresh?.text && second.access.text != first.access.text)
        #expect(second.grant.authenticatedAt == first.grant.authenticatedAt && second.nonce == nil)
        setting.world.clock.advance(by: .seconds(300))
        #expect(try await setting.refresh(second.refresh).failure == nil)
    }

    /// S-209.
    @Test func `a refresh that is repeated at once gets the same token`() async throws {
        let setting = try await GrantWorld()
        let first = try await setting.tokens()
        setting.world.clock.advance(by: .seconds(1))
        let second = try await setting.refresh(first.refresh).get()
        setting.world.clock.advance(by: .seconds(10))
        let again = try await setting.refresh(first.refresh).get()
        #expect(again.refresh?.text == second.refresh?.text && again.access.text != second.access.text)
        for _ in 0..<15 { #expect(try await setting.refresh(first.refresh).failure == nil) }
        #expect(try await setting.refresh(first.refresh).failure == .reused, "17 tokens are too many")
        #expect(try await setting.refresh(second.refresh).failure == .unknown)
    }

    /// S-209.
    @Test func `an old refresh token ends the grant`() async throws {
        let setting = try await GrantWorld()
        let first = try await setting.tokens()
        let second = try await setting.refresh(first.refresh).get()
        setting.world.clock.advance(by: .seconds(11))
        #expect(try await setting.refresh(first.refresh).failure == .reused)
        #expect(try await setting.refresh(second.refresh).failure == .unknown)
        #expect(try await setting.service.access(second.access) == nil)
        #expect(try await setting.world.trail().last?.event == .grantReused)

        let third = try await setting.tokens()
        let fourth = try await setting.refresh(third.refresh).get()
        _ = try await setting.refresh(fourth.refresh).get()
        #expect(try await setting.refresh(third.refresh).failure == .reused, "its successor was used")
    }

    @Test func `of many refreshes with one token, all get the same next token`() async throws {
        let setting = try await GrantWorld()
        let first = try await setting.tokens()
        let results = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<16 { group.addTask { try? await setting.refresh(first.refresh).get().refresh?.text } }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(Set(results).count == 1 && results.first != .some(nil))
    }

    @Test func `a refresh narrows the scopes, but never widens them`() async throws {
        let setting = try await GrantWorld()
        let first = try await setting.tokens()
        #expect(try await setting.refresh(first.refresh, scopes: ["openid", "groups"]).failure == .scopeTooWide)
        let narrow = try await setting.refresh(first.refresh, scopes: ["openid"]).get()
        #expect(try await setting.service.access(narrow.access)?.scopes == ["openid"])
        let wide = try await setting.refresh(narrow.refresh).get()
        #expect(wide.scopes == ["openid", "email"])
    }

    @Test func `another application cannot refresh`() async throws {
        let setting = try await GrantWorld()
        let first = try await setting.tokens()
        #expect(try await setting.refresh(first.refresh, by: "blog").failure == .unknown)
        #expect(try await setting.refresh(first.access).failure == .unknown)
        #expect(try await setting.refresh(first.refresh).failure == nil)
    }

    @Test func `an idle refresh token expires`() async throws {
        let setting = try await GrantWorld()
        let first = try await setting.tokens(["openid", "offline_access"])
        setting.world.clock.advance(by: setting.service.settings.openID.refreshIdle)
        #expect(try await setting.refresh(first.refresh).failure == .expired)
    }
}
