package import LatchkeyAccounts
package import LatchkeyFlows
package import LatchkeyForms
import LatchkeyHTTP
package import LatchkeyNetworking
import LatchkeySystem

/// The values that all requests share: accounts, forms, sentences and the configuration.
///
/// A class, because each request would otherwise copy all of it several times.
package final class ServiceSite: Sendable {
    /// The forms and the sentences of one language.
    package struct Texts: Sendable {
        let forms: FormCatalogue
        let messages: MessageTable

        /// - Parameter forms: those for the owners of accounts.
        package init(forms: FormCatalogue, messages: MessageTable) {
            self.forms = forms
            self.messages = messages.completed(by: .service, .flows)
        }
    }

    /// Creates the networking of one request: over this service, with these tokens.
    package typealias NetworkingOfRequest = @Sendable (AccountService, any SessionStore) -> any Networking

    let service: AccountService
    /// The stream of all requests. Their events interleave; a call is identified by its id.
    let events: AccountEvents
    let networking: NetworkingOfRequest
    let languages: [Language: Texts]
    /// The sentences for clients whose languages are not supported.
    let standard: Texts
    let configuration: ServiceConfiguration
    let budgets: RequestBudgets
    private let calls = Locked<UInt64>(0)
    /// The origins that pages of this service have.
    let origins: Set<String>

    /// - Parameters:
    ///   - service: shared by all requests. Each request gets a copy for its client.
    ///   - languages: the texts of each language that the service speaks.
    ///   - standard: the texts for clients that ask for another language.
    ///   - events: the stream on which pages and API report their calls.
    ///   - hashQueue: bounds the requests that wait for a hash.
    ///   - networking: creates the networking of each request; nil for the service itself, behind `hashQueue`.
    package init(
        service: AccountService, languages: [Texts], standard: Texts, configuration: ServiceConfiguration,
        events: AccountEvents = AccountEvents(), hashQueue: HashQueue = HashQueue(),
        networking: NetworkingOfRequest? = nil
    ) {
        self.service = service
        self.languages = Dictionary(languages.map { ($0.messages.language, $0) }) { first, _ in first }
        self.standard = standard
        self.configuration = configuration
        self.events = events
        self.networking = networking ?? { QueuedNetworking(service: $0, tokens: $1, queue: hashQueue) }
        budgets = RequestBudgets(configuration.budgets)
        let scheme = configuration.origin.isSecure ? "https://" : "http://"
        origins = Set(configuration.hosts.map { scheme + $0 })
    }

    /// The id of a new call, unique among all requests.
    func nextCall() -> UInt64 {
        calls.withLock { last in
            last += 1
            return last
        }
    }

    /// The sentences in the best language for `Accept-Language` (RFC 9110, section 12.5.4).
    func texts(accepted header: String?) -> Texts {
        var best: (texts: Texts, quality: Double)?
        for element in HeaderElement.list(header ?? "").compactMap(\.self).prefix(16) {
            let tag = element.parts[0].name
            let quality = element["q"].map { Double($0) ?? 0 } ?? 1
            let primary = tag.split(separator: "-").first.map(String.init) ?? tag
            guard let texts = Language(rawValue: primary).flatMap({ languages[$0] }) else { continue }
            if quality > best?.quality ?? 0 { best = (texts, quality) }
        }
        return best?.texts ?? standard
    }
}
