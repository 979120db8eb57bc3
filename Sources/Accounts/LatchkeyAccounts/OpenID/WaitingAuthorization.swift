/// An authorization request (RFC 6749, section 4.1.1) that waits until a person has logged in and consented. It belongs
/// to one browser.
public struct WaitingAuthorization: Equatable, Sendable {
    /// The ``StoreKey/lookupKey(of:)`` of the request's token, 32 bytes.
    package let digest: [UInt8]
    /// The ``StoreKey/lookupKey(of:)`` of the browser's token, 32 bytes.
    package let browser: [UInt8]
    /// The network of the request; empty for a local request.
    package let network: [UInt8]
    /// The ID of the application.
    public let client: String
    /// The parameters, as LatchkeyOpenID encodes them.
    public let parameters: String
    /// The time at which the request arrived.
    public let createdAt: Timestamp

    /// The time that a person has: 10 minutes.
    public static let lifetime = Duration.seconds(600)
    /// The maximum number of requests that wait in one browser. A further one replaces the oldest of the same browser.
    static let perBrowser = 20
    /// The maximum number of requests that wait in one network. Further ones are refused, so that no request ends another
    /// person's.
    package static let perNetwork = 500
    /// The maximum length of ``parameters`` in bytes.
    package static let longestParameters = 16 * 1024

    /// Wraps the stored values.
    package init(
        digest: [UInt8], browser: [UInt8], network: [UInt8], client: String, parameters: String, createdAt: Timestamp
    ) {
        self.digest = digest
        self.browser = browser
        self.network = network
        self.client = client
        self.parameters = parameters
        self.createdAt = createdAt
    }

    /// The time of expiry.
    public var expiresAt: Timestamp { createdAt.advanced(by: Self.lifetime) }
}

/// Reads and writes authorization requests and the consents of account owners.
public protocol AuthorizationRows {
    /// Stores a request.
    ///
    /// - Throws: ``AccountError/noSession`` if the application no longer exists.
    func insert(_ request: WaitingAuthorization) throws(AccountError)
    /// The request with this digest, expired or not; nil if there is none.
    func waitingAuthorization(_ digest: [UInt8]) throws(AccountError) -> WaitingAuthorization?
    /// Deletes a request; false if it does not exist.
    func deleteWaitingAuthorization(_ digest: [UInt8]) throws(AccountError) -> Bool
    /// The times of creation of the requests of a network that were created after `time`, oldest first.
    func waitingAuthorizations(from network: [UInt8], after time: Timestamp) throws(AccountError) -> [Timestamp]
    /// Deletes the requests of a browser in a network, except for the newest `count`.
    func deleteWaitingAuthorizations(
        of browser: [UInt8], from network: [UInt8], keeping count: Int
    ) throws(AccountError)
    /// Deletes the requests that were created by `time`.
    func deleteWaitingAuthorizations(createdBy time: Timestamp) throws(AccountError)

    /// The scopes that the account's owner has let the application have; nil if the owner was never asked.
    func consent(of account: AccountID, to client: String) throws(AccountError) -> Consent?
    /// All consents of the account, ordered by application.
    func consents(of account: AccountID) throws(AccountError) -> [Consent]
    /// Stores a consent, or replaces the earlier one.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if the account or the application no longer exists.
    func setConsent(_ consent: Consent, of account: AccountID) throws(AccountError)
    /// Deletes a consent; false if there is none.
    func deleteConsent(of account: AccountID, to client: String) throws(AccountError) -> Bool
}

/// The scopes that the owner of an account has let an application have.
public struct Consent: Equatable, Sendable {
    /// The ID of the application.
    public let client: String
    /// The scopes, in the order in which they were asked for.
    public let scopes: [String]
    /// The time of the last answer.
    public let givenAt: Timestamp

    public init(client: String, scopes: [String], givenAt: Timestamp) {
        self.client = client
        self.scopes = scopes
        self.givenAt = givenAt
    }
}
