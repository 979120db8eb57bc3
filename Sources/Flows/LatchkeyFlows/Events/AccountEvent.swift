public import LatchkeyForms

/// One event of the flows. It never contains secrets or user input.
public enum AccountEvent: Equatable, Sendable {
    /// A call and its response.
    case call(CallEvent)
    /// A form that its own rules refused.
    case form(FormEvent)
    /// The flow on screen.
    case navigation(NavigationEvent)
    /// Whether the user is waiting for a response.
    case activity(ActivityEvent)
    /// The start or end of a session.
    case session(SessionEvent)
    /// An operator's command.
    case administration(AdministrationEvent)
}

/// Calls and their responses, connected by an ID.
public enum CallEvent: Equatable, Sendable {
    /// The call was made.
    case began(id: UInt64, call: AccountType)
    /// The response arrived.
    case ended(id: UInt64, call: AccountType, code: NetworkResponse.Code)
    /// Details of an unsuccessful response, if it has any besides its code. Follows `ended`.
    case refused(id: UInt64, call: AccountType, CallRefusal)
    /// The user did not wait for the response. The call continues, but its response no longer changes the screen.
    case abandoned(id: UInt64, call: AccountType)

    /// The ID that connects the events of one call.
    public var id: UInt64 {
        switch self {
        case .began(let id, _), .ended(let id, _, _), .refused(let id, _, _), .abandoned(let id, _): id
        }
    }

    /// The flow that made the call.
    public var call: AccountType {
        switch self {
        case .began(_, let call), .ended(_, let call, _), .refused(_, let call, _), .abandoned(_, let call): call
        }
    }
}

/// The reason for a refused call, in addition to its code.
public enum CallRefusal: Equatable, Sendable {
    /// The service refused these values.
    case answers([FieldRefusal])
    /// Too many attempts.
    case throttled(retryAfter: Duration)
}

/// A field and the rule that its value failed, without the value.
public struct FieldRefusal: Equatable, Sendable {
    /// The field; nil if the failure does not concern a single field.
    public let field: FieldKey?
    /// The code of the failed rule.
    public let code: RuleFailure.Code

    /// Creates a refusal from its values.
    public init(field: FieldKey?, code: RuleFailure.Code) {
        self.field = field
        self.code = code
    }

    /// The field and code of `failure`, without its values.
    public init(_ failure: RuleFailure) { self.init(field: failure.field, code: failure.code) }
}

/// An event of a form, before any call.
public enum FormEvent: Equatable, Sendable {
    /// The user submitted the form, but its own rules refused it.
    case invalid(form: String, [FieldRefusal])
}

/// The flow on screen.
public enum NavigationEvent: Equatable, Sendable {
    /// The first flow opened.
    case opened(AccountType)
    /// Another flow replaced it.
    case moved(from: AccountType, to: AccountType, Reason)
    /// The user quit.
    case left(AccountType)

    /// The reason for moving to another flow.
    public enum Reason: String, Sendable, CaseIterable {
        /// The person followed a link.
        case link
        /// The person went back.
        case back
        /// A response decided it.
        case answer
    }
}

/// Whether the user is waiting for a response.
public enum ActivityEvent: String, Sendable, CaseIterable {
    /// A call has begun.
    case busy
    /// The call has ended.
    case idle
}

/// The start and end of sessions. The account is identified by its ID, if the response contained it.
public enum SessionEvent: Equatable, Sendable {
    /// A user logged in.
    case began(account: String?)
    /// The session ended.
    case ended(account: String?)
    /// The owner ended `count` of their other sessions.
    case othersEnded(account: String?, count: Int)
}

/// A completed operator command.
public struct AdministrationEvent: Equatable, Sendable {
    /// The command, for example `accounts disable`.
    public let action: String
    /// The account's ID; nil unless the command concerned exactly one account.
    public let account: String?

    /// Creates an event.
    public init(_ action: String, account: String? = nil) {
        self.action = action
        self.account = account
    }
}

extension AccountEvent: StreamedEvent {
    /// Whether the event describes the current state: the flow on screen, the session or a running call.
    public var isPresent: Bool {
        switch self {
        case .call(.began), .navigation(.opened), .navigation(.moved), .activity(.busy), .session(.began): true
        case .call, .form, .navigation(.left), .activity(.idle), .session(.ended), .session(.othersEnded),
            .administration:
            false
        }
    }

    /// Whether `earlier` no longer describes the current state after this event.
    public func outdates(_ earlier: AccountEvent) -> Bool {
        switch (self, earlier) {
        case (.session(.othersEnded), _): false
        case (.navigation, .navigation), (.session, .session), (.activity, .activity): true
        case (.session(.began), .navigation): true  // no flow is shown any more
        case (.call(.ended(let id, _, _)), .call(.began(let begun, _))),
            (.call(.abandoned(let id, _)), .call(.began(let begun, _))):
            id == begun
        default: false
        }
    }
}
