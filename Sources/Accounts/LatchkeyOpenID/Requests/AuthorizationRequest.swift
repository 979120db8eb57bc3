import LatchkeyForms
package import LatchkeySecrets

/// A valid authorization request (RFC 6749, section 4.1.1; OpenID Connect Core 1.0, section 3.1.2.1).
package struct AuthorizationRequest: Equatable, Sendable {
    /// The client. It exists.
    package let clientID: ClientID
    /// The place of the response. It belongs to the client.
    package let target: ResponseTarget
    /// The requested scopes, which the client may not all have.
    package let scopes: Scopes
    /// The value that the ID token repeats; nil for none.
    package let nonce: String?
    /// The pages that the client asks for or forbids.
    package let prompt: Prompts
    /// The maximum age of the login in seconds; nil for any.
    package let maximumAge: Int?
    /// The name or address for the login page; nil for none.
    package let loginHint: String?
    /// The preferred languages of pages, as sent.
    package let locales: [String]
    /// The requested values of `acr`, in order of preference.
    package let contexts: [String]
    /// The challenge; nil without PKCE.
    package let challenge: CodeChallenge?
    /// The claims that the client requests by name.
    package let claims: RequestedClaims
    /// The ID token that names the expected account, as sent and not verified. It is not part of ``encoded``: verify it
    /// before you store the request, and store ``expectedSubject``.
    package let idTokenHint: String?
    /// The subject of the verified ``idTokenHint``; nil if any account may log in.
    package var expectedSubject: String?

    /// Values of the parameter `prompt`.
    package struct Prompts: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// No page at all.
        package static let none = Prompts(rawValue: 1)
        /// The login page, even with a session.
        package static let login = Prompts(rawValue: 2)
        /// The consent page, even if consent was given.
        package static let consent = Prompts(rawValue: 4)
        /// The login page with a choice of the account.
        package static let selectAccount = Prompts(rawValue: 8)

        /// The names, in the order of the metadata.
        package static let names: [(name: String, prompt: Prompts)] = [
            ("none", .none), ("login", .login), ("consent", .consent), ("select_account", .selectAccount),
        ]
    }

    /// Compares strings byte by byte, through the stored form.
    package static func == (left: AuthorizationRequest, right: AuthorizationRequest) -> Bool {
        left.encoded.utf8.elementsEqual(right.encoded.utf8)
            && left.idTokenHint.map { Array($0.utf8) } == right.idTokenHint.map { Array($0.utf8) }
    }
}

/// The claims that a client requests by name (OpenID Connect Core 1.0, section 5.5). Whether a claim is essential makes no
/// difference: Latchkey returns every claim that it has and that the client's scopes allow.
package struct RequestedClaims: Equatable, Sendable {
    /// The maximum length of the parameter in bytes.
    package static let maximumByteCount = 4_096
    /// The maximum number of names for each place.
    package static let maximumCount = 64

    /// The names of claims for the userinfo endpoint.
    package let userInfo: [String]
    /// The names of claims for the ID token.
    package let idToken: [String]

    /// No claims.
    package static let none = RequestedClaims(userInfo: [], idToken: [])

    /// Creates a list of names.
    package init(userInfo: [String], idToken: [String]) {
        self.userInfo = userInfo
        self.idToken = idToken
    }

    /// Parses the parameter `claims`; nil unless it is a JSON object with objects for both places.
    package init?(parameter: String) {
        guard parameter.utf8.count <= Self.maximumByteCount, let value = JSONValue(line: parameter.utf8),
            case .object = value, let userInfo = Self.names(value["userinfo"]),
            let idToken = Self.names(value["id_token"])
        else { return nil }
        self.init(userInfo: userInfo, idToken: idToken)
    }

    private static func names(_ value: JSONValue?) -> [String]? {
        switch value {
        case nil, .null: []
        case .object(let members) where members.count <= maximumCount: members.map(\.key)
        default: nil
        }
    }
}
