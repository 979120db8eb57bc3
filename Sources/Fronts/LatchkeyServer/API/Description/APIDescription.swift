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

    /// A name of the operation, unique in the API.
    let id: String
    let summary: String
    /// Parameters of the path, the query or the headers, by their names in the components of the document.
    var parameters: [String] = []
    /// The content of the body; nil for a request without one.
    var content: Content?
    /// The schema of a successful response, by its name in the components.
    var answer: String
    /// The statuses of successful responses.
    var successes: Set<Int> = [200]
    /// The statuses of refusals, except those of ``Route/refusals`` that follow from the rest.
    var refusals: Set<Int> = []
}
