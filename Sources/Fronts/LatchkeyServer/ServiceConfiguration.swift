package import LatchkeyAccounts
package import LatchkeyHTTP
package import LatchkeyWeb

/// The public addresses of a service, and the permissions of users who are not signed in.
package struct ServiceConfiguration: Sendable {
    /// The policy for new accounts.
    package enum Registration: String, Sendable, CaseIterable {
        /// Anyone may sign up.
        case open
        /// Users need an invitation from an operator to sign up.
        case invited
        /// Only operators create accounts.
        case closed
    }

    /// The public origin of the service, such as `https://accounts.example.org`.
    package var origin: WebOrigin
    /// The accepted `Host` headers, starting with that of ``origin``.
    package var hosts: [String]
    /// The proxies in front of the service.
    package var proxies: TrustedProxies
    /// The origins to which a page may redirect after a login.
    package var returnOrigins: [WebOrigin]
    /// The names of those origins for people, by origin. Not every origin has one.
    package var returnNames: [String: String] = [:]
    /// The policy for new accounts.
    package var registration: Registration
    /// The rate limits per client.
    package var budgets: RequestBudgets.Limits
    /// The domain whose hosts may call `/verify` with a separate cookie, such as `example.org`; nil if there is none.
    package var cookieDomain: String?
    /// The operator's customizations of the pages.
    package var theme = WebTheme()
    /// Whether the service is a trial on this machine, for which the operator has not set an origin.
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
