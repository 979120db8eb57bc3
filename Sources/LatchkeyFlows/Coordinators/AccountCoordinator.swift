public import LatchkeyForms

/// Owns the way between the flows, and the one request in flight.
///
/// Names no actor and starts no task: its front isolates it.
public final class AccountCoordinator: NeedsDependency {
    public let dependency: AppDependency
    /// What the run is for.
    public let goal: Goal

    /// The flows that one can go back through, the one shown last; empty after the person has left.
    public private(set) var path: [AccountType]

    /// Whether the goal has been reached.
    public private(set) var isFinished = false

    private var requestInFlight: Request?
    private var lastRequest: UInt64 = 0
    /// Whether a call runs, be it abandoned or not.
    private var isCalling = false
    private var waitingToCall: [CheckedContinuation<Void, Never>] = []

    /// What somebody waits for.
    private struct Request {
        let id: UInt64
        var hasBegun = false
    }

    public init(dependency: AppDependency, opening first: AccountType, until goal: Goal = .signedIn) {
        self.dependency = dependency
        self.goal = goal
        path = [first]
        dependency.events.emit(.navigation(.opened(first)))
    }

    /// The flow that is shown; nil after the person has left.
    public var responder: AccountType? { path.last }

    /// Whether a call runs.
    public var isBusy: Bool { requestInFlight != nil }

    /// Follows a link to another flow; to one that was come from, it goes back. A call that runs is abandoned.
    public func updateResponder(to type: AccountType) {
        guard let current = responder, current != type else { return }
        abandonRequest(of: current)
        show(type)
        dependency.events.emit(.navigation(.moved(from: current, to: type, .link)))
    }

    /// Goes back to the flow before, or out at the first. A call that runs is abandoned: its answer changes nothing.
    public func cancel() {
        guard let current = path.popLast() else { return }
        abandonRequest(of: current)
        if let previous = responder {
            dependency.events.emit(.navigation(.moved(from: current, to: previous, .back)))
        } else {
            dependency.events.emit(.navigation(.left(current)))
        }
    }

    /// Calls with validated credentials, and goes where the answer leads. While a call that was abandoned still runs, this
    /// one waits for its end: two at once could overtake each other.
    ///
    /// - Returns: where that is; ``Destination/ignored`` where a call runs already, where `type` is not what is shown, or
    ///   where the person has gone elsewhere meanwhile; and the answer, where there was a call.
    public func userProvidedValidated(
        credentials: Credentials, type: AccountType
    ) async -> (Destination, NetworkResponse?) {
        guard requestInFlight == nil, responder == type, !isFinished else { return (.ignored, nil) }
        lastRequest += 1
        let request = lastRequest
        requestInFlight = Request(id: request)
        dependency.events.emit(.activity(.busy))
        while isCalling, requestInFlight?.id == request {
            await withCheckedContinuation { waitingToCall.append($0) }
        }
        guard requestInFlight?.id == request else { return (.ignored, nil) }
        let response = await call(type, with: credentials, request)
        guard requestInFlight?.id == request else { return (.ignored, response) }
        requestInFlight = nil
        let destination = type.destination(after: response)
        go(to: destination, from: type, response)
        return (destination, response)
    }

    private func call(_ type: AccountType, with credentials: Credentials, _ id: UInt64) async -> NetworkResponse {
        requestInFlight?.hasBegun = true
        isCalling = true
        dependency.events.emit(.call(.began(id: id, call: type)))
        let response = await dependency.networking.perform(call: type, with: credentials)
        tell(of: response, to: type, id)
        isCalling = false
        let waiting = waitingToCall
        waitingToCall = []
        for continuation in waiting { continuation.resume() }
        return response
    }

    private func tell(of response: NetworkResponse, to type: AccountType, _ id: UInt64) {
        dependency.events.emit(.call(.ended(id: id, call: type, code: response.code)))
        if let refusal = response.refusal { dependency.events.emit(.call(.refused(id: id, call: type, refusal))) }
        // Of one that was abandoned, that has been told.
        if requestInFlight?.id == id { dependency.events.emit(.activity(.idle)) }
    }

    private func go(to destination: Destination, from type: AccountType, _ response: NetworkResponse) {
        isFinished = goal.isReached(by: type, leadingTo: destination)
        if type == .deleteAccount, response.outcome == .success {
            dependency.events.emit(.session(.ended(account: response.account?.id)))
        }
        switch destination {
        case .stay, .ignored: break
        case .push(let next):
            show(next)
            dependency.events.emit(.navigation(.moved(from: type, to: next, .answer)))
        case .replace(let next):
            path = [next]
            dependency.events.emit(.navigation(.moved(from: type, to: next, .answer)))
        case .signedIn:
            path = []
            dependency.events.emit(.session(.began(account: response.account?.id)))
        }
    }

    /// On top of what is shown, or back where one came from: no flow is in the path twice.
    private func show(_ type: AccountType) {
        if let index = path.firstIndex(of: type) {
            path.removeSubrange((index + 1)...)
        } else {
            path.append(type)
        }
    }

    private func abandonRequest(of type: AccountType) {
        guard let request = requestInFlight else { return }
        requestInFlight = nil
        if request.hasBegun { dependency.events.emit(.call(.abandoned(id: request.id, call: type))) }
        dependency.events.emit(.activity(.idle))
    }
}
