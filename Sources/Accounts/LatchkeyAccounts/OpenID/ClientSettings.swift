public import LatchkeyForms

/// The settings of an application, as an operator writes them in a file, a command or a request of the API.
public struct ClientSettings: Equatable, Sendable {
    /// The name that people see, 1 to 64 bytes without control characters.
    public var name: String
    /// The addresses to which a login may return.
    public var redirectURIs: [String] = []
    /// The addresses to which a logout may return.
    public var postLogoutRedirectURIs: [String] = []
    /// The scopes that the application may ask for.
    public var scopes = standardScopes
    /// The ways in which the application gets tokens.
    public var grants: Set<Grant> = [.code, .refresh]
    /// Whether the application cannot keep a secret, such as a program on its users' machines (RFC 6749, section 2.1).
    public var isPublic = false
    /// The names of the groups whose members may log in; empty for all accounts.
    public var groups: [String] = []
    /// When people are asked before the application learns about them.
    public var consent = Consent.ask
    /// The lowest authentication assurance level of a login: 1 or 2.
    public var level = 1
    /// Whether requests need a PKCE challenge; nil until the application has used one in ten logins.
    public var pkce: PKCE?
    /// The algorithm of ID tokens.
    public var algorithm = "RS256"
    /// Whether a redirect URI may use plain HTTP on hosts other than this machine.
    public var allowsHTTP = false
    /// Private-use schemes without a dot that redirect URIs may have.
    public var schemes: [String] = []
    /// Claims under the names that the application expects, as LatchkeyOpenID reads them; nil for none.
    public var claims: JSONValue?
    /// The claims that the ID token contains in addition to the required ones.
    public var idTokenClaims: [String] = []
    /// Whether the application may introspect the tokens of all applications.
    public var introspectsAll = false

    /// The scopes of an application for which the operator lists none.
    public static let standardScopes = ["openid", "profile", "email"]

    /// A way to get tokens.
    public enum Grant: String, CaseIterable, Sendable {
        case code, refresh, device
    }

    /// When people are asked before the application learns about them.
    public enum Consent: String, CaseIterable, Sendable {
        /// Before the first login, and for each further scope.
        case ask
        /// Never, because the application belongs to the operator.
        case skip
    }

    /// Whether requests need a PKCE challenge (RFC 7636).
    public enum PKCE: String, CaseIterable, Sendable {
        case required, optional
    }

    public init(name: String) { self.name = name }

    /// Whether people must be asked, unless they have consented before. A program of a user could impersonate a public
    /// client, so its users are always asked.
    public var asksForConsent: Bool { isPublic || consent == .ask }
}

// MARK: JSON

/// The reason why settings are refused.
public enum ClientSettingsFailure: Error, Equatable, Sendable {
    /// The value is not a JSON object.
    case notAnObject
    /// There is no setting with this name.
    case unknownKey(String)
    /// The setting is required.
    case missing(String)
    /// The setting has another type, or a value that it cannot have.
    case badValue(String)
}

extension ClientSettings {
    /// A setting that the rules of the provider refuse.
    package struct Problem: Sendable {
        /// The name of the setting.
        package let setting: String
        /// The refused element.
        package let value: String
        /// The rule that the element breaks, as the end of a sentence about it.
        package let reason: String

        package init(setting: String, value: String, reason: String) {
            self.setting = setting
            self.value = value
            self.reason = reason
        }
    }

    private enum Key: String, CaseIterable {
        case name
        case redirectURIs = "redirect_uris"
        case postLogoutRedirectURIs = "post_logout_redirect_uris"
        case scopes, grants
        case isPublic = "public"
        case groups, consent
        case level = "require"
        case pkce, algorithm
        case allowsHTTP = "allow_http"
        case schemes, claims
        case idTokenClaims = "id_token_claims"
        case introspectsAll = "introspect"
    }

    /// The names of all settings.
    public static let keys = Key.allCases.map(\.rawValue)

    /// The most elements of a list.
    static let longestList = 64
    /// The most bytes of an element, and of an address.
    static let longestElement = 2048

    /// Reads the members of an object, over these settings.
    public mutating func apply(_ json: JSONValue) throws(ClientSettingsFailure) {
        guard case .object(let members) = json else { throw .notAnObject }
        for (name, value) in members {
            guard let key = Key(rawValue: name) else { throw .unknownKey(name) }
            guard set(key, to: value) else { throw .badValue(name) }
        }
    }

    /// Reads all settings from an object. Only `name` is required.
    public init(_ json: JSONValue) throws(ClientSettingsFailure) {
        self.init(name: "")
        try apply(json)
        guard !name.isEmpty else { throw .missing(Key.name.rawValue) }
    }

    /// False if the setting cannot have this value.
    private mutating func set(_ key: Key, to value: JSONValue) -> Bool {
        switch key {
        case .name:
            guard let text = value.string, OperatorToken.isName(text) else { return false }
            name = text
        case .redirectURIs: return Self.set(&redirectURIs, to: value)
        case .postLogoutRedirectURIs: return Self.set(&postLogoutRedirectURIs, to: value)
        case .scopes: return Self.set(&scopes, to: value)
        case .groups: return Self.set(&groups, to: value)
        case .schemes: return Self.set(&schemes, to: value)
        case .idTokenClaims: return Self.set(&idTokenClaims, to: value)
        case .grants:
            guard let elements = value.elements else { return false }
            let read = elements.compactMap { $0.string.flatMap(Grant.init(rawValue:)) }
            guard read.count == elements.count, !read.isEmpty else { return false }
            grants = Set(read)
        case .isPublic: return Self.set(&isPublic, to: value)
        case .allowsHTTP: return Self.set(&allowsHTTP, to: value)
        case .introspectsAll: return Self.set(&introspectsAll, to: value)
        case .consent:
            guard let read = value.string.flatMap(Consent.init(rawValue:)) else { return false }
            consent = read
        case .level:
            guard let read = ["aal1", "aal2"].firstIndex(of: value.string) else { return false }
            level = read + 1
        case .pkce:
            if value == .null {
                pkce = nil
            } else {
                guard let read = value.string.flatMap(PKCE.init(rawValue:)) else { return false }
                pkce = read
            }
        case .algorithm:
            guard let text = value.string, ["RS256", "ES256"].contains(text) else { return false }
            algorithm = text
        case .claims:
            guard case .object(let members) = value, members.count <= Self.longestList,
                value.encoded.utf8.count <= 16 * 1024
            else {
                return value == .null
                    && {
                        claims = nil
                        return true
                    }()
            }
            claims = members.isEmpty ? nil : value
        }
        return true
    }

    private static func set(_ flag: inout Bool, to value: JSONValue) -> Bool {
        guard case .bool(let read) = value else { return false }
        flag = read
        return true
    }

    /// Reads a list of different strings.
    private static func set(_ list: inout [String], to value: JSONValue) -> Bool {
        guard let elements = value.elements, elements.count <= longestList else { return false }
        var read: [String] = []
        for element in elements {
            guard let text = element.string, 1...longestElement ~= text.utf8.count,
                !read.contains(where: { $0.utf8.elementsEqual(text.utf8) })
            else { return false }
            read.append(text)
        }
        list = read
        return true
    }

    /// The settings that differ from the defaults, in a fixed order, so that equal settings have equal bytes.
    public var json: JSONValue {
        let standard = ClientSettings(name: "")
        var members: [(key: String, value: JSONValue)] = []
        for key in Key.allCases {
            let value = value(of: key)
            if value != standard.value(of: key) { members.append((key.rawValue, value)) }
        }
        return .object(members)
    }

    /// All settings, for people and programs that read them.
    public var members: [(key: String, value: JSONValue)] { Key.allCases.map { ($0.rawValue, value(of: $0)) } }

    private func value(of key: Key) -> JSONValue {
        func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        return switch key {
        case .name: .string(name)
        case .redirectURIs: list(redirectURIs)
        case .postLogoutRedirectURIs: list(postLogoutRedirectURIs)
        case .scopes: list(scopes)
        case .grants: list(Grant.allCases.filter(grants.contains).map(\.rawValue))
        case .isPublic: .bool(isPublic)
        case .groups: list(groups)
        case .consent: .string(consent.rawValue)
        case .level: .string("aal\(level)")
        case .pkce: pkce.map { .string($0.rawValue) } ?? .null
        case .algorithm: .string(algorithm)
        case .allowsHTTP: .bool(allowsHTTP)
        case .schemes: list(schemes)
        case .claims: claims ?? .null
        case .idTokenClaims: list(idTokenClaims)
        case .introspectsAll: .bool(introspectsAll)
        }
    }
}
