public import LatchkeyForms

/// The stream of what happens in the flows.
public typealias AccountEvents = EventStream<AccountEvent>

extension EventStream where Event == AccountEvent {
    /// Requests and their answers, of one flow or of all.
    public func calls(
        of type: AccountType? = nil, _ policy: ListeningPolicy<CallEvent> = .bounded()
    ) -> EventFeed<CallEvent> {
        events(policy) { event in
            guard case .call(let call) = event, type == nil || call.call == type else { return nil }
            return call
        }
    }

    /// What calls are answered with, by their ids.
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

    public func navigation(
        _ policy: ListeningPolicy<NavigationEvent> = .bounded()
    ) -> EventFeed<NavigationEvent> {
        events(policy) { if case .navigation(let event) = $0 { event } else { nil } }
    }

    /// Whether somebody waits for an answer, from now on.
    public func activity(_ policy: ListeningPolicy<ActivityEvent> = .bounded()) -> EventFeed<ActivityEvent> {
        events(policy) { if case .activity(let event) = $0 { event } else { nil } }
    }

    public func sessions(_ policy: ListeningPolicy<SessionEvent> = .bounded()) -> EventFeed<SessionEvent> {
        events(policy) { if case .session(let event) = $0 { event } else { nil } }
    }

    public func administration(
        _ policy: ListeningPolicy<AdministrationEvent> = .bounded()
    ) -> EventFeed<AdministrationEvent> {
        events(policy) { if case .administration(let event) = $0 { event } else { nil } }
    }
}

/// What a call was answered with.
public struct CallAnswer: Equatable, Sendable {
    public let id: UInt64
    public let call: AccountType
    public let code: NetworkResponse.Code
}

extension NetworkResponse {
    /// What there is to tell beside its code.
    var refusal: CallRefusal? {
        switch outcome {
        case .refused(let failures) where !failures.isEmpty: .answers(failures.map(FieldRefusal.init))
        case .throttled(let retryAfter): .throttled(retryAfter: retryAfter)
        case .success, .mustChangePassword, .refused, .unavailable: nil
        }
    }
}
