package import LatchkeyAccounts
package import LatchkeyFlows
package import LatchkeyForms
import LatchkeyHTTP
package import LatchkeyNetworking
import LatchkeySystem
import LatchkeyWeb

/// The state that all requests share: accounts, forms, sentences and the configuration.
///
/// This is a class because each request would otherwise copy all of it several times.
package final class ServiceSite: Sendable {
    /// The forms and sentences in one language.
    package struct Texts: Sendable {
        let forms: FormCatalogue
        /// The forms with which a submitted password is checked if the account may have a second factor. The service
        /// knows, and refuses what is too short for the account.
        let formsWithFactor: FormCatalogue
        let messages: MessageTable

        /// - Parameters:
        ///   - forms: the forms for account owners.
        ///   - policy: says how long new passwords must be.
        package init(forms: FormCatalogue, messages: MessageTable, policy: PolicyPreset = .standard) {
            self.forms = forms.requiring(passwordLength: policy.minimumLength)
            formsWithFactor = forms.requiring(passwordLength: policy.minimumLengthWithFactor)
            self.messages = Self.completed(messages)
        }

        /// Adds the sentences of pages and responses.
        package static func completed(_ messages: MessageTable) -> MessageTable {
            messages.completed(by: .service, .administration, .web, .flows)
        }
    }

    /// Creates the networking for one request, with this service and these tokens.
    package typealias NetworkingOfRequest = @Sendable (AccountService, any SessionStore) -> any Networking

    let service: AccountService
    /// The event stream of all requests. Their events interleave, so a call is identified by its ID.
    let events: AccountEvents
    let networking: NetworkingOfRequest
    let languages: [Language: Texts]
    /// The sentences for clients without a supported language.
    let standard: Texts
    package let configuration: ServiceConfiguration
    let budgets: RequestBudgets
    /// The keys of the OpenID provider.
    package let providerKeys = ProviderKeys()
    /// Which applications have fetched the newest one.
    let keyFetches = KeyFetches()
    /// The verification of the audit trail that administrators see.
    let auditCheck = StandingCheck<AuditVerification?>(for: .seconds(300))
    /// The numbers of accounts and sessions that administrators see. Counting a million accounts takes half a second.
    let storeCounts = StandingCheck<StoreCounts?>(for: .seconds(2))
    /// The logins and failures of the last days that administrators see.
    let loginDays = StandingCheck<LoginDays?>(for: .seconds(60))
    /// The checks of the store that administrators see.
    let storeCheck = StandingCheck<[ServiceFacts.Check]>(for: .seconds(600))
    /// Reports a refused request of an application.
    let reportRefusal: @Sendable (ProviderRefusal) -> Void
    private let calls = Locked<UInt64>(0)
    /// The origins of this service's pages.
    let origins: Set<String>

    /// - Parameters:
    ///   - service: the service for all requests. Each request uses a copy for its client.
    ///   - languages: the texts of each supported language.
    ///   - standard: the texts for clients without a supported language.
    ///   - events: the stream on which pages and the API report their calls.
    ///   - hashQueue: limits the number of requests that wait for a hash.
    ///   - networking: creates the networking for each request; nil to use the service itself through `hashQueue`.
    package init(
        service: AccountService, languages: [Texts], standard: Texts, configuration: ServiceConfiguration,
        events: AccountEvents = AccountEvents(), hashQueue: HashQueue = HashQueue(),
        networking: NetworkingOfRequest? = nil,
        reportRefusal: @escaping @Sendable (ProviderRefusal) -> Void = { _ in }
    ) {
        self.service = service
        self.languages = Dictionary(languages.map { ($0.messages.language, $0) }) { first, _ in first }
        self.standard = standard
        self.configuration = configuration
        self.events = events
        self.reportRefusal = reportRefusal
        self.networking = networking ?? { QueuedNetworking(service: $0, tokens: $1, queue: hashQueue) }
        budgets = RequestBudgets(configuration.budgets)
        let scheme = configuration.origin.isSecure ? "https://" : "http://"
        origins = Set(configuration.hosts.map { scheme + $0 })
    }

    /// The ID of a new call, unique across all requests.
    func nextCall() -> UInt64 {
        calls.withLock { last in
            last += 1
            return last
        }
    }

    /// The forms and messages in the first of these languages that is supported; nil if none is.
    ///
    /// - Parameter locales: language tags (RFC 5646) in the order of preference.
    func texts(preferred locales: [String]) -> Texts? {
        for locale in locales { if let texts = texts(tagged: locale) { return texts } }
        return nil
    }

    private func texts(tagged tag: String) -> Texts? {
        Language.lookUp(tag, in: languages.keys).flatMap { languages[$0] }
    }

    /// The forms and messages in the language that the client prefers (`Accept-Language`: RFC 9110, section 12.5.4).
    func texts(accepted header: String?) -> Texts {
        guard let header else { return standard }
        var best: (texts: Texts, quality: Double)?
        for element in HeaderElement.list(header).compactMap(\.self).prefix(16) {
            let tag = element.parts[0].name
            let quality = element["q"].map { Double($0) ?? 0 } ?? 1
            guard let texts = texts(tagged: tag) else { continue }
            if quality > best?.quality ?? 0 { best = (texts, quality) }
        }
        return best?.texts ?? standard
    }
}
