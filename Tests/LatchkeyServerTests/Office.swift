import LatchkeyAccounts
import LatchkeyHTTP
import LatchkeyServer
import TestSupport
import Testing

/// A service with the administrator olga, and the cookie of her session.
struct Office {
    let service: ServiceWorld
    let olga: Account
    let cookie: String

    var accounts: AccountService { service.world.service }

    init(_ change: (inout ServiceConfiguration) -> Void = { _ in }) async throws {
        service = try ServiceWorld {
            $0.budgets.changes = 100_000
            change(&$0)
        }
        let (account, phone, _) = try await service.world.createWithFactor("olga")
        olga = account
        _ = try await service.world.service.createGroup(.administrators, by: .owner)
        try await service.world.service.setMembership(
            of: .id(olga.id), in: .administrators, to: true, by: .owner)
        let asked = try await service.submit("/login", [("username", "olga"), ("password", World.password)])
        let pending = "Cookie: latchkey-pending=" + (try #require(asked.cookie("latchkey-pending")))
        let done = try await service.submit(
            "/login/code", [("code", phone.code(service.world.clock).text)], headers: [pending])
        cookie = try #require(done.cookie("latchkey"), "\(done.text)")
    }

    func open(_ path: String) async throws -> HTTPResponse {
        try await service.open("/admin" + path, cookie: cookie)
    }

    func post(_ path: String, _ pairs: (String, String)...) async throws -> HTTPResponse {
        try await post(path, pairs)
    }

    func post(_ path: String, _ pairs: [(String, String)]) async throws -> HTTPResponse {
        try await service.submit("/admin" + path, pairs, cookie: cookie)
    }

    func path(_ account: Account) -> String { "/people/" + account.id.text }

    /// The newest record.
    func lastRecord() async throws -> AuditRecord {
        try #require(try await accounts.recentAudit(limit: 1).rows.first?.record)
    }
}
