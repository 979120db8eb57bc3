package import LatchkeyAccounts
package import LatchkeyHTTP
package import LatchkeyWeb

/// The public access to a service, and the permissions of strangers.
package struct ServiceConfiguration: Sendable {
    /// The people who may sign up.
    package enum Registration: String, Sendable, CaseIterable {
        /// Anyone may sign up.
        case open
        /// Sign-up needs an invitation from an operator.
        case invited
        /// Only operators create accounts.
        case closed
    }

    /// The public origin of the service.
    package var origin: WebOrigin
    /// The accepted `Host` headers; the one of ``origin`` first.
    package var hosts: [String]
    /// The proxies in front of it.
    package var proxies: TrustedProxies
    /// The origins to which a page may redirect after a login.
    package var returnOrigins: [WebOrigin]
    /// The people who may sign up.
    package var registration: Registration
    /// The rate limits per client.
    package var budgets: RequestBudgets.Limits
    /// The domain whose hosts may call `/verify` with a separate cookie, such as `example.org`; nil for none.
    package var cookieDomain: String?
    /// The operator's changes to the pages.
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
