import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets

extension HTTPResponse {
    /// A JSON response. Caches must not store API responses.
    static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: jsonHeaders, body: .bytes(Array(value.encoded.utf8)))
    }

    /// A JSON object with secrets as additional members.
    static func json(
        _ value: JSONValue, adding secrets: [(name: String, value: SecretMember)], status: Int
    ) -> HTTPResponse {
        HTTPResponse(status: status, headers: jsonHeaders, body: .secret(value.encoded(adding: secrets)))
    }

    /// A successful response with these members.
    static func success(
        _ members: [(key: String, value: JSONValue)] = [], adding secrets: [(name: String, value: SecretMember)] = []
    ) -> HTTPResponse {
        let object = JSONValue.object(
            [("ok", .bool(true)), ("status", .integer(200)), ("code", .string("success"))] + members)
        return secrets.isEmpty ? .json(object) : .json(object, adding: secrets, status: 200)
    }

    private static let jsonHeaders = [
        ("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]

    /// A refusal (RFC 9457) with the same members as a failure in `--json`.
    ///
    /// - Parameters:
    ///   - members: additional members.
    ///   - secrets: additional secret members, such as the token of a session that is limited to the required step.
    static func problem(
        _ status: Int, code: String, _ message: String, _ members: [(key: String, value: JSONValue)] = [],
        adding secrets: [(name: String, value: SecretMember)] = []
    ) -> HTTPResponse {
        let object = JSONValue.object(
            [
                ("type", .string("about:blank")), ("title", .string(reason(of: status))), ("ok", .bool(false)),
                ("status", .integer(status)), ("code", .string(code)), ("message", .string(message)),
            ] + members)
        var response = secrets.isEmpty ? json(object, status: status) : json(object, adding: secrets, status: status)
        response.headers[0].value = "application/problem+json"
        return response
    }
}

extension NetworkResponse {
    /// The status that clients see. It shows that the service is unavailable, and the code gives operators the reason.
    var publicStatus: Int { status >= 500 ? 503 : status }
}

/// JSON responses of the API, and of the pages to their script.
extension WebRequest {
    /// The JSON response for a flow or for another call of the service.
    ///
    /// - Parameters:
    ///   - form: the form of the flow; nil for a call without a form.
    ///   - tokens: the tokens of the request after the flow has run; nil for a call that does not change them.
    func json(_ response: NetworkResponse, _ form: Form? = nil, _ tokens: RequestTokens? = nil) -> HTTPResponse {
        var secrets: [(name: String, value: SecretMember)] = []
        if let token = tokens?.new { secrets.append(("token", .text(token))) }
        if response.outcome == .success {
            if let device = tokens?.newDevice, !secrets.isEmpty { secrets.append(("device", .text(device))) }
            secrets += response.disclosure?.members ?? []
            guard !secrets.isEmpty else { return .json(response.json, status: response.publicStatus) }
            return .json(response.json, adding: secrets, status: response.publicStatus)
        }
        if let pending = tokens?.newPending { secrets.append(("pending", .text(pending))) }
        var members: [(key: String, value: JSONValue)] = []
        if let account = response.account { members.append(("account", account.json)) }
        if let failed = response.failedLogins { members.append(("failed_logins", failed.json)) }
        if let seconds = response.secondsToWait { members.append(("retry_after", .integer(seconds))) }
        if case .refused(let failures) = response.outcome, !failures.isEmpty {
            members.append(("errors", .array(failures.map { json($0, form) })))
        }
        let sentence = messages.sentence(
            response.sentenceCode, ["seconds": .integer(response.secondsToWait ?? 0)])
        var problem = HTTPResponse.problem(
            response.publicStatus, code: response.code.rawValue, sentence, members, adding: secrets)
        if let seconds = response.secondsToWait { problem.add("Retry-After", String(seconds)) }
        if problem.status == 401 { problem.add("WWW-Authenticate", "Bearer") }
        return problem
    }

    private func json(_ failure: RuleFailure, _ form: Form?) -> JSONValue {
        let sentence = form.map { messages.sentence(for: failure, in: $0) } ?? ""
        return .object([
            ("field", .string(failure.field?.rawValue ?? "")), ("code", .string(failure.code.rawValue)),
            ("values", JSONValue(failure.values)), ("message", .string(sentence)),
        ])
    }

    /// The refusal of a malformed API request.
    func problem(_ status: Int, _ code: String, _ values: [String: RuleFailure.Value] = [:]) -> HTTPResponse {
        .problem(status, code: code, messages.sentence("api." + code, values))
    }
}
