import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import TestSupport
import Testing

/// A networking over the service of a ``World``, and the calls that many tests make.
@dynamicMemberLookup
struct NetworkingWorld {
    static let newPassword = "a new long password"

    let sessionStore = MemorySessionStore()
    let networking: LocalNetworking
    private let world: World

    init(random: RandomSource = .seeded(7)) throws {
        world = try World(random: random)
        networking = LocalNetworking(service: world.service, sessionStore: sessionStore)
    }

    subscript<Value>(dynamicMember part: KeyPath<World, Value>) -> Value { world[keyPath: part] }

    func create(_ name: String = "ada", mustChangePassword: Bool = false) async throws {
        try await world.create(name, mustChangePassword: mustChangePassword)
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

    func resetPassword(_ code: Secret, _ password: String = NetworkingWorld.newPassword) async -> NetworkResponse {
        await networking.perform(
            call: .resetPassword, with: Credentials([.code: .secret(code), .password: .secret(Secret(password))]))
    }

    func changePassword(
        _ current: String = World.password, to password: String = NetworkingWorld.newPassword
    ) async -> NetworkResponse {
        await networking.perform(
            call: .changePassword,
            with: Credentials([.currentPassword: .secret(Secret(current)), .password: .secret(Secret(password))]))
    }

    func code() throws -> Secret {
        try #require(world.mailer.delivered.last?.code)
    }

    /// The account of the stored token; nil if the token is invalid.
    func signedIn() async -> String? {
        guard let token = sessionStore.kept else { return nil }
        return try? await world.service.session(for: token).account.username?.typed
    }

    func sessionCount(of name: String = "ada") async throws -> Int {
        let account = try await world.service.account(#require(AccountLookup(name)))
        return try await world.sessions(of: account.id).count
    }
}
