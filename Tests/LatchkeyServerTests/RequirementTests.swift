import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
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
        /// Whether it is an endpoint of OAuth that programs call.
        var isForApplications: Bool { !isForAPI && requirements.carrier == .header }
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

    /// The headers of a request that the gate of a route lets pass.
    ///
    /// - Parameter token: an operator token with every scope.
    private static func headers(for route: Declared, _ token: String) -> [String] {
        var headers: [String] = route.isForAPI ? [] : ["Sec-Fetch-Site: same-origin"]
        switch route.requirements.proof {
        case .operatorToken: headers.append("Authorization: Bearer " + token)
        case .session where route.isForAPI: headers.append("Authorization: Bearer " + unknownToken)
        default: break
        }
        return headers
    }

    private static func operatorToken(_ world: ServiceWorld) async throws -> String {
        let scopes = Set(OperatorToken.Scope.allCases)
        let token = try await world.world.service.createToken("ci", scopes: scopes, lifetime: nil, by: .owner)
        return try #require(token).1.text
    }

    @Test func `a route that changes something spends the declared budget, and reading is free`() async throws {
        for kind in [RequestBudgets.Kind.change, .check] {
            let world = try ServiceWorld {
                $0.budgets.changes = kind == .change ? 0 : 100_000
                $0.budgets.checks = kind == .check ? 0 : 100_000
            }
            let token = try await Self.operatorToken(world)
            for route in Self.routes(of: world) {
                // Applications spend their budgets in the handlers, because only failures count against an address.
                let isFree = route.method == "GET" || route.isForApplications
                #expect((route.requirements.budget == nil) == isFree, "\(route.name)")
                let response = try await world.send(
                    route.method, route.target, headers: Self.headers(for: route, token))
                let isFailure = route.requirements.proof == .client && kind == .change
                #expect((response.status == 429) == (route.requirements.budget == kind || isFailure), "\(route.name)")
            }
        }
    }

    @Test func `a request that the gate refuses costs nothing`() async throws {
        let world = try ServiceWorld {
            $0.budgets.changes = 1
            $0.budgets.checks = 1
        }
        let token = try await Self.operatorToken(world)
        // An address that does not exist costs something, and so does the administration for strangers.
        let routes = Self.routes(of: world).filter { $0.requirements.proof != .administrator }
        var cases = routes.filter { $0.requirements.budget != nil }.map { route in
            let isChecked = route.requirements.verification != .handler
            let other: [[String]] = isChecked ? [[]] : []
            let crossing =
                Self.headers(for: route, token).filter { !$0.hasPrefix("Sec") } + ["Sec-Fetch-Site: cross-site"]
            let foreign = route.requirements.origin == .any ? [] : [crossing]
            return (route.method, route.target, Self.headers(for: route, token), other + foreign)
        }
        for target in ["/nowhere", "/api/v1/nowhere", "/api/v1/session"] {
            cases.append(("PUT", target, [], [["Sec-Fetch-Site: cross-site"]]))
        }
        for (number, (method, target, met, other)) in cases.enumerated() {
            let client = "198.51.100.\(number)"
            for headers in [met + ["Host: evil.example"]] + other {
                let response = try await world.send(method, target, headers: headers, from: client)
                #expect([421, 403, 401].contains(response.status), "\(target) \(headers) \(response.status)")
            }
            let first = try await world.send(method, target, headers: met, from: client)
            #expect(first.status != 429, "\(target)")
            let second = try await world.send(method, target, headers: met, from: client)
            #expect(second.status == 429, "\(target) \(second.status)")
        }
        #expect(cases.count > 40, "\(cases.count)")
    }

    /// S-160.
    @Test func `a request of another site's page is refused before its body is read`() async throws {
        let world = try Self.world()
        // The administration hides from strangers: AdministrationPageTests has its cases.
        let routes = Self.routes(of: world).filter { $0.requirements.proof != .administrator }
        for route in routes where route.method != "GET" && route.requirements.origin != .any {
            let own = "Origin: http://localhost:8421"
            for (headers, isOwn) in [
                (["Sec-Fetch-Site: same-origin"], true), ([own], true), (["Sec-Fetch-Site: same-site"], false),
                (["Sec-Fetch-Site: cross-site"], false), (["Sec-Fetch-Site: none"], false),
                (["Sec-Fetch-Site: cross-site", own], false), (["Origin: https://evil.example"], false),
                (["Origin: null"], false),
                // No browser sends these, and which of the two counts would be a guess.
                ([own, own], false), ([own, "Origin: https://evil.example"], false),
                (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: same-origin"], false),
                (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site", own], false),
            ] as [([String], Bool)] {
                let response = try await world.send(
                    route.method, route.target, headers: ["Cookie: latchkey=" + Self.unknownToken] + headers)
                let isPage = response["Content-Type"]?.hasPrefix("text/html") == true
                let isRefused = response.status == 403 && (isPage || response.text.contains(#""cross_origin""#))
                #expect(isRefused == !isOwn, "\(route.name) \(headers)")
                #expect(!isRefused || isPage == (route.requirements.origin == .same), "\(route.name)")
            }
            // A program sends neither header, and no page does so.
            let program = try await world.send(route.method, route.target)
            let isRefused = program.status == 403 && program.text.contains("cross_origin")
            #expect(isRefused || route.isForAPI || route.requirements.origin == .same, "\(route.name)")
            #expect(route.requirements.origin == .program || !route.isForAPI, "\(route.name)")
            #expect(route.isForAPI || [.same, .sameForScript].contains(route.requirements.origin), "\(route.name)")
        }
    }

    /// The body and the headers of a request to a route, as complete as a request of its own client.
    private static func request(_ route: Declared) -> (body: String, headers: [String]) {
        let flow = AccountType.allCases.first {
            route.target.hasSuffix("/flows/" + $0.rawValue) || route.target == $0.traits.page
        }
        let pairs = flow.flatMap { values[$0] } ?? []
        if route.isForAPI {
            let values = pairs.map { #""\#($0.0)":"\#($0.1)""# }.joined(separator: ",")
            return (route.method == "GET" ? "" : #"{"values":{\#(values)}}"#, [])
        }
        guard route.method == "POST" else { return ("", []) }
        let changes = [("change", "codes"), ("end", "others")]
        let fields = pairs.isEmpty && route.target.hasPrefix("/account/") ? changes : pairs
        return (
            fields.map { PercentEncoding.encoded($0.0) + "=" + PercentEncoding.encoded($0.1) }.joined(separator: "&"),
            ["Sec-Fetch-Site: same-origin", "Content-Type: application/x-www-form-urlencoded"]
        )
    }

    /// The body of a response without its random part.
    private static func fixedText(of response: HTTPResponse) -> String {
        response.text.replacing(/"challenge":"[^"]*"/, with: "")
    }

    /// S-160.
    @Test func `tokens and cookies never mix`() async throws {
        let world = try ServiceWorld { $0.budgets.changes = 100_000 }
        for (number, route) in Self.routes(of: world).enumerated() {
            let carrier = route.requirements.carrier
            guard !route.isForApplications else { continue }
            #expect(carrier == (route.isForAPI ? .header : route.target == "/verify" ? .either : .cookie))
            guard carrier != .either else { continue }
            // Each route has its own accounts, because flows end sessions and delete accounts.
            let (name, guarded) = ("owner\(number)", "guarded\(number)")
            try await world.world.create(name)
            let (_, phone, _) = try await world.world.createWithFactor(guarded)
            let session = try await world.logIn(name)
            let login = try await world.submit("/login", [("username", guarded), ("password", World.password)])
            let pending = try #require(login.cookie("latchkey-pending"))
            let device = try await world.submit("/login", [("username", name), ("password", World.password)])
                .cookie("latchkey-device")
            var (body, headers) = Self.request(route)
            let isCode = body.contains("000000")
            if isCode { body = body.replacing("000000", with: phone.code(world.world.clock).text) }
            let cookies = ["latchkey=\(session)", "latchkey-pending=\(pending)", "latchkey-device=\(device ?? "")"]
            let without = try await world.send(route.method, route.target, isCode ? "" : body, headers: headers)
            switch carrier {
            case .either: break
            case .header:
                headers += ["Sec-Fetch-Site: same-origin", "Cookie: " + cookies.joined(separator: "; ")]
                let response = try await world.send(route.method, route.target, body, headers: headers)
                #expect(response["Set-Cookie"] == nil, "\(route.name)")
                guard !isCode else {
                    #expect(response.status == 401, "\(route.name): \(response.text)")
                    continue
                }
                #expect(response.status == without.status && response.text == without.text, "\(route.name)")
            case .cookie:
                for token in [session, pending] {
                    let bearer = headers + ["Authorization: Bearer " + token]
                    let response = try await world.send(route.method, route.target, isCode ? "" : body, headers: bearer)
                    let (text, expected) = (Self.fixedText(of: response), Self.fixedText(of: without))
                    #expect(response.status == without.status && text == expected, "\(route.name)")
                    #expect(response["Location"] == without["Location"], "\(route.name)")
                }
                // A script can read the page, so the page holds no token.
                for cookie in [cookies[0], cookies[1], cookies.joined(separator: "; ")] {
                    let response = try await world.send(
                        route.method, route.target, body, headers: headers + ["Cookie: " + cookie])
                    #expect(response.text.firstMatch(of: /lk[a-z]_[\w-]{20}/) == nil, "\(route.name)")
                }
            }
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
            let (body, headers) = Self.request(route)
            let response = try await world.send(
                route.method, route.target, route.isForAPI ? body : "", headers: headers)
            let what = "\(route.name): \(response.status) \(response.text)"
            switch route.requirements.proof {
            case .none, .invitation: #expect(response.status != 401, "\(what)")
            case .operatorToken, .accessToken:
                #expect(response.status == 401, "\(what)")
            case .client: #expect([400, 401].contains(response.status), "\(what)")
            case .administrator: #expect(response.status == 404, "\(what)")
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
        #expect(scopes == Set(OperatorToken.Scope.allCases).subtracting([.signUp, .admin]))
    }
}
