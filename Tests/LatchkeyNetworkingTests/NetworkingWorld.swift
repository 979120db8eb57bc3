import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyServer
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyRemote

/// A networking object for the service of a ``World``, and the calls that many tests make.
@dynamicMemberLookup
struct NetworkingWorld {
    static let newPassword = "a new long password"

    let sessionStore = MemorySessionStore()
    let networking: any AccountClient
    private let world: World
    private let endpoint: Endpoint?

    /// The way in which calls reach the service.
    enum Way: CaseIterable { case inProcess, overHTTP }

    init(
        _ way: Way = .inProcess, random: RandomSource = .seeded(7),
        factors: AccountSettings.FactorPolicy = .optional
    ) throws {
        world = try World(random: random, settings: AccountSettings(factors: factors))
        switch way {
        case .inProcess:
            endpoint = nil
            networking = LocalNetworking(service: world.service, sessionStore: sessionStore)
        case .overHTTP:
            let endpoint = try Endpoint(of: world.service)
            self.endpoint = endpoint
            networking = HTTPNetworking(
                origin: endpoint.origin, sessionStore: sessionStore,
                threads: WorkerThreads(count: 1, waitingLimit: 4),
                report: { Issue.record("no answer over HTTP: \($0)") }, limits: .patient)
        }
    }

    /// A service on a Unix socket, which ends when it is released.
    final class Endpoint: Sendable {
        let origin: RemoteOrigin
        private let running: RunningServer
        private let folder = try? TemporaryFolder()

        init(of service: AccountService) throws {
            let path = try #require(folder).path(of: "http")
            let texts = ServiceSite.Texts(forms: try FormCatalogue.shipped, messages: .english)
            let configuration = ServiceConfiguration(
                origin: try #require(WebOrigin("http://localhost")), hosts: ["localhost"])
            let routes = ServiceRoutes(
                of: ServiceSite(
                    service: service, languages: [texts], standard: texts, configuration: configuration))
            running = try RunningServer(
                on: try #require(ListenAddress("unix:" + path)), handler: { await routes.respond(to: $0) })
            origin = try RemoteOrigin("unix:" + path)
        }

        deinit { Task.detached { [running] in await running.server.stop() } }
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

    func giveCode(_ code: Secret) async -> NetworkResponse {
        await networking.perform(call: .secondFactor, with: Credentials([.code: .secret(code)]))
    }

    func addFactor(_ code: Secret? = nil) async -> NetworkResponse {
        await networking.perform(
            call: .addFactor, with: Credentials(code.map { [.code: .secret($0)] } ?? [:]))
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

extension TransferLimits {
    /// Time limits that tests do not exceed even on a busy machine.
    fileprivate static var patient: TransferLimits { TransferLimits(connect: .seconds(3600), total: .seconds(3600)) }
}
