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
        /// Programs, and scripts of our own pages. Other pages could not read the response, and each of their requests
        /// would cost the visitor's budget. `GET` is exempt.
        case program
        /// Only our own pages. The refusal is a page.
        case same
        /// Only scripts of our own pages. The refusal is JSON.
        case sameForScript
        /// Only our own pages, but a request without the proof gets the answer of an address that does not exist.
        case sameAfterProof
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
        /// An invitation, if sign-up requires one.
        case invitation
        case session
        /// A login that waits for its second factor.
        case pendingLogin
        case sessionOrPendingLogin
        case operatorToken(OperatorToken.Scope)
        /// An application, with its secret unless it is public.
        case client
        /// The access token of an application.
        case accessToken
        /// The session of an administrator. A request without it gets the answer of an address that does not exist.
        case administrator
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
    package let carrier: Carrier
    package let proof: Proof
    package let verification: Verification
    /// The client's budget that a request spends, unless the gate refuses it; nil if reading is free. The budgets of sign-ups and recoveries are
    /// spent later, by the flow, because a form that is not valid costs nothing.
    package let budget: RequestBudgets.Kind?
}
