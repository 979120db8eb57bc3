import LatchkeyForms

/// The entry of a route in the OpenAPI document. The credential in the document comes from ``Requirements``.
struct APIDescription: Sendable {
    /// The values in a request body.
    enum Content: Sendable {
        /// The values of the form that the path names.
        case namedForm
        case flow(AccountType)
        /// The values of the sign-up form, with or without a password.
        case newAccount
        /// Some of the sign-up form's values, without secrets.
        case accountChange
        /// An object. The value is the name of its schema in the document's components.
        case schema(String)
        /// The values of a group.
        case newGroup, groupChange
    }

    /// The ID of the operation, unique in the API.
    let id: String
    let summary: String
    /// The parameters of the path, the query or the headers, by their names in the document's components.
    var parameters: [String] = []
    /// The content of the request body; nil if there is none.
    var content: Content?
    /// The schema of a successful response, by its name in the document's components.
    var answer: String
    /// The statuses of successful responses.
    var successes: Set<Int> = [200]
    /// The statuses of refusals, in addition to those that ``Route/refusals`` derives.
    var refusals: Set<Int> = []
}
