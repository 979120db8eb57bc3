import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP

/// A route of the API. It has a description, so that programs learn of it from `/api/v1/openapi.json`.
struct APIRoute: Sendable {
    let route: Router.Route
    /// The route in the description of the API: one path, or one for each flow.
    let operations: [APIOperation]

    /// The path under which the API is served.
    static let root = "/api/v1"
}

extension ServiceSite {
    /// A route of the API.
    ///
    /// - Parameters:
    ///   - template: the path after `/api/v1`.
    ///   - description: what the description of the API says about the route.
    func api(
        _ method: String, _ template: String, _ description: APIDescription,
        _ handler: @escaping @Sendable (Call, Router.Parameters) async -> HTTPResponse
    ) -> APIRoute {
        api(method, template, describing: [(template, description)], handler)
    }

    /// A route of the API that its description splits into several paths.
    func api(
        _ method: String, _ template: String, describing paths: [(template: String, description: APIDescription)],
        _ handler: @escaping @Sendable (Call, Router.Parameters) async -> HTTPResponse
    ) -> APIRoute {
        APIRoute(
            route: route(method, APIRoute.root + template, handler),
            operations: paths.map { APIOperation(method: method, path: APIRoute.root + $0.template, $0.description) })
    }
}

/// A method and a path in the description of the API.
struct APIOperation: Sendable {
    let method: String
    let path: String
    let description: APIDescription

    init(method: String, path: String, _ description: APIDescription) {
        self.method = method
        self.path = path
        self.description = description
    }

    /// The statuses of refusals: those of the operation, and those that follow from what it asks for.
    var refusals: Set<Int> {
        var refusals = description.refusals.union([400, 421, 503])
        if method != "GET" { refusals.formUnion([413, 429]) }
        if description.content != nil { refusals.insert(415) }
        switch description.security {
        case .none: break
        case .invitation, .session, .pendingLogin, .sessionOrPendingLogin, .operatorToken:
            refusals.formUnion([401, 403])
        }
        return refusals
    }
}

/// What the description of the API says about a route.
struct APIDescription: Sendable {
    /// What a request must prove.
    enum Security: Sendable {
        case none
        /// An invitation, if sign-up needs one.
        case invitation
        case session
        /// A login that waits for its second factor.
        case pendingLogin
        case sessionOrPendingLogin
        case operatorToken(OperatorToken.Scope)
    }

    /// The values in the body of a request.
    enum Content: Sendable {
        /// Of the form in the path.
        case namedForm
        case flow(AccountType)
        /// Of the sign-up form, with or without a password.
        case newAccount
        /// Some of the sign-up form, without secrets.
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
    var security = Security.none
    var parameters: [Parameter] = []
    /// Nil for a request without a body.
    var content: Content?
    var answer: Answer
    /// The statuses of successful responses.
    var successes: Set<Int> = [200]
    /// The statuses of refusals, except those in ``APIOperation/refusals`` that follow from the rest.
    var refusals: Set<Int> = []
}
