import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import TestSupport
import Testing

/// A networking over a real service and test doubles.
struct World {
    static let password = "correct horse battery"
    static let newPassword = "a new long password"

    let store = MemoryAccountStore()
    let hasher = FakePasswordHasher()
    let mailer = MemoryMailer()
    let clock = SettableClock()
    let sessionStore = MemorySessionStore()
    let service: AccountService
    let networking: LocalNetworking

    init(random: RandomSource = .seeded(7)) throws {
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        service = AccountService(
            store: store, hasher: hasher, mailer: mailer, clock: clock, random: random, key: key)
        networking = LocalNetworking(service: service, sessionStore: sessionStore)
    }

    func create(_ name: String = "ada", mustChangePassword: Bool = false) async throws {
        let draft = AccountDraft(
            username: name, email: name + "@example.org", password: Secret(World.password),
            mustChangePassword: mustChangePassword)
        _ = try await service.create(draft, by: .owner)
    }

    func logIn(_ name: String = "ada", _ password: String = World.password) async -> NetworkResponse {
        await networking.perform(
            call: .login, with: Credentials([.username: .text(name), .password: .secret(Secret(password))]))
    }

    func setUp(_ name: String = "ada", attributes: [FieldKey: String] = [:]) async -> NetworkResponse {
        var values: [FieldKey: Credentials.Value] = [
            .username: .text(name), .email: .text(name + "@example.org"), .password: .secret(Secret(World.password)),
        ]
        for (key, text) in attributes { values[key] = .text(text) }
        return await networking.perform(call: .setup, with: Credentials(values))
    }

    func forgetPassword(_ email: String) async -> NetworkResponse {
        await networking.perform(call: .forgotPassword, with: Credentials([.email: .text(email)]))
    }

    func changeProfile(email: String = "ada@example.org", code: Secret? = nil) async -> NetworkResponse {
        var values: [FieldKey: Credentials.Value] = [.email: .text(email), .username: .text("ada")]
        if let code { values[.code] = .secret(code) }
        return await networking.perform(call: .profile, with: Credentials(values))
    }

    func deleteAccount(_ password: String = World.password) async -> NetworkResponse {
        await networking.perform(
            call: .deleteAccount, with: Credentials([.currentPassword: .secret(Secret(password))]))
    }

    func reauthenticate(_ password: String = World.password) async -> NetworkResponse {
        await networking.perform(
            call: .reauthenticate, with: Credentials([.currentPassword: .secret(Secret(password))]))
    }

    func resetPassword(_ code: Secret, _ password: String = World.newPassword) async -> NetworkResponse {
        await networking.perform(
            call: .resetPassword, with: Credentials([.code: .secret(code), .password: .secret(Secret(password))]))
    }

    func changePassword(
        _ current: String = World.password, to password: String = World.newPassword
    ) async -> NetworkResponse {
        await networking.perform(
            call: .changePassword,
            with: Credentials([.currentPassword: .secret(Secret(current)), .password: .secret(Secret(password))]))
    }

    func code() throws -> Secret {
        let lines = try #require(mailer.delivered.last).body.split(separator: "\n").map(String.init)
        return Secret(try #require(lines.first { $0.wholeMatch(of: /([0-9A-Z]{4}-){5}[0-9A-Z]{4}/) != nil }))
    }

    /// The account of the stored token; nil if the token is invalid.
    func signedIn() async -> String? {
        guard let token = sessionStore.kept else { return nil }
        return try? await service.session(for: token).account.username.typed
    }

    func sessionCount(of name: String = "ada") async throws -> Int {
        let account = try await service.account(#require(AccountLookup(name)))
        return try await store.read { (transaction) throws(AccountError) in
            try transaction.sessions(of: account.id).count
        }
    }
}
