public import LatchkeyForms

/// Navigates between the flows and runs at most one request at a time.
///
/// Not `Sendable`: the actor that owns it isolates it.
public final class AccountCoordinator {
    /// The services that the flows use.
    public let dependency: AppDependency
    /// The condition that finishes the run, for example a login.
    public let goal: Goal

    /// The navigation stack, whose last element is on screen. Empty after the user has quit.
    public private(set) var path: [AccountType]

    /// Whether the run has reached its ``goal``.
    public private(set) var isFinished = false

    private var requestInFlight: Request?
    private var lastRequest: UInt64 = 0
    /// Whether a call runs, including one whose result will be ignored.
    private var isCalling = false
    private var waitingToCall: [CheckedContinuation<Void, Never>] = []

    /// The request whose result the screen is waiting for.
    private struct Request {
        let id: UInt64
        var hasBegun = false
    }

    /// Opens the flow `first` and reports it on the event stream.
    public init(dependency: AppDependency, opening first: AccountType, until goal: Goal = .signedIn) {
        self.dependency = dependency
        self.goal = goal
        path = [first]
        dependency.events.emit(.navigation(.opened(first)))
    }

    /// The flow on screen; nil after the user has quit.
    public var responder: AccountType? { path.last }

    /// Whether the screen is waiting for a result.
    public var isBusy: Bool { requestInFlight != nil }

    /// Opens a linked flow, or returns to it if it is already on the stack. Abandons a running call, whose result is
    /// then ignored.
    public func updateResponder(to type: AccountType) {
        guard let current = responder, current != type else { return }
        abandonRequest(of: current)
        show(type)
        dependency.events.emit(.navigation(.moved(from: current, to: type, .link)))
    }

    /// Returns to the previous flow, or quits if this is the first one. Abandons a running call.
    public func cancel() {
        guard let current = path.popLast() else { return }
        abandonRequest(of: current)
        if let previous = responder {
            dependency.events.emit(.navigation(.moved(from: current, to: previous, .back)))
        } else {
            dependency.events.emit(.navigation(.left(current)))
        }
    }

    /// Submits validated credentials and navigates according to the response. If an abandoned call is still running, it
    /// waits for that first, because two calls could finish out of order.
    ///
    /// - Returns: the destination and the response. The destination is ``Destination/ignored`` if a call is already
    ///   running, if `type` is not on screen, or if the user has navigated away in the meantime. The response is nil if
    ///   no call was made.
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
        let destination = resuming(type.destination(after: response))
        go(to: destination, from: type, response)
        return (destination, response)
    }

    private func call(_ type: AccountType, with credentials: Credentials, _ id: UInt64) async -> NetworkResponse {
        requestInFlight?.hasBegun = true
        isCalling = true
        let response = await dependency.perform(type, with: credentials, id: id)
        // An abandoned call has already reported `idle`.
        if requestInFlight?.id == id { dependency.events.emit(.activity(.idle)) }
        isCalling = false
        let waiting = waitingToCall
        waitingToCall = []
        for continuation in waiting { continuation.resume() }
        return response
    }

    /// Returns to the flow that required a recent password, after the owner has logged in again.
    private func resuming(_ destination: Destination) -> Destination {
        guard destination == .signedIn, let place = path.firstIndex(of: .reauthenticate), place > 0 else {
            return destination
        }
        // The correct password may have led to a second factor.
        path.removeSubrange((place + 1)...)
        return .back
    }

    private func go(to destination: Destination, from type: AccountType, _ response: NetworkResponse) {
        isFinished = goal.isReached(by: type, leadingTo: destination)
        if type.traits.session == .ends, response.outcome == .success {
            dependency.events.emit(.session(.ended(account: response.account?.id)))
        }
        switch destination {
        case .stay, .ignored: break
        case .back:
            guard path.count > 1 else { break }
            path.removeLast()
            dependency.events.emit(.navigation(.moved(from: type, to: path[path.count - 1], .answer)))
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

    /// Pushes a flow, or pops back to it if it is on the stack already.
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
