public import LatchkeyForms

/// The event stream of the flows.
public typealias AccountEvents = EventStream<AccountEvent>

extension EventStream where Event == AccountEvent {
    /// Calls and their responses, of one flow or of all.
    public func calls(
        of type: AccountType? = nil, _ policy: ListeningPolicy<CallEvent> = .bounded()
    ) -> EventFeed<CallEvent> {
        events(policy) { event in
            guard case .call(let call) = event, type == nil || call.call == type else { return nil }
            return call
        }
    }

    /// The responses to calls, by id.
    public func responses(
        to type: AccountType? = nil, _ policy: ListeningPolicy<CallAnswer> = .bounded()
    ) -> EventFeed<CallAnswer> {
        events(policy) { event in
            guard case .call(.ended(let id, let call, let code)) = event, type == nil || call == type else {
                return nil
            }
            return CallAnswer(id: id, call: call, code: code)
        }
    }

    /// Which flow is on screen.
    public func navigation(
        _ policy: ListeningPolicy<NavigationEvent> = .bounded()
    ) -> EventFeed<NavigationEvent> {
        events(policy) { if case .navigation(let event) = $0 { event } else { nil } }
    }

    /// Whether a person waits for a response.
    public func activity(_ policy: ListeningPolicy<ActivityEvent> = .bounded()) -> EventFeed<ActivityEvent> {
        events(policy) { if case .activity(let event) = $0 { event } else { nil } }
    }

    /// Sessions that begin and end.
    public func sessions(_ policy: ListeningPolicy<SessionEvent> = .bounded()) -> EventFeed<SessionEvent> {
        events(policy) { if case .session(let event) = $0 { event } else { nil } }
    }

    /// Commands of operators.
    public func administration(
        _ policy: ListeningPolicy<AdministrationEvent> = .bounded()
    ) -> EventFeed<AdministrationEvent> {
        events(policy) { if case .administration(let event) = $0 { event } else { nil } }
    }
}

/// The response to a call, without its values.
public struct CallAnswer: Equatable, Sendable {
    /// The id of the call.
    public let id: UInt64
    /// The flow that made the call.
    public let call: AccountType
    /// The code of the response.
    public let code: NetworkResponse.Code
}

extension NetworkResponse {
    /// Details beyond the code; nil when there are none.
    var refusal: CallRefusal? {
        switch outcome {
        case .refused(let failures) where !failures.isEmpty: .answers(failures.map(FieldRefusal.init))
        case .throttled(let retryAfter): .throttled(retryAfter: retryAfter)
        case .success, .mustChangePassword, .refused, .unavailable: nil
        }
    }
}
