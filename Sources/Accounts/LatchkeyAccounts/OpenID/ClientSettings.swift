public import LatchkeyForms
public import LatchkeySecrets

/// The settings of an application, as an operator writes them in a file, a command or a request of the API.
/// `ClientSetting.all` describes them.
public struct ClientSettings: Equatable, Sendable {
    /// The name that people see, 1 to 64 bytes without control characters.
    public var name: String
    /// The addresses to which a login may return.
    public var redirectURIs: [String] = []
    /// The addresses to which a logout may return.
    public var postLogoutRedirectURIs: [String] = []
    /// The address that gets a notice when a login of the application ends; nil for none. LatchkeyOpenID checks it.
    public var backchannelLogoutURI: String?
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
    public var algorithm = SigningAlgorithm.standard
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

    /// The names of the levels.
    enum Requirement: String, CaseIterable {
        case aal1, aal2
    }

    /// The lowest level by its name.
    var requirement: Requirement {
        get { level > 1 ? .aal2 : .aal1 }
        set { level = newValue == .aal1 ? 1 : 2 }
    }

    public init(name: String) { self.name = name }

    /// The settings of a new application, whose name is its ID.
    public init(of id: ClientID) { self.init(name: String(id.text.prefix(OperatorToken.maximumNameBytes))) }

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
    /// The setting has another type, or a value that it cannot have. `problem` is the end of a sentence about it.
    case badValue(String, problem: String)
}

extension ClientSettings {
    /// The names of all settings.
    public static let keys = ClientSetting.all.map(\.key)

    /// Reads the members of an object, over these settings.
    public mutating func apply(_ json: JSONValue) throws(ClientSettingsFailure) {
        guard case .object(let members) = json else { throw .notAnObject }
        for (name, value) in members {
            guard let setting = ClientSetting.named(name) else { throw .unknownKey(name) }
            guard setting.write(value, &self) else { throw .badValue(name, problem: setting.problem(of: value)) }
        }
    }

    /// Reads all settings from an object. Only `name` is required.
    public init(_ json: JSONValue) throws(ClientSettingsFailure) {
        self.init(name: "")
        try apply(json)
        guard !name.isEmpty else { throw .missing(ClientSetting.name.key) }
    }

    /// The settings that differ from the defaults, in a fixed order, so that equal settings have equal bytes.
    public var json: JSONValue {
        let standard = ClientSettings(name: "")
        return .object(
            ClientSetting.all.filter { $0.read(self) != $0.read(standard) }.map { ($0.key, $0.read(self)) })
    }

    /// All settings, for people and programs that read them.
    public var members: [(key: String, value: JSONValue)] { ClientSetting.all.map { ($0.key, $0.read(self)) } }
}

extension Client {
    /// Changes the settings that `json` has, for ``AccountService/updateClient(_:droppingSecrets:by:_:)``.
    package mutating func applySettings(_ json: JSONValue) throws(AccountService.ClientRefusal) {
        do throws(ClientSettingsFailure) { try settings.apply(json) } catch { throw .unreadable(error) }
    }
}
