import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// The OpenAPI document, `/api/v1/openapi.json`.
@Suite(.timeLimit(.minutes(60)))
struct DescriptionTests {
    private static func document(of world: ServiceWorld) async throws -> JSONValue {
        let response = try await world.send("GET", "/api/v1/openapi.json")
        #expect(response.status == 200)
        #expect(response["Content-Type"] == "application/json")
        return try response.json
    }

    /// An operation of the API: its method, its path and its description.
    private struct Operation {
        let method: String
        let path: String
        let json: JSONValue

        /// A request target for the path, with `name` as its parameter.
        func target(_ name: String) -> String { path.replacing(/\{[a-z]+\}/, with: name) }
    }

    private static func operations(of document: JSONValue) -> [Operation] {
        (document["paths"]?.members ?? []).flatMap { path, item in
            (item.members ?? []).filter { $0.key != "parameters" }.map {
                Operation(method: $0.key.uppercased(), path: path, json: $0.value)
            }
        }
    }

    @Test func `the document describes exactly the routes of the API`() async throws {
        let world = try ServiceWorld()
        var described: Set<String> = []
        for operation in Self.operations(of: try await Self.document(of: world)) {
            let name = operation.path.hasPrefix("/api/v1/forms/") ? "login" : "nobody"
            let response = try await world.send(operation.method, operation.target(name))
            described.insert(operation.method + " " + (response.route ?? "none for \(operation.path)"))
            #expect(operation.json["responses"]?[String(response.status)] != nil, "\(operation.path) \(response.text)")
        }
        let served = world.routes.declared.filter { $0.template.hasPrefix("/api") }.map {
            $0.method + " " + $0.template
        }
        // Responses for names that are not a flow.
        #expect(described.union(["POST /api/v1/flows/{flow}"]) == Set(served))
        #expect(served.count >= 19)
    }

    @Test func `each flow has a path whose request body has the values of its form`() async throws {
        let source = FormCatalogue.Source(file: "setup.json", bytes: try Array(Fixture.contents(of: "kinds/form.json")))
        let document = try await Self.document(of: try ServiceWorld(forms: [source]))
        for flow in AccountType.allCases {
            let values = document["paths"]?["/api/v1/flows/" + flow.rawValue]?["post"]?.values
            #expect(values?["properties"]?.members?.isEmpty == false, "\(flow)")
        }
        let setup = document["paths"]?["/api/v1/flows/setup"]?["post"]?.values
        #expect(setup?["properties"]?["newsletter"]?["type"]?.string == "boolean")
        let change = document["paths"]?["/api/v1/accounts/{id}"]?["patch"]?.values
        #expect(change?["properties"]?["password"] == nil)
        #expect(change?["required"] == nil)
        let account = document["paths"]?["/api/v1/accounts"]?["post"]?.values
        #expect(account?["required"]?.elements?.contains(.string("password")) == false)
        let properties = account?["properties"]
        #expect(properties?["email"] != nil && properties?["email"] == properties?["email_field"])
    }

    @Test func `operation ids are unique, and every reference resolves`() async throws {
        let document = try await Self.document(of: try ServiceWorld())
        #expect(document["openapi"]?.string == "3.1.0")
        #expect(document["servers"]?.elements?.first?["url"]?.string == "http://localhost:8421")
        let ids = Self.operations(of: document).compactMap { $0.json["operationId"]?.string }
        #expect(Set(ids).count == ids.count && ids.count == Self.operations(of: document).count)
        var references = 0
        for part in document.parts {
            guard let reference = part["$ref"]?.string else { continue }
            references += 1
            let steps = reference.split(separator: "/").dropFirst().map(String.init)
            #expect(steps.reduce(document) { $0?[$1] } != nil, "\(reference)")
        }
        #expect(references > 50)
        #expect(Self.operations(of: document).allSatisfy { $0.json["summary"]?.string?.isEmpty == false })
    }

    @Test func `each operation requires the documented token`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let session = try await world.logIn("ada")
        for operation in Self.operations(of: try await Self.document(of: world)) {
            let what = operation.method + " " + operation.path
            let security = operation.json["security"]?.elements ?? []
            let body = operation.json["requestBody"] == nil ? "" : #"{"values":{}}"#
            let stranger = try await world.send(operation.method, operation.target("nobody"), body)
            // The values of a flow are checked before its session.
            #expect(security.isEmpty || [401, 422].contains(stranger.status), "\(what)")
            if security.isEmpty { #expect(stranger.status != 401, "\(what)") }
            guard let scope = security.first?["operator"]?.elements?.first?.string else { continue }
            let own = try #require(OperatorToken.Scope(rawValue: scope))
            let others = Set(OperatorToken.Scope.allCases).subtracting([own])
            for (scopes, isEnough) in [(Set([own]), true), (others, false)] {
                let token = try #require(
                    try await world.world.service.createToken("ci", scopes: scopes, lifetime: nil, by: .owner))
                let response = try await world.send(
                    operation.method, operation.target("nobody"), body, token: token.1.text)
                #expect((response.status != 403) == isEnough, "\(what)")
            }
            #expect(try await world.send(operation.method, operation.target("ada"), token: session).status == 401)
        }
    }

    @Test func `an invitation is described only if sign-up requires one`() async throws {
        for registration in ServiceConfiguration.Registration.allCases {
            let world = try ServiceWorld { $0.registration = registration }
            let setup = try await Self.document(of: world)["paths"]?["/api/v1/flows/setup"]?["post"]
            let needed = setup?["security"]?.elements?.first?["invitation"] != nil
            #expect(needed == (registration == .invited))
        }
    }

    @Test func `the document uses the schemas of --json`() async throws {
        let schemas = try await Self.document(of: try ServiceWorld())["components"]?["schemas"]
        for (name, file) in [
            ("Account", "account"), ("FailedLogins", "failed-logins"), ("Form", "form"), ("Ended", "sessions-revoke"),
            ("Factors", "factors-list"), ("Group", "group"), ("Application", "application"),
        ] {
            let shape = try JSONReader.read(SourceTree.contents(of: "docs/schemas/\(file).json")).value
            let members = shape.members?.filter { !$0.key.hasPrefix("$") } ?? []
            #expect(schemas?[name] == .object(members))
        }
    }

    /// Successful requests for every operation, in an order that works, and some refused ones.
    private static let requests: [(method: String, target: String, values: String?, isOperator: Bool, status: Int)] = [
        ("GET", "/openapi.json", nil, false, 200), ("GET", "/forms", nil, false, 200),
        ("GET", "/forms/setup", nil, false, 200), ("GET", "/forms/none", nil, false, 404),
        ("POST", "/forms/setup/validate", #"{"username":"x","password":"correct horse battery"}"#, false, 200),
        ("POST", "/flows/login", #"{"username":"ada","password":"wrong"}"#, false, 401),
        ("POST", "/flows/login", #"{"username":"ada","password":"\#(World.password)"}"#, false, 200),
        ("POST", "/flows/setup", #"{"username":"eve","email_field":"eve@example.org","password":"short"}"#, false, 422),
        (
            "POST", "/flows/setup",
            #"{"username":"ada","email_field":"x@example.org","password":"correct horse battery"}"#, false, 409
        ),
        ("POST", "/flows/forgotPassword", #"{"email_field":"ada@example.org"}"#, false, 200),
        ("POST", "/flows/profile", #"{"username":"ada"}"#, false, 200),
        ("POST", "/flows/reauthenticate", #"{"current_password":"\#(World.password)"}"#, false, 200),
        ("POST", "/flows/secondFactor", #"{"code":"000000"}"#, false, 401),
        ("POST", "/flows/secondFactor", "{}", false, 422), ("POST", "/flows/addFactor", "{}", false, 202),
        ("POST", "/flows/addFactor", #"{"code":"000000"}"#, false, 422), ("GET", "/factors", nil, false, 200),
        ("POST", "/factors/saved-codes", nil, false, 404), ("DELETE", "/factors", nil, false, 404),
        ("GET", "/session", nil, false, 200), ("GET", "/sessions", nil, false, 200),
        ("DELETE", "/sessions/00000000", nil, false, 404), ("DELETE", "/sessions", nil, false, 200),
        ("DELETE", "/session", nil, false, 200),
        ("POST", "/accounts", #"{"username":"bob","email_field":"bob@example.org"}"#, true, 200),
        ("GET", "/accounts", nil, true, 200), ("GET", "/accounts?limit=1", nil, true, 200),
        ("GET", "/accounts?limit=0", nil, true, 400), ("GET", "/accounts/bob", nil, true, 200),
        ("PATCH", "/accounts/bob", #"{"username":"rob"}"#, true, 200), ("POST", "/accounts/rob/unlock", nil, true, 200),
        ("POST", "/accounts/rob/recover", nil, true, 200), ("POST", "/accounts/rob/disable", nil, true, 200),
        ("POST", "/accounts/rob/recover", nil, true, 409), ("POST", "/accounts/rob/enable", nil, true, 200),
        ("POST", "/accounts/rob/reset-factors", nil, true, 200),
        ("POST", "/accounts/eve/reset-factors", nil, true, 404),
        ("POST", "/groups", #"{"name":"staff","title":"Staff"}"#, true, 200),
        ("POST", "/groups", #"{"name":"staff"}"#, true, 409), ("POST", "/groups", #"{"name":"Staff"}"#, true, 422),
        ("POST", "/groups", "{}", true, 422), ("GET", "/groups", nil, true, 200),
        ("PATCH", "/groups/staff", #"{"name":"team","title":""}"#, true, 200),
        ("PATCH", "/groups/staff", #"{"name":"team"}"#, true, 404),
        ("PUT", "/groups/team/members/rob", nil, true, 200), ("PUT", "/groups/team/members/eve", nil, true, 404),
        ("GET", "/accounts?group=team", nil, true, 200), ("GET", "/accounts?group=staff", nil, true, 404),
        ("DELETE", "/groups/team/members/rob", nil, true, 200), ("DELETE", "/groups/team?force=2", nil, true, 400),
        ("DELETE", "/groups/team", nil, true, 200), ("DELETE", "/groups/team?force=1", nil, true, 404),
        ("DELETE", "/accounts/rob", nil, true, 200), ("GET", "/accounts/rob", nil, true, 404),
    ]

    @Test func `responses have the described statuses and shapes, without undescribed members`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let document = try await Self.document(of: world)
        var session = try await world.logIn("ada")
        let token = try #require(
            try await world.world.service.createToken(
                "ci", scopes: Set(OperatorToken.Scope.allCases), lifetime: nil, by: .owner)
        ).1.text
        for (method, target, values, isOperator, status) in Self.requests {
            let path = "/api/v1" + target
            let response = try await world.send(
                method, path, values.map { #"{"values":\#($0)}"# } ?? "", token: isOperator ? token : session,
                headers: ["Latchkey-Device: new"])
            // A login and a password check end the session of the request.
            if let new = try response.json["token"]?.string { session = new }
            #expect(response.status == status, "\(method) \(target): \(response.text)")
            try Self.expect(response, to: method, path, matches: document)
        }
    }

    @Test func `the responses of second factors have the described shapes`() async throws {
        let world = try ServiceWorld()
        let (_, phone, _) = try await world.world.createWithFactor("ada")
        let document = try await Self.document(of: world)
        var token: String?
        func ask(
            _ method: String, _ path: String, _ values: String? = nil, gives status: Int
        ) async throws -> JSONValue {
            let path = "/api/v1" + path
            let response = try await world.send(
                method, path, values.map { #"{"values":\#($0)}"# } ?? "", token: token,
                headers: ["Latchkey-Device: new"])
            #expect(response.status == status, "\(method) \(path): \(response.text)")
            try Self.expect(response, to: method, path, matches: document)
            return try response.json
        }
        let login = #"{"username":"ada","password":"\#(World.password)"}"#
        token = try await ask("POST", "/flows/login", login, gives: 403)["pending"]?.string
        let code = #"{"code":"\#(phone.code(world.world.clock).text)"}"#
        token = try await ask("POST", "/flows/secondFactor", code, gives: 200)["token"]?.string
        _ = try await ask("POST", "/flows/addFactor", "{}", gives: 409)
        _ = try await ask("GET", "/factors", gives: 200)
        _ = try await ask("POST", "/factors/saved-codes", gives: 200)
        world.world.clock.advance(by: .seconds(301))
        _ = try await ask("DELETE", "/factors", gives: 403)
        let again = #"{"current_password":"\#(World.password)"}"#
        token = try await ask("POST", "/flows/reauthenticate", again, gives: 403)["pending"]?.string
        let next = #"{"code":"\#(phone.code(world.world.clock).text)"}"#
        token = try await ask("POST", "/flows/secondFactor", next, gives: 200)["token"]?.string
        _ = try await ask("DELETE", "/factors", gives: 200)
        let begun = try await ask("POST", "/flows/addFactor", "{}", gives: 202)
        let new = try #require(begun["secret"]?.string.flatMap { Phone(typeableSecret: Secret($0)) })
        let first = #"{"code":"\#(new.code(world.world.clock).text)"}"#
        _ = try await ask("POST", "/flows/addFactor", first, gives: 200)
    }

    /// Expects a response to have the status, the type and the shape in the document.
    private static func expect(
        _ response: HTTPResponse, to method: String, _ path: String, matches document: JSONValue
    ) throws {
        let schemas = document["components"]?["schemas"] ?? .null
        let what = "\(method) \(path): \(response.text)"
        let flows = document["paths"]?[path] ?? document["paths"]?[response.route ?? ""]
        var described = flows?[method.lowercased()]?["responses"]?[String(response.status)]
        if let reference = described?["$ref"]?.string {
            described = document["components"]?["responses"]?[String(reference.split(separator: "/").last ?? "")]
        }
        let content = try #require(described?["content"]?.members?.first, "\(what)")
        #expect(response["Content-Type"] == content.key, "\(what)")
        let schema = try #require(content.value["schema"]).adding([("$defs", schemas)])
        #expect(try JSONSchema(root: schema, isClosed: true).accepts(try response.json), "\(what)")
    }
}

extension JSONValue {
    /// The schema of the values in the body of this operation.
    fileprivate var values: JSONValue? {
        self["requestBody"]?["content"]?["application/json"]?["schema"]?["properties"]?["values"]
    }
}
