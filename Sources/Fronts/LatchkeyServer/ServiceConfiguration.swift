package import LatchkeyAccounts
package import LatchkeyHTTP
package import LatchkeyWeb

/// The public addresses of a service, and the permissions of users who are not logged in.
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
    /// What administrators see about the service.
    package var facts = ServiceFacts()
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

/// What administrators see about a service: its settings and its checks.
package struct ServiceFacts: Sendable {
    /// A setting with the place that it comes from.
    package struct Setting: Sendable {
        let key: String
        let value: String
        let source: String

        package init(key: String, value: String, source: String) {
            self.key = key
            self.value = value
            self.source = source
        }
    }

    /// The result of one check of `store check`.
    package struct Check: Sendable {
        package enum Verdict: Sendable { case sound, warning, bad }
        let name: String
        let text: String
        let verdict: Verdict

        package init(name: String, text: String, verdict: Verdict) {
            self.name = name
            self.text = text
            self.verdict = verdict
        }
    }

    /// The version of the program; empty if unknown.
    package var version = ""
    /// The number of the store's schema; nil if unknown.
    package var schema: Int?
    /// All settings, in the order of `config show`.
    package var settings: [Setting] = []
    /// Whether a program or a mail server gets messages.
    package var sendsMail = false
    /// Runs the checks of `store check`; nil if there are none.
    package var checkStore: (@Sendable () async -> [Check])?

    package init() {}
}
