import LatchkeyForms
import LatchkeySecrets

extension AuthorizationRequest {
    /// The request in its only stored form: a JSON object on one line, with its members in alphabetical order.
    package var encoded: String { json.encoded }

    private var json: JSONValue {
        let members: [(key: String, value: JSONValue?)] = [
            ("acr_values", Self.list(contexts)), ("challenge", challenge.map { .string($0.text) }),
            ("claims", Self.list(claims.userInfo)), ("client_id", .string(clientID.text)),
            ("expected_subject", expectedSubject.map(JSONValue.string)),
            ("id_token_claims", Self.list(claims.idToken)), ("locales", Self.list(locales)),
            ("login_hint", loginHint.map(JSONValue.string)), ("max_age", maximumAge.map(JSONValue.integer)),
            ("mode", .string(target.mode.rawValue)), ("nonce", nonce.map(JSONValue.string)),
            ("prompt", prompt.isEmpty ? nil : .integer(prompt.rawValue)),
            ("redirect_uri", .string(target.redirectURI)),
            ("scope", scopes.isEmpty ? nil : .string(scopes.text)), ("state", target.state.map(JSONValue.string)),
        ]
        return .object(members.compactMap { key, value in value.map { (key, $0) } })
    }

    /// Reads a stored request; nil for anything that ``encoded`` does not write.
    package init?(encoded: String) {
        guard let json = JSONValue(line: encoded.utf8), let request = AuthorizationRequest(json),
            request.encoded.utf8.elementsEqual(encoded.utf8)
        else { return nil }
        self = request
    }

    private init?(_ json: JSONValue) {
        guard let clientID = json["client_id"]?.string.flatMap(ClientID.init),
            let redirectURI = json["redirect_uri"]?.string,
            let mode = json["mode"]?.string.flatMap(ResponseTarget.Mode.init),
            let scopes = Scopes(json["scope"]?.string ?? "")
        else { return nil }
        self.init(
            clientID: clientID,
            target: ResponseTarget(redirectURI: redirectURI, mode: mode, state: json["state"]?.string),
            scopes: scopes, nonce: json["nonce"]?.string, prompt: Prompts(rawValue: json["prompt"]?.integer ?? 0),
            maximumAge: json["max_age"]?.integer, loginHint: json["login_hint"]?.string,
            locales: Self.strings(json["locales"]), contexts: Self.strings(json["acr_values"]),
            challenge: json["challenge"]?.string.flatMap(CodeChallenge.init),
            claims: RequestedClaims(
                userInfo: Self.strings(json["claims"]), idToken: Self.strings(json["id_token_claims"])),
            idTokenHint: nil, expectedSubject: json["expected_subject"]?.string)
    }

    private static func list(_ texts: [String]) -> JSONValue? {
        texts.isEmpty ? nil : .array(texts.map(JSONValue.string))
    }

    private static func strings(_ value: JSONValue?) -> [String] { value?.elements?.compactMap(\.string) ?? [] }
}
