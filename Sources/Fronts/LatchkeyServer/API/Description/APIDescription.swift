import LatchkeyForms

/// The entry of a route in the OpenAPI document. The document takes the credential from ``Requirements``.
struct APIDescription: Sendable {
    /// The values in the body of a request.
    enum Content: Sendable {
        /// The values of the form in the path.
        case namedForm
        case flow(AccountType)
        /// The values of the sign-up form, with or without a password.
        case newAccount
        /// Some values of the sign-up form, without secrets.
        case accountChange
    }

    /// A parameter of the path, the query or the headers.
    enum Parameter: String, Sendable, CaseIterable {
        case form = "Form"
        case session = "Session"
        case account = "Account"
        case limit = "Limit"
        case after = "After"
        case state = "State"
        case match = "Match"
        case device = "Device"
        case passkey = "Passkey"
    }

    /// The shape of a successful response: the name of a schema.
    enum Answer: String, Sendable, CaseIterable {
        case document = "Document"
        case form = "Form"
        case forms = "Forms"
        case verdict = "Verdict"
        case flow = "FlowAnswer"
        case success = "Success"
        case session = "SessionAnswer"
        case sessions = "Sessions"
        case ended = "Ended"
        case factors = "Factors"
        case account = "AccountAnswer"
        case accounts = "Accounts"
    }

    /// A name of the operation, unique in the API.
    let id: String
    let summary: String
    var parameters: [Parameter] = []
    /// The content of the body; nil for a request without one.
    var content: Content?
    var answer: Answer
    /// The statuses of successful responses.
    var successes: Set<Int> = [200]
    /// The statuses of refusals, except those of ``Route/refusals`` that follow from the rest.
    var refusals: Set<Int> = []
}
