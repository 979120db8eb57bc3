import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import LatchkeySystem
import LatchkeyTesting
import TestSupport
import Testing

/// A service over an in-memory store, without a socket.
struct ServiceWorld {
    let world: World
    let routes: ServiceRoutes
    /// The refused requests of applications, as the log has them.
    let refusals = Refusals()

    static let password = World.password

    init(
        origin: String = "http://localhost:8421", settings: AccountSettings = AccountSettings(),
        forms: [FormCatalogue.Source] = [], isForStrangers: Bool = false,
        responseDelay: ResponseDelay = .none, hashQueue: HashQueue = HashQueue(),
        events: AccountEvents = AccountEvents(), networking: (any Networking)? = nil,
        _ change: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        world = try World(settings: settings, responseDelay: responseDelay)
        let origin = try #require(WebOrigin(origin))
        var configuration = ServiceConfiguration(origin: origin, hosts: [origin.host])
        change(&configuration)
        let languages = try [MessageTable.english, .portuguese].map { messages in
            var catalogue = try FormCatalogue(replacedBy: forms, messages: messages)
            if isForStrangers { catalogue = catalogue.replacing(catalogue.form(for: .setup).without(.password)) }
            return ServiceSite.Texts(forms: catalogue, messages: messages, policy: settings.preset)
        }
        var scripted: ServiceSite.NetworkingOfRequest?
        if let networking { scripted = { _, _ in networking } }
        routes = ServiceRoutes(
            of: ServiceSite(
                service: (isForStrangers ? world.service.forStrangers : world.service).linking(to: origin),
                languages: languages,
                standard: languages[0], configuration: configuration, events: events, hashQueue: hashQueue,
                networking: scripted, reportRefusal: { [refusals] in refusals.add($0) }))
    }

    /// Sends a request. As in the server, a response that is ready comes first.
    ///
    /// - Parameters:
    ///   - headers: lines such as `Accept-Language: pt`. A `Host` is added if it is missing.
    ///   - body: sent as JSON unless `headers` give another type.
    func send(
        _ method: String, _ target: String, _ body: String = "", token: String? = nil, headers: [String] = [],
        from peer: String = "192.0.2.1"
    ) async throws -> HTTPResponse {
        let request = try request(method, target, body, token: token, headers: headers, from: peer)
        if let response = routes.prepared(for: request) { return response }
        return await routes.respond(to: request)
    }

    /// The request that ``send(_:_:_:token:headers:from:)`` sends.
    func request(
        _ method: String, _ target: String, _ body: String = "", token: String? = nil, headers: [String] = [],
        from peer: String = "192.0.2.1"
    ) throws -> HTTPRequest {
        var fields = HTTPHeaders()
        let names = headers.map { $0.prefix { $0 != ":" }.lowercased() }
        if !names.contains("host") { fields.add("Host", "localhost:8421") }
        if !body.isEmpty, !names.contains("content-type") { fields.add("Content-Type", "application/json") }
        if let token { fields.add("Authorization", "Bearer " + token) }
        for header in headers {
            let name = header.prefix { $0 != ":" }
            fields.add(String(name), header.dropFirst(name.count + 1).trimmingPrefix(" ").description)
        }
        return HTTPRequest(
            method: method, target: try #require(HTTPTarget(target)), headers: fields, body: Secret(body),
            peer: HTTPAddress(peer), id: "0000000000000001")
    }

    /// Sends a page's form as a browser does.
    ///
    /// - Parameter cookie: the value of the session cookie.
    func submit(
        _ path: String, _ pairs: [(String, String)], cookie: String? = nil, headers: [String] = []
    ) async throws -> HTTPResponse {
        let body = pairs.map { PercentEncoding.encoded($0.0) + "=" + PercentEncoding.encoded($0.1) }.joined(
            separator: "&")
        let own = ["Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin"]
        return try await send(
            "POST", path, body, headers: own + headers + (cookie.map { ["Cookie: latchkey=" + $0] } ?? []))
    }

    /// Opens a page.
    func open(_ path: String, cookie: String? = nil, headers: [String] = []) async throws -> HTTPResponse {
        try await send("GET", path, headers: headers + (cookie.map { ["Cookie: latchkey=" + $0] } ?? []))
    }

    /// The cookie of a new session.
    func logInOnPage(_ name: String) async throws -> String {
        let response = try await submit("/login", [("username", name), ("password", Self.password)])
        return try #require(response.cookie, "\(response.text)")
    }

    /// The token of a new session.
    func logIn(_ name: String, password: String = Self.password, from peer: String = "192.0.2.1") async throws -> String
    {
        let response = try await send(
            "POST", "/api/v1/flows/login", #"{"values":{"username":"\#(name)","password":"\#(password)"}}"#, from: peer)
        return try #require(try response.json["token"]?.string, "\(response.text)")
    }
}

/// The refused requests of a service.
final class Refusals: Sendable {
    private let all = Locked<[ProviderRefusal]>([])

    func add(_ refusal: ProviderRefusal) { all.withLock { $0.append(refusal) } }

    /// The refusals since the last call, as `application rule: reason`.
    func take() -> [String] {
        all.withLock { all in
            defer { all = [] }
            return all.map { ($0.client ?? "-") + " " + $0.rule + ($0.reason.map { ": " + $0 } ?? "") }
        }
    }
}

extension HTTPResponse {
    var text: String {
        switch body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .secret(let secret): secret.text
        }
    }

    /// The value of the session cookie that the response sets; nil if it sets none.
    var cookie: String? {
        let value = self["Set-Cookie"]?.split(separator: ";").first?.split(separator: "=", maxSplits: 1)
        return value?.count == 2 ? value.map { String($0[1]) } : nil
    }

    var json: JSONValue {
        get throws { try #require(JSONValue(line: text.utf8), "\(text)") }
    }
}
