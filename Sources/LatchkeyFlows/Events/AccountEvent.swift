public import LatchkeyForms

/// One thing that happened, as a value. Never holds a secret, nor what anybody typed.
public enum AccountEvent: Equatable, Sendable {
    case call(CallEvent)
    case form(FormEvent)
    case navigation(NavigationEvent)
    case activity(ActivityEvent)
    case session(SessionEvent)
    case administration(AdministrationEvent)
}

/// Requests and their answers, tied by an id.
public enum CallEvent: Equatable, Sendable {
    case began(id: UInt64, call: AccountType)
    case ended(id: UInt64, call: AccountType, code: NetworkResponse.Code)
    /// Why the answer before it was not a success, as far as there is more to say than its code.
    case refused(id: UInt64, call: AccountType, CallRefusal)
    /// The person did not wait. The call goes on, and its answer changes nothing on the screen.
    case abandoned(id: UInt64, call: AccountType)

    public var id: UInt64 {
        switch self {
        case .began(let id, _), .ended(let id, _, _), .refused(let id, _, _), .abandoned(let id, _): id
        }
    }

    public var call: AccountType {
        switch self {
        case .began(_, let call), .ended(_, let call, _), .refused(_, let call, _), .abandoned(_, let call): call
        }
    }
}

/// What a refused call says beside its code.
public enum CallRefusal: Equatable, Sendable {
    case answers([FieldRefusal])
    case throttled(retryAfter: Duration)
}

/// A field, and the rule that it failed: what it held is not told.
public struct FieldRefusal: Equatable, Sendable {
    /// Nil where it is about no field alone.
    public let field: FieldKey?
    public let code: RuleFailure.Code

    public init(field: FieldKey?, code: RuleFailure.Code) {
        self.field = field
        self.code = code
    }

    public init(_ failure: RuleFailure) { self.init(field: failure.field, code: failure.code) }
}

/// What becomes of a form before anybody is called.
public enum FormEvent: Equatable, Sendable {
    /// It was to be sent, and is not: its own rules fail.
    case invalid(form: String, [FieldRefusal])
}

/// Which flow is shown.
public enum NavigationEvent: Equatable, Sendable {
    case opened(AccountType)
    case moved(from: AccountType, to: AccountType, Reason)
    case left(AccountType)

    public enum Reason: String, Sendable, CaseIterable {
        case link
        case back
        case answer
    }
}

/// Whether somebody waits for an answer.
public enum ActivityEvent: String, Sendable, CaseIterable {
    case busy
    case idle
}

/// What becomes of the session. An account is told by its id, where the answer has said it.
public enum SessionEvent: Equatable, Sendable {
    case began(account: String?)
    case ended(account: String?)
    /// Its owner has ended so many of their others, here or elsewhere; this one goes on, unless it ends too.
    case othersEnded(account: String?, count: Int)
}

/// What an operator has done.
public struct AdministrationEvent: Equatable, Sendable {
    /// The command, as `accounts disable`.
    public let action: String
    /// The account's id; nil where it was about more or fewer than one.
    public let account: String?

    public init(_ action: String, account: String? = nil) {
        self.action = action
        self.account = account
    }
}
