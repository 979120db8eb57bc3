import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyOpenID
import LatchkeyPublicKeys
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// A service with two applications and the account `ada`, and what a browser and an application do with it.
struct ProviderWorld {
    let service: ServiceWorld
    let ada: Account
    /// The cookie of a session of `ada`.
    let cookie: String
    /// The secrets of the applications, by ID.
    let secrets: [String: String]

    static let issuer = "http://localhost:8421"
    /// The header of a form.
    static let form = "Content-Type: application/x-www-form-urlencoded"
    static let redirectURI = "https://wiki.example.org/cb"
    static let verifier = String(repeating: "v", count: 43)
    /// The SHA-256 of ``verifier`` in base64url.
    static let challenge = Base64URL.text(of: SHA256Digest.of(Array(verifier.utf8).span))

    var world: World { service.world }

    init(
        settings: AccountSettings = AccountSettings(), limits: RequestBudgets.Limits = RequestBudgets.Limits(),
        _ change: (inout ClientSettings) -> Void = { _ in }
    ) async throws {
        service = try ServiceWorld(settings: settings) { $0.budgets = limits }
        ada = try await service.world.create("ada")
        var secrets: [String: String] = [:]
        for id in ["wiki", "blog"] {
            var settings = ClientSettings(name: id == "wiki" ? "Wiki" : "Blog")
            settings.redirectURIs = [Self.redirectURI, "https://wiki.example.org/other?a=b"]
            settings.postLogoutRedirectURIs = ["https://wiki.example.org/bye"]
            settings.scopes = ["openid", "profile", "email", "groups", "offline_access"]
            settings.grants = Set(ClientSettings.Grant.allCases)
            settings.consent = .skip
            change(&settings)
            secrets[id] = try await service.world.service.addClient(id, settings, by: .owner).secret?.text
        }
        self.secrets = secrets
        cookie = try await service.logInOnPage("ada")
    }

    // MARK: The browser

    /// The query of an authorization request. An empty value removes a parameter.
    static func query(_ changes: [String: String] = [:]) -> String {
        let standard = [
            "client_id": "wiki", "redirect_uri": redirectURI, "response_type": "code", "scope": "openid email",
            "state": "st/1", "nonce": "n-1",
        ]
        return standard.merging(changes) { $1 }.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { $0.key + "=" + PercentEncoding.encoded($0.value) }.joined(separator: "&")
    }

    func authorize(_ changes: [String: String] = [:], cookie: String?) async throws -> HTTPResponse {
        try await service.open("/oauth/authorize?" + Self.query(changes), cookie: cookie)
    }

    func authorize(_ changes: [String: String] = [:]) async throws -> HTTPResponse {
        try await authorize(changes, cookie: cookie)
    }

    /// The parameters that a response carries to the application; nil if it goes elsewhere.
    static func parameters(_ place: String?, to uri: String = redirectURI) -> [String: String]? {
        guard let place, place.hasPrefix(uri), let target = HTTPTarget("/" + place.dropFirst(uri.count)) else {
            return nil
        }
        return Dictionary(target.query.map { ($0.name, $0.value) }) { first, _ in first }
    }

    func code(_ changes: [String: String] = [:]) async throws -> String {
        let response = try await authorize(changes)
        let parameters = Self.parameters(response["Location"], to: changes["redirect_uri"] ?? Self.redirectURI)
        return try #require(parameters?["code"], "\(response.status) \(response["Location"] ?? "") \(response.text)")
    }

    // MARK: The application

    enum Authentication {
        case basic, body, none
    }

    func post(
        _ path: String, _ pairs: [String: String], as client: String = "wiki",
        _ authentication: Authentication = .basic,
        secret: String? = nil
    ) async throws -> HTTPResponse {
        var pairs = pairs
        var headers = ["Content-Type: application/x-www-form-urlencoded"]
        let secret = secret ?? secrets[client] ?? ""
        switch authentication {
        case .basic: headers.append("Authorization: Basic " + Base64.text(of: Array("\(client):\(secret)".utf8)))
        case .body: pairs.merge(["client_id": client, "client_secret": secret]) { $1 }
        case .none: pairs["client_id"] = client
        }
        let body = pairs.sorted { $0.key < $1.key }
            .map { $0.key + "=" + PercentEncoding.encoded($0.value) }.joined(separator: "&")
        return try await service.send("POST", path, body, headers: headers)
    }

    func redeem(
        _ code: String, as client: String = "wiki", _ more: [String: String] = [:],
        _ authentication: Authentication = .basic
    ) async throws -> HTTPResponse {
        let pairs = ["grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI]
        return try await post("/oauth/token", pairs.merging(more) { $1 }, as: client, authentication)
    }

    /// The tokens of a new login.
    func tokens(_ changes: [String: String] = [:]) async throws -> JSONValue {
        let response = try await redeem(try await code(changes))
        #expect(response.status == 200, "\(response.text)")
        return try response.json
    }

    func refresh(_ token: String, as client: String = "wiki") async throws -> HTTPResponse {
        try await post("/oauth/token", ["grant_type": "refresh_token", "refresh_token": token], as: client)
    }

    func userInfo(_ token: String) async throws -> HTTPResponse {
        try await service.send("GET", "/oauth/userinfo", token: token)
    }

    /// The claims of an ID token, verified with the published keys.
    func claims(_ tokens: JSONValue) async throws -> JSONValue {
        let text = try #require(tokens["id_token"]?.string)
        let keys = try await service.open("/oauth/jwks").json["keys"]?.elements ?? []
        let usable = try keys.map { key in
            let members = ["n", "e"].compactMap { key[$0]?.string.flatMap(Base64URL.bytes) }
            let publicKey = try #require(RS256Key(modulus: members[0], exponent: members[1]))
            return VerificationKey(kid: key["kid"]?.string ?? "", publicKey: .rs256(publicKey))
        }
        return try JWS.verify(text, type: "JWT", keys: usable)
    }
}

/// The error of an endpoint that applications call, after checks that apply to every error.
func oauthError(_ response: HTTPResponse, _ status: Int = 400) throws -> String? {
    #expect(response.status == status && response["Content-Type"] == "application/json", "\(response.text)")
    #expect(response["Cache-Control"] == "no-store" && response["Location"] == nil)
    return try response.json["error"]?.string
}

extension HTTPResponse {
    /// The address to which a page sends the browser by itself; nil for a page that does not.
    var refreshLocation: String? {
        text.firstMatch(of: /http-equiv="refresh" content="0;url=([^"]*)"/).map {
            String($0.1).replacing("&amp;", with: "&").replacing("&#38;", with: "&")
        }
    }
}

/// Base 64 with padding, for the header of an application.
enum Base64 {
    static func text(of bytes: [UInt8]) -> String {
        let text = Base64URL.text(of: bytes).replacing("-", with: "+").replacing("_", with: "/")
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}
