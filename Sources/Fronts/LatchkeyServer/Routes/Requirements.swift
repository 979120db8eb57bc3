package import LatchkeyAccounts

/// The requirements for a request before the handler of its route runs.
///
/// ``Gate`` enforces them, and the OpenAPI document lists them.
package struct Requirements: Sendable, Equatable {
    /// The hosts under which the route is available.
    package enum Host: Sendable {
        /// Only the hosts of the configuration.
        case known
        /// Every host, because a proxy sends the host of the site that it protects.
        case any
    }

    /// The pages that may send the request.
    package enum Origin: Sendable {
        case any
        /// If a request uses a cookie, only our pages, because browsers attach cookies to every request. `GET` is
        /// exempt.
        case sameForCookie
        /// Only our own pages. The refusal is a page.
        case same
        /// Only scripts of our own pages. The refusal is JSON.
        case sameForScript
    }

    /// The credential that a request must contain.
    package enum Proof: Sendable, Equatable {
        case none
        /// An invitation, if sign-up requires one.
        case invitation
        case session
        /// A login that waits for its second factor.
        case pendingLogin
        case sessionOrPendingLogin
        case operatorToken(OperatorToken.Scope)
    }

    /// The component that verifies the credential.
    package enum Verification: Sendable {
        /// The gate verifies it before the handler runs.
        case gate
        /// The gate only requires a token. The handler's single call of `AccountService` verifies it in the same
        /// transaction as the action, so that the session cannot end between them.
        case action
        /// The handler verifies it after reading the body, because a malformed body is refused first. In a flow,
        /// `LocalNetworking` passes the token to the service, which verifies it together with the action.
        case handler
    }

    package let host: Host
    package let origin: Origin
    package let proof: Proof
    package let verification: Verification
    /// The client's budget that a request spends; nil if reading is free. A flow spends the budgets of sign-ups and
    /// recoveries later, so that an invalid form costs nothing.
    package let budget: RequestBudgets.Kind?
}
