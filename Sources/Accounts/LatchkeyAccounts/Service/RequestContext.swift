public import LatchkeyForms

/// The properties of one request, in a process that serves many clients.
public struct RequestContext: Sendable {
    /// The address from which the request came; nil for a local request.
    public var source: RequestSource?
    /// The owner's program, such as `Firefox on Linux`, at most 120 bytes. It is only displayed in the list of
    /// sessions. Never use it to decide whether to trust a session.
    public var program: String
    /// The sentences of messages to the owner; nil to use those of the settings.
    public var messages: MessageTable?

    /// Creates a context.
    public init(source: RequestSource? = nil, program: String = "", messages: MessageTable? = nil) {
        self.source = source
        self.program = program
        self.messages = messages
    }
}

extension AccountService {
    /// A copy of the service for requests from strangers. Sign-ups must verify their address and do not reveal whether
    /// it already has an account.
    public var forStrangers: AccountService {
        var service = self
        service.settings.verifiesEmail = true
        service.settings.hidesTakenAddresses = true
        return service
    }

    /// A copy of the service whose messages link to the pages at `origin`.
    public func linking(to origin: WebOrigin) -> AccountService {
        var service = self
        service.settings.origin = origin
        return service
    }

    /// A copy of the service whose messages link to a page that leads on to `place`.
    ///
    /// - Parameter place: a path of the service or an allowed address, which the caller has checked; longer ones than
    ///   1,024 bytes are left out.
    package func returning(to place: String?) -> AccountService {
        var service = self
        service.settings.returnTo = place.flatMap { $0.utf8.count <= 1024 ? $0 : nil }
        return service
    }

    /// A copy of the service for one request.
    public func serving(_ request: RequestContext) -> AccountService {
        var service = self
        service.origin = origin.serving(request)
        if let messages = request.messages { service.settings.messages = messages }
        return service
    }

    /// A copy of the service that calls `body` before it delays a response. At that point, all hashes of the call are
    /// computed, and cancelling has no effect any more.
    package func leaving(_ body: @escaping @Sendable () -> Void) -> AccountService {
        var service = self
        service.responseDelay = responseDelay.preceded(by: body)
        return service
    }
}

extension AuditOrigin {
    fileprivate func serving(_ request: RequestContext) -> AuditOrigin {
        AuditOrigin(
            processUser: processUser, bootID: bootID, version: version, source: request.source?.text ?? "",
            device: request.program, sinceBoot: sinceBoot)
    }
}
