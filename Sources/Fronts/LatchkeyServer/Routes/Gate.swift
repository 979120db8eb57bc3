import LatchkeyHTTP

/// The requirements that a route declares, and the check of the credential.
///
/// `Credential` is the type of the verified value that the handler receives. The handler does not look it up again.
struct Gate<Credential: Sendable>: Sendable {
    /// Reads and verifies the credential of a request. The string is the template of the route.
    typealias Check = @Sendable (WebRequest, String) async throws(Refusal) -> Credential

    let host: Requirements.Host
    let origin: Requirements.Origin
    let proof: Requirements.Proof
    let verification: Requirements.Verification
    /// The budget of the route; nil for the default of its method.
    let budget: RequestBudgets.Kind?
    /// Whether the handler spends a budget instead, because only it knows whether the request counts.
    let spendsLater: Bool
    let check: Check

    init(
        host: Requirements.Host = .known, origin: Requirements.Origin, proof: Requirements.Proof,
        verification: Requirements.Verification, budget: RequestBudgets.Kind? = nil, spendsLater: Bool = false,
        check: @escaping Check
    ) {
        self.host = host
        self.origin = origin
        self.proof = proof
        self.verification = verification
        self.budget = budget
        self.spendsLater = spendsLater
        self.check = check
    }

    /// The requirements of a route with this method. Every method but `GET` spends a budget.
    func requirements(of method: String, _ carrier: Requirements.Carrier) -> Requirements {
        Requirements(
            host: host, origin: origin, carrier: carrier, proof: proof, verification: verification,
            budget: method == "GET" || spendsLater ? nil : budget ?? .change)
    }
}

extension Gate where Credential == Void {
    /// A route that verifies no credential before its handler runs.
    static func open(host: Requirements.Host = .known, _ proof: Requirements.Proof = .none) -> Gate {
        Gate(host: host, origin: .program, proof: proof, verification: .handler) { (_, _) async throws(Refusal) in }
    }

    /// An API route that only validates values.
    static var verdict: Gate {
        Gate(origin: .program, proof: .none, verification: .handler, budget: .check) { (_, _) async throws(Refusal) in }
    }
}

/// A response that ends the processing of a request.
struct Refusal: Error {
    let response: HTTPResponse

    init(_ response: HTTPResponse) { self.response = response }
}

extension WebRequest {
    /// Refuses a request for another host, or of another site's page.
    func meet(_ requirements: Requirements) throws(Refusal) {
        let host = http.host
        // Requests over a Unix socket do not contain a public host.
        let isKnown = site.configuration.hosts.contains(host) || http.peer == nil && host == "localhost"
        guard isKnown || requirements.host == .any else { throw Refusal(refuse(421, "wrong_host")) }
        switch requirements.origin {
        case .any: break
        case .program, .sameAfterProof:
            guard http.isSafe || isSameOrigin ?? true else { throw Refusal(refuse(403, "cross_origin")) }
        case .same: guard isSameOrigin == true else { throw Refusal(refuse(403, "cross_origin")) }
        case .sameForScript: guard isSameOrigin == true else { throw Refusal(problem(403, "cross_origin")) }
        }
    }

    /// Refuses a change of another site's page, after the proof.
    func meetAfterProof(_ requirements: Requirements) throws(Refusal) {
        guard requirements.origin != .sameAfterProof || http.isSafe || isSameOrigin == true else {
            throw Refusal(refuse(403, "cross_origin"))
        }
    }

    /// Refuses a request whose client has spent its budget. The last step of a gate, so that a request that it refuses
    /// costs nothing.
    func spendBudget(of requirements: Requirements) async throws(Refusal) {
        guard let budget = requirements.budget, let wait = await wait(spending: budget, with: requirements.proof)
        else { return }
        throw Refusal(refuse(429, "busy", after: wait))
    }

    /// Whether a browser's request comes from one of our pages; nil for a request of a program.
    ///
    /// Browsers report the origin of a request, and no page can forge it. Older browsers send only `Origin`. None sends
    /// one of these headers twice.
    private var isSameOrigin: Bool? {
        let sites = http.headers.all("sec-fetch-site")
        if !sites.isEmpty { return sites == ["same-origin"] }
        let origins = http.headers.all("origin")
        return origins.isEmpty ? nil : origins.count == 1 && site.origins.contains(origins[0])
    }
}
