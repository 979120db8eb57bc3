package import LatchkeyAccounts
package import LatchkeyFlows
package import LatchkeyForms
package import LatchkeySecrets

extension HTTPNetworking {
    /// Why the service did not do what was asked.
    package enum CallError: Error {
        case fault(Fault)
        /// The service refused, and says why.
        case refused(NetworkResponse)
    }

    /// The session of a token, as the service knows it.
    package struct SessionState: Sendable {
        package let account: AccountSummary
        /// Whether it may do more than change the password.
        package let isFull: Bool
        /// Whether the password was given within the last minutes.
        package let hasRecentPassword: Bool
    }

    /// One active session of an account.
    package struct SessionEntry: Sendable {
        package let id: String
        package let createdAt: Timestamp
        package let lastUsedAt: Timestamp
        package let source: String
        package let isOwn: Bool
    }

    /// The forms of a service.
    package struct Forms: Sendable {
        /// The descriptions that replace the built-in ones.
        package let descriptions: [JSONValue]
        /// The fields that each form asks for, by the form's id. A service may leave out some that the description has.
        package let fields: [String: Set<String>]
    }

    /// The forms that the service uses.
    package func forms() async throws(CallError) -> Forms {
        let answer = try await ask(.get, "/api/v1/forms", token: nil)
        var fields: [String: Set<String>] = [:]
        for form in answer["forms"]?.elements ?? [] {
            guard let id = form["form"]?.string, let elements = form["fields"]?.elements else { continue }
            fields[id] = Set(elements.compactMap { $0["api_key"]?.string })
        }
        guard !fields.isEmpty, let descriptions = answer["descriptions"]?.elements else { throw unknown() }
        return Forms(descriptions: descriptions, fields: fields)
    }

    /// The session of `token`; nil if it is no longer valid.
    package func session(_ token: Secret) async throws(CallError) -> SessionState? {
        do throws(CallError) {
            let answer = try await ask(.get, "/api/v1/session", token: token)
            guard let account = answer["account"].flatMap(AccountSummary.init(json:)) else { throw unknown() }
            let isRecent = answer["session"]?["recent_password"] == .bool(true)
            return SessionState(account: account, isFull: true, hasRecentPassword: isRecent)
        } catch {
            guard case .refused(let response) = error else { throw error }
            switch response.code {
            case .noSession: return nil
            case .changeRequired:
                guard let account = response.account else { throw unknown() }
                return SessionState(account: account, isFull: false, hasRecentPassword: false)
            default: throw error
            }
        }
    }

    /// The active sessions of the account of `token`.
    package func sessions(_ token: Secret) async throws(CallError) -> [SessionEntry] {
        let answer = try await ask(.get, "/api/v1/sessions", token: token)
        guard let elements = answer["sessions"]?.elements else { throw unknown() }
        let entries = elements.compactMap(SessionEntry.init(json:))
        guard entries.count == elements.count else { throw unknown() }
        return entries
    }

    /// Ends the session of `token`. Returns false if it had ended before.
    package func endSession(_ token: Secret) async throws(CallError) -> Bool {
        do throws(CallError) {
            _ = try await ask(.delete, "/api/v1/session", token: token)
            return true
        } catch {
            guard case .refused(let response) = error, response.code == .noSession else { throw error }
            return false
        }
    }

    /// Ends sessions of the account of `token`. Returns their number.
    package func endSessions(_ choice: SessionChoice, _ token: Secret) async throws(CallError) -> Int {
        switch choice {
        case .one(let id):
            // No session has another id, and no other text may stand in a path.
            guard 1...64 ~= id.utf8.count, id.utf8.allSatisfy({ Self.isHexadecimal($0) }) else { return 0 }
            do throws(CallError) {
                return try await end("/api/v1/sessions/" + id, token)
            } catch {
                guard case .fault(.answer(status: 404)) = error else { throw error }
                return 0
            }
        case .others: return try await end("/api/v1/sessions", token)
        case .all:
            let others = try await end("/api/v1/sessions", token)
            return try await endSession(token) ? others + 1 : others
        }
    }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private func end(_ path: String, _ token: Secret) async throws(CallError) -> Int {
        guard let ended = try await ask(.delete, path, token: token)["ended"]?.integer, ended >= 0 else {
            throw unknown()
        }
        return ended
    }

    func unknown() -> CallError { .fault(.answer(status: 200)) }

    /// Sends a request without a body. Returns the object of a success.
    func ask(
        _ method: HTTPTransfer.Method, _ path: String, token: Secret?
    ) async throws(CallError) -> JSONValue {
        let response: HTTPTransfer.Response
        do throws(TransferFailure) {
            response = try await send(method, path, token: token, body: nil).get()
        } catch {
            throw .fault(.transfer(error))
        }
        guard Self.types.contains(response.type) else { throw .fault(.answer(status: response.status)) }
        if response.status == 200 {
            let value = response.body.withBytes { bytes in try? JSONReader.read(bytes).value }
            guard let value, case .object = value else { throw unknown() }
            return value
        }
        // The refusals of these calls are those of a flow with a session.
        let refusal = response.body.withBytes { FlowAnswer($0, status: response.status, to: .profile) }
        guard let refusal, refusal.response.outcome != .success else { throw .fault(.answer(status: response.status)) }
        throw .refused(refusal.response)
    }
}

extension HTTPNetworking.SessionEntry {
    /// Nil if a member is missing or not what it should be.
    fileprivate init?(json: JSONValue) {
        guard let id = json["id"]?.string, let source = json["source"]?.string,
            case .bool(let isOwn)? = json["current"],
            let created = json["created_at"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let used = json["last_used_at"]?.string.flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        self.init(id: id, createdAt: created, lastUsedAt: used, source: source, isOwn: isOwn)
    }
}
