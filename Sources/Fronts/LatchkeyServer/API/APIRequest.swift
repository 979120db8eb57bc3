import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets

/// A request to the API, with its input.
struct APIRequest: Sendable {
    let request: WebRequest

    init(_ request: WebRequest) { self.request = request }

    /// The token in the header; nil if there is none.
    func token() throws(Refusal) -> Secret? {
        guard request.http.headers.hasAuthorization else { return nil }
        guard let token = request.http.headers.bearerToken else {
            throw Refusal(request.problem(401, "not_bearer").adding("WWW-Authenticate", "Bearer"))
        }
        return token
    }

    /// The values for `form` in the request body.
    func submission(for form: Form) throws(Refusal) -> Submission {
        guard request.http.mediaType == "application/json" else { throw Refusal(request.problem(415, "not_json")) }
        do throws(Submission.Failure) { return try Submission(json: request.http.body, for: form) } catch {
            switch error {
            case .malformed: throw Refusal(request.problem(400, "bad_request"))
            case .unknownMember(let name):
                throw Refusal(request.problem(400, "unknown_member", ["name": .text(name.shortened)]))
            case .unknownField(let name):
                throw Refusal(request.problem(400, "unknown_field", ["name": .text(name.shortened)]))
            case .wrongType(let name):
                throw Refusal(request.problem(400, "wrong_type", ["name": .text(name.shortened)]))
            case .duplicateField(let name):
                throw Refusal(request.problem(400, "duplicate_field", ["name": .text(name.shortened)]))
            }
        }
    }

    /// The credentials from a completed form.
    ///
    /// - Parameter present: the current values of the account that the form changes; empty for other forms.
    func credentials(
        of form: Form, filledWith submission: Submission, over present: [FieldKey: FieldValue] = [:]
    ) throws(Refusal) -> Credentials {
        var inputs = submission.values
        for field in form.fields where !field.isSecret && inputs[field.apiKey] == nil {
            inputs[field.apiKey] = present[field.apiKey].map { FieldInput($0) }
        }
        let model = FormViewModel(form: form, filling: inputs, messages: request.messages)
        let failures = request.validate(model)
        guard failures.isEmpty, let credentials = model.takeCredentials() else {
            throw Refusal(request.json(.refused(.validationFailed, failures), form))
        }
        return credentials
    }
}

extension String {
    /// The caller's string, shortened to 64 characters for a message.
    fileprivate var shortened: String { String(prefix(64)) }
}
