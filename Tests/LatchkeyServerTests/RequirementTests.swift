import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import TestSupport
import Testing

/// Sends requests to all routes: a request that does not meet the declared requirements is refused.
@Suite(.timeLimit(.minutes(60))) struct RequirementTests {
    /// A route, and a request target that it matches.
    private struct Declared {
        let method: String
        let target: String
        let requirements: Requirements

        var name: String { method + " " + target }
        var isForAPI: Bool { target.hasPrefix("/api") }
    }

    /// A service whose budgets suffice for requests to all routes.
    private static func world() throws -> ServiceWorld {
        try ServiceWorld {
            $0.budgets.changes = 100_000
            $0.budgets.checks = 100_000
        }
    }

    private static func routes(of world: ServiceWorld) -> [Declared] {
        world.routes.declared.map { method, template, requirements in
            let name = template.contains("/forms/") ? "login" : "nobody"
            return Declared(
                method: method, target: template.replacing(/\{[a-z]+\}/, with: name), requirements: requirements)
        }
    }

    private static let unknownToken = "lks_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    @Test func `each combination of method and path is declared once`() throws {
        let declared = try Self.world().routes.declared.map { $0.method + " " + $0.template }
        #expect(Set(declared).count == declared.count)
        #expect(declared.count > 60, "\(declared.count)")
    }

    @Test func `a request for an unknown host is refused, unless the route accepts any host`() async throws {
        let world = try Self.world()
        for route in Self.routes(of: world) {
            let response = try await world.send(route.method, route.target, headers: ["Host: evil.example"])
            #expect((response.status == 421) == (route.requirements.host == .known), "\(route.name)")
        }
        let anywhere = Self.routes(of: world).filter { $0.requirements.host == .any }
        #expect(anywhere.map(\.target) == ["/verify"])
    }

    @Test func `a route that is not GET spends its declared budget, and GET is free`() async throws {
        for kind in [RequestBudgets.Kind.change, .check] {
            let world = try ServiceWorld {
                $0.budgets.changes = kind == .change ? 0 : 100_000
                $0.budgets.checks = kind == .check ? 0 : 100_000
            }
            for route in Self.routes(of: world) {
                #expect((route.requirements.budget == nil) == (route.method == "GET"), "\(route.name)")
                let response = try await world.send(route.method, route.target)
                #expect((response.status == 429) == (route.requirements.budget == kind), "\(route.name)")
            }
        }
    }

    @Test func `a request from another site is refused before its body is read`() async throws {
        let world = try Self.world()
        for route in Self.routes(of: world) where route.method != "GET" {
            let cookie = "Cookie: latchkey=" + Self.unknownToken
            for (site, isOwn) in [("same-origin", true), ("same-site", false), ("cross-site", false), ("none", false)] {
                let response = try await world.send(
                    route.method, route.target, headers: [cookie, "Sec-Fetch-Site: " + site])
                let isPage = response["Content-Type"]?.hasPrefix("text/html") == true
                let isRefused = response.status == 403 && (isPage || response.text.contains(#""cross_origin""#))
                #expect(isRefused == (!isOwn && route.requirements.origin != .any), "\(route.name) \(site)")
                #expect(!isRefused || isPage == (route.requirements.origin == .same), "\(route.name)")
            }
            // No route accepts a cookie that another site's page has sent.
            switch route.requirements.proof {
            case .operatorToken, .none: break
            case .invitation, .session, .pendingLogin, .sessionOrPendingLogin:
                #expect(route.requirements.origin != .any, "\(route.name)")
            }
            #expect(route.isForAPI || route.requirements.origin != .any, "\(route.name)")
        }
    }

    /// Valid values for every flow that requires a session.
    private static let values: [AccountType: [(String, String)]] = [
        .changePassword: [("current_password", World.password), ("password", "another battery staple")],
        .reauthenticate: [("current_password", World.password)],
        .deleteAccount: [("current_password", World.password)],
        .secondFactor: [("code", "000000")],
    ]

    @Test func `a request without the declared credential is refused`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        for route in Self.routes(of: world) {
            let flow = AccountType.allCases.first { route.target.hasSuffix("/flows/" + $0.rawValue) }
            let pairs = flow.flatMap { Self.values[$0] } ?? []
            let values = pairs.map { #""\#($0.0)":"\#($0.1)""# }.joined(separator: ",")
            let isForm = !route.isForAPI && route.method == "POST"
            let response = try await world.send(
                route.method, route.target, route.isForAPI && route.method != "GET" ? #"{"values":{\#(values)}}"# : "",
                headers: isForm
                    ? ["Sec-Fetch-Site: same-origin", "Content-Type: application/x-www-form-urlencoded"] : [])
            let what = "\(route.name): \(response.status) \(response.text)"
            switch route.requirements.proof {
            case .none, .invitation: #expect(response.status != 401, "\(what)")
            case .operatorToken:
                #expect(response.status == 401, "\(what)")
            case .session, .pendingLogin, .sessionOrPendingLogin:
                if route.isForAPI || route.target == "/verify" {
                    #expect(response.status == 401, "\(what)")
                } else if let place = response["Location"] {
                    #expect(response.status == 303 && place.hasPrefix("/login"), "\(what)")
                } else {
                    // The script is redirected to the login, and an incomplete form is refused earlier.
                    #expect([400, 403, 422].contains(response.status), "\(what)")
                    #expect(route.method == "POST" && route.requirements.verification == .handler, "\(what)")
                }
            }
        }
    }

    @Test func `an operator token without the declared scope is refused`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let session = try await world.logIn("ada")
        var scopes: Set<OperatorToken.Scope> = []
        for route in Self.routes(of: world) {
            guard case .operatorToken(let scope) = route.requirements.proof else { continue }
            scopes.insert(scope)
            let others = Set(OperatorToken.Scope.allCases).subtracting([scope])
            for (granted, isEnough) in [(Set([scope]), true), (others, false)] {
                let token = try #require(
                    try await world.world.service.createToken("ci", scopes: granted, lifetime: nil, by: .owner))
                let response = try await world.send(route.method, route.target, "", token: token.1.text)
                #expect((response.status != 403) == isEnough, "\(route.name)")
                #expect(response.status != 401, "\(route.name)")
            }
            #expect(try await world.send(route.method, route.target, token: session).status == 401, "\(route.name)")
        }
        #expect(scopes == [.readAccounts, .writeAccounts, .recoverAccounts])
    }
}
