package import LatchkeyAccounts
package import LatchkeyHTTP
package import LatchkeyWeb

/// How a service is reached, and what it lets strangers do.
package struct ServiceConfiguration: Sendable {
    /// Who may sign up.
    package enum Registration: String, Sendable, CaseIterable {
        /// Anyone may sign up.
        case open
        /// Sign-up needs an invitation from an operator.
        case invited
        /// Only operators create accounts.
        case closed
    }

    /// Where people reach the service.
    package var origin: WebOrigin
    /// The `Host` headers that it answers to; the one of ``origin`` first.
    package var hosts: [String]
    /// The proxies in front of it.
    package var proxies: TrustedProxies
    /// The origins that a page may send people back to after a login.
    package var returnOrigins: [WebOrigin]
    /// Who may sign up.
    package var registration: Registration
    /// What one client may do.
    package var budgets: RequestBudgets.Limits
    /// The domain whose hosts may ask `/verify` with a cookie of its own, such as `example.org`; nil for none.
    package var cookieDomain: String?
    /// What the operator changes about the pages.
    package var theme = WebTheme()
    /// Whether it is a trial on this machine, without an origin that the operator chose.
    package var isOnThisMachine = false

    /// Creates a configuration.
    package init(
        origin: WebOrigin, hosts: [String], proxies: TrustedProxies = TrustedProxies(), returnOrigins: [WebOrigin] = [],
        registration: Registration = .open, budgets: RequestBudgets.Limits = RequestBudgets.Limits()
    ) {
        self.origin = origin
        self.hosts = hosts
        self.proxies = proxies
        self.returnOrigins = returnOrigins
        self.registration = registration
        self.budgets = budgets
    }
}
