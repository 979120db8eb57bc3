package import LatchkeyAccounts
import LatchkeyFlows
package import LatchkeyForms
package import LatchkeyNetworking
package import LatchkeySecrets

/// Each call sends one request, except for ending all sessions, which sends two.
extension HTTPNetworking: AccountClient {
    package func session(of token: Secret) async throws(ClientError) -> OwnSession? {
        do throws(ClientError) {
            let answer = try await object(.get, "/api/v1/session", token)
            guard let account = answer["account"].flatMap(AccountSummary.init(json:)) else { throw Self.unknown() }
            let isRecent = answer["session"]?["recent_password"] == .bool(true)
            return OwnSession(account: account, isFull: true, hasRecentPassword: isRecent)
        } catch {
            guard case .refused(let response) = error else { throw error }
            switch response.code {
            case .noSession: return nil
            case .changeRequired:
                guard let account = response.account else { throw Self.unknown() }
                return OwnSession(account: account, isFull: false, hasRecentPassword: false)
            default: throw error
            }
        }
    }

    package func sessions(of token: Secret) async throws(ClientError) -> [SessionSummary] {
        let answer = try await object(.get, "/api/v1/sessions", token)
        guard let elements = answer["sessions"]?.elements else { throw Self.unknown() }
        let sessions = elements.compactMap(SessionSummary.init(json:))
        guard sessions.count == elements.count else { throw Self.unknown() }
        return sessions
    }

    package func endSessions(_ choice: SessionChoice, of token: Secret) async throws(ClientError) -> EndedSessions {
        let count: Int
        switch choice {
        case .one(let id):
            guard Self.isID(id), let answer = try await objectIfThere(.delete, "/api/v1/sessions/" + id, token) else {
                return EndedSessions(count: 0)
            }
            count = try Self.ended(answer)
        case .others: count = try Self.ended(try await object(.delete, "/api/v1/sessions", token))
        case .all:
            let others = try Self.ended(try await object(.delete, "/api/v1/sessions", token))
            count = try await endSession(of: token) ? others + 1 : others
        }
        return EndedSessions(count: count)
    }

    private static func ended(_ answer: JSONValue) throws(ClientError) -> Int {
        guard let ended = answer["ended"]?.integer, ended >= 0 else { throw unknown() }
        return ended
    }

    package func endSession(of token: Secret) async throws(ClientError) -> Bool {
        do throws(ClientError) {
            _ = try await object(.delete, "/api/v1/session", token)
            return true
        } catch {
            guard case .refused(let response) = error, response.code == .noSession else { throw error }
            return false
        }
    }

    package func factors(of token: Secret) async throws(ClientError) -> FactorSummary {
        guard let factors = FactorSummary(json: try await object(.get, "/api/v1/factors", token)) else {
            throw Self.unknown()
        }
        return factors
    }

    package func replaceSavedCodes(of token: Secret) async throws(ClientError) -> [Secret]? {
        guard let body = try await answer(.post, "/api/v1/factors/saved-codes", token) else { return nil }
        let answer = body.withBytes { FlowAnswer($0, status: 200, to: .profile) }
        guard case .savedCodes(let codes)? = answer?.response.disclosure else { throw Self.unknown() }
        return codes
    }

    package func removeAuthenticator(of token: Secret) async throws(ClientError) -> Bool {
        try await objectIfThere(.delete, "/api/v1/factors", token) != nil
    }

    package func removePasskey(_ id: String, of token: Secret) async throws(ClientError) -> Bool {
        guard Self.isID(id) else { return false }
        return try await objectIfThere(.delete, "/api/v1/factors/passkeys/" + id, token) != nil
    }

    /// Whether this can be the ID of a session or a passkey. Other strings must not become part of a path.
    private static func isID(_ id: String) -> Bool {
        1...64 ~= id.utf8.count && id.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

extension HTTPNetworking {
    /// The forms of the service, with sentences from `messages`.
    package func forms(_ rules: RuleRegistry, _ messages: MessageTable) async throws(ClientError) -> FormCatalogue {
        let answer = try await object(.get, "/api/v1/forms", nil)
        // A service may leave out fields of the form.
        var fields: [String: Set<String>] = [:]
        for form in answer["forms"]?.elements ?? [] {
            guard let id = form["form"]?.string, let elements = form["fields"]?.elements else { continue }
            fields[id] = Set(elements.compactMap { $0["api_key"]?.string })
        }
        guard !fields.isEmpty, let descriptions = answer["descriptions"]?.elements else { throw Self.unknown() }
        let sources = descriptions.map { FormCatalogue.Source(file: origin.text, bytes: Array($0.encoded.utf8)) }
        var catalogue: FormCatalogue
        do throws(FormDescriptionError) {
            catalogue = try FormCatalogue(replacedBy: sources, rules: rules, messages: messages)
        } catch {
            throw .form(error)
        }
        for form in catalogue.all {
            guard let asked = fields[form.id] else { continue }
            catalogue = catalogue.replacing(
                form.fields.filter { !asked.contains($0.apiKey.rawValue) }.reduce(form) { $0.without($1.apiKey) })
        }
        return catalogue
    }

    private static func unknown(status: Int = 200) -> ClientError { .fault(Fault.answer(status: status)) }

    /// Sends a request without a body. Returns the object of a successful response.
    private func object(
        _ method: HTTPTransfer.Method, _ path: String, _ token: Secret?
    ) async throws(ClientError) -> JSONValue {
        guard let object = try await objectIfThere(method, path, token) else { throw Self.unknown(status: 404) }
        return object
    }

    /// Like ``object(_:_:_:)``, but returns nil if the path does not exist at the service.
    private func objectIfThere(
        _ method: HTTPTransfer.Method, _ path: String, _ token: Secret?
    ) async throws(ClientError) -> JSONValue? {
        guard let body = try await answer(method, path, token) else { return nil }
        let value = body.withBytes { bytes in try? JSONReader.read(bytes).value }
        guard let value, case .object = value else { throw Self.unknown() }
        return value
    }

    /// Sends a request without a body. Returns the body of a successful response; nil if the path does not exist at the
    /// service.
    private func answer(
        _ method: HTTPTransfer.Method, _ path: String, _ token: Secret?
    ) async throws(ClientError) -> Secret? {
        let response: HTTPTransfer.Response
        do throws(TransferFailure) { response = try await send(method, path, token: token, body: nil).get() } catch {
            throw .fault(Fault.transfer(error))
        }
        if response.status == 404 { return nil }
        guard Self.types.contains(response.type) else { throw Self.unknown(status: response.status) }
        if response.status == 200 { return response.body }
        // These calls are refused in the same way as a flow with a session.
        let refusal = response.body.withBytes { FlowAnswer($0, status: response.status, to: .profile) }
        guard let refusal, refusal.response.outcome != .success else { throw Self.unknown(status: response.status) }
        throw .refused(refusal.response)
    }
}
