public import LatchkeyForms

/// What the front has to do after an ``Action``.
public enum Effect: Sendable {
    /// Call with these. The model is busy already, so that no second call can be asked for.
    case submit(Credentials)
    case follow(AccountType)
    /// Back to the form before, or out at the first.
    case cancel
    case interrupt
    case quit
    case suspend
    case redraw
    /// The key means nothing here.
    case bell
    /// Nothing can be sent yet: there were too many attempts.
    case wait
}
