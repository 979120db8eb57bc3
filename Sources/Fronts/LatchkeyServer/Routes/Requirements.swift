package import LatchkeyAccounts

/// The requirements that a request must meet before the handler of its route runs.
///
/// ``Gate`` enforces them, and the OpenAPI document lists them.
package struct Requirements: Sendable, Equatable {
    /// The names under which the route is available.
    package enum Host: Sendable {
        /// Only the hosts of the configuration.
        case known
        /// Every host, because a proxy sends the name of the site that it protects.
        case any
    }

    /// The pages that may send the request.
    package enum Origin: Sendable {
        case any
        /// Programs, and scripts of our own pages. Other pages could not read the response, and each of their requests
        /// would cost the visitor's budget. `GET` is exempt.
        case program
        /// Only our own pages. The refusal is a page.
        case same
        /// Only scripts of our own pages. The refusal is JSON.
        case sameForScript
    }

    /// The part of a request in which the route looks for credentials. Tokens and cookies never mix: a route reads one
    /// of the two.
    package enum Carrier: Sendable {
        /// `Authorization`, and `Latchkey-Device` for the token of a device. Cookies are ignored.
        case header
        /// Cookies. `Authorization` is ignored.
        case cookie
        /// A proxy passes on the request of a browser or of a program. Only `/verify`.
        case either
    }

    /// The credential of the request.
    package enum Proof: Sendable, Equatable {
        case none
        /// An invitation, if sign-up needs one.
        case invitation
        case session
        /// A login that waits for its second factor.
        case pendingLogin
        case sessionOrPendingLogin
        case operatorToken(OperatorToken.Scope)
    }

    /// The place where the credential is verified.
    package enum Verification: Sendable {
        /// The gate verifies it before the handler runs.
        case gate
        /// The gate requires a token. The handler's one call of `AccountService` verifies the token in the transaction
        /// that it acts in, so that no session ends between the check and the action.
        case action
        /// The handler verifies it after it has read the body, because a malformed body is refused first. In a flow,
        /// `LocalNetworking` passes the token to the service, which verifies it together with the action.
        case handler
    }

    package let host: Host
    package let origin: Origin
    package let carrier: Carrier
    package let proof: Proof
    package let verification: Verification
    /// The client's budget that a request spends, unless the gate refuses it; nil if reading is free. The budgets of sign-ups and recoveries are
    /// spent later, by the flow, because a form that is not valid costs nothing.
    package let budget: RequestBudgets.Kind?
}
