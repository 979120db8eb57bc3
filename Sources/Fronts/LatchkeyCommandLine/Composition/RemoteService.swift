package import LatchkeyAccounts
package import LatchkeyFlows
package import LatchkeyForms
package import LatchkeyNetworking
package import LatchkeySecrets

/// A service on this or another machine, as `latchkey-service` reaches it. Every call is one request, or a few.
package protocol RemoteService: Sendable {
    /// Belongs to the address of the service, and binds stored tokens to it: 32 bytes.
    var digest: [UInt8] { get }
    /// Why the last call of a flow had no answer; nil if it had one.
    var failure: ToolFailure? { get }
    /// The descriptions that replace the built-in forms, and the fields that each form asks for, by its id.
    func forms() async throws(ToolFailure) -> (descriptions: [FormCatalogue.Source], fields: [String: Set<String>])
    /// The networking of the flows, which stores the token of a session in `tokens`.
    func networking(storingIn tokens: any SessionStore) -> any Networking
    /// The session of a token; nil if it is no longer valid.
    func session(of token: Secret) async throws(ToolFailure) -> OwnSession?
    /// The active sessions of the account of a token.
    func sessions(of token: Secret) async throws(ToolFailure) -> [SessionEntry]
    /// Ends sessions of the account of a token. Returns their number.
    func endSessions(_ choice: SessionChoice, of token: Secret) async throws(ToolFailure) -> Int
    /// Ends the session of a token. Returns false if it had ended before.
    func endSession(of token: Secret) async throws(ToolFailure) -> Bool
    /// The second factors of the account of a token.
    func factors(of token: Secret) async throws(ToolFailure) -> FactorSummary
    /// Replaces the saved codes of the account of a token; nil if it has no second factor.
    func replaceSavedCodes(of token: Secret) async throws(ToolFailure) -> [Secret]?
    /// Removes the second factors of the account of a token. Returns false if it has none.
    func removeFactors(of token: Secret) async throws(ToolFailure) -> Bool
    /// Removes a passkey of the account of a token. Returns false if it has none with this id.
    func removePasskey(_ id: String, of token: Secret) async throws(ToolFailure) -> Bool
}

extension RemoteService {
    /// The forms of the service, with the sentences of this program.
    func catalogue(_ rules: RuleRegistry, _ messages: MessageTable) async throws(ToolFailure) -> FormCatalogue {
        let (descriptions, fields) = try await forms()
        var catalogue: FormCatalogue
        do throws(FormDescriptionError) {
            catalogue = try FormCatalogue(replacedBy: descriptions, rules: rules, messages: messages)
        } catch {
            throw .formRefused(error)
        }
        for form in catalogue.all {
            guard let asked = fields[form.id] else { continue }
            catalogue = catalogue.replacing(
                form.fields.filter { !asked.contains($0.apiKey.rawValue) }.reduce(form) { $0.without($1.apiKey) })
        }
        return catalogue
    }
}

/// The commands of an account's owner over a service.
struct RemoteAccess: OwnerAccess {
    let service: any RemoteService
    let sessionStore: FileSessionStore
    let context: CommandContext

    func dependency(storingIn tokens: (any SessionStore)?) -> AppDependency {
        // Whether the service has an account is nobody's business.
        AppDependency(
            networking: service.networking(storingIn: tokens ?? sessionStore), events: context.events,
            forms: context.formsOfPeople, messages: context.messages, opensWith: { .login })
    }

    func session(of token: Secret) async throws(ToolFailure) -> OwnSession? { try await service.session(of: token) }

    func sessions(of token: Secret) async throws(ToolFailure) -> [SessionEntry] {
        try await service.sessions(of: token)
    }

    func endSessions(_ choice: SessionChoice, of token: Secret) async throws(ToolFailure) -> Int {
        try await service.endSessions(choice, of: token)
    }

    func endSession(of token: Secret) async throws(ToolFailure) -> Bool { try await service.endSession(of: token) }

    func factors(of token: Secret) async throws(ToolFailure) -> FactorSummary { try await service.factors(of: token) }

    func replaceSavedCodes(of token: Secret) async throws(ToolFailure) -> [Secret]? {
        try await service.replaceSavedCodes(of: token)
    }

    func removeFactors(of token: Secret) async throws(ToolFailure) -> Bool {
        try await service.removeFactors(of: token)
    }

    func removePasskey(_ id: String, of token: Secret) async throws(ToolFailure) -> Bool {
        try await service.removePasskey(id, of: token)
    }

    /// The service delivers them.
    func deliverMessages() async {}

    func failure(behind response: NetworkResponse) -> ToolFailure? {
        if response.code == .storageFailed, let failure = sessionStoreFailure { return failure }
        return response.outcome == .unavailable ? service.failure : nil
    }
}
