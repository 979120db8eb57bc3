public import LatchkeyForms

/// The event stream of the flows.
public typealias AccountEvents = EventStream<AccountEvent>

extension EventStream where Event == AccountEvent {
    /// Calls and their responses, for one flow or for all flows.
    public func calls(of type: AccountType? = nil, limit: Int = 1024) -> EventFeed<CallEvent> {
        events(limit: limit) { event in
            guard case .call(let call) = event, type == nil || call.call == type else { return nil }
            return call
        }
    }

    /// The responses to calls, by ID.
    public func responses(to type: AccountType? = nil, limit: Int = 1024) -> EventFeed<CallAnswer> {
        events(limit: limit) { event in
            guard case .call(.ended(let id, let call, let code)) = event, type == nil || call == type else {
                return nil
            }
            return CallAnswer(id: id, call: call, code: code)
        }
    }

    /// Changes of the flow on screen.
    public func navigation(limit: Int = 1024) -> EventFeed<NavigationEvent> {
        events(limit: limit) { if case .navigation(let event) = $0 { event } else { nil } }
    }

    /// Changes of whether the user is waiting for a response.
    public func activity(limit: Int = 1024) -> EventFeed<ActivityEvent> {
        events(limit: limit) { if case .activity(let event) = $0 { event } else { nil } }
    }

    /// The start and end of sessions.
    public func sessions(limit: Int = 1024) -> EventFeed<SessionEvent> {
        events(limit: limit) { if case .session(let event) = $0 { event } else { nil } }
    }

    /// Commands of operators.
    public func administration(limit: Int = 1024) -> EventFeed<AdministrationEvent> {
        events(limit: limit) { if case .administration(let event) = $0 { event } else { nil } }
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
    /// Details in addition to the code; nil if there are none.
    var refusal: CallRefusal? {
        switch outcome {
        case .refused(let failures) where !failures.isEmpty: .answers(failures.map(FieldRefusal.init))
        case .throttled(let retryAfter): .throttled(retryAfter: retryAfter)
        case .success, .mustChangePassword, .refused, .unavailable: nil
        }
    }
}
