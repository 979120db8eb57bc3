import LatchkeySecrets

/// A request of a device that has no browser (RFC 8628). Its owner approves it on another device.
///
///     none ───── begin ─────────────▶ waiting
///     waiting ── poll ──────────────▶ waiting
///     waiting ── allow ─────────────▶ approved
///     waiting ── deny ──────────────▶ denied
///     waiting ── maintain, expired ─▶ none
///     approved ─ poll ──────────────▶ none
///     approved ─ disconnect ────────▶ none
///     approved ─ maintain, expired ─▶ none
///     denied ─── poll ──────────────▶ none
///     denied ─── maintain, expired ─▶ none
///
/// The poll of an approved request returns the tokens. A test compares these transitions with those of the service.
/// A request is also denied if the account that enters its code may not use the application.
public struct DeviceRequest: Equatable, Sendable {
    /// The answer of the owner.
    package enum State: Int, Sendable, CaseIterable {
        case waiting, approved, denied
    }

    /// The ``StoreKey/lookupKey(of:)`` of the device code, 32 bytes.
    package let digest: [UInt8]
    /// The tag of the code that the owner types, 32 bytes.
    package let codeTag: [UInt8]
    /// The ID of the application.
    public let client: String
    /// The scopes that the application asks for and may have.
    public let scopes: [String]
    package internal(set) var state: State
    /// The ID of the grant that the owner has given; nil before it.
    package internal(set) var grant: [UInt8]?
    /// The address that the device asked from; empty if it is unknown.
    public let source: String
    /// The time of creation.
    public let createdAt: Timestamp
    /// The time of the last poll; nil before the first one.
    package internal(set) var polledAt: Timestamp?
    /// The minimum number of seconds between two polls.
    package internal(set) var interval: Int
    package var tag: [UInt8] = []

    /// The time that the owner has: 10 minutes.
    public static let lifetime = Duration.seconds(600)
    /// The interval of polls at first, in seconds (RFC 8628, section 3.2).
    public static let firstInterval = 5
    /// The maximum number of requests that wait in the store. Further ones are refused.
    static let mostWaiting = 10_000

    package init(
        digest: [UInt8], codeTag: [UInt8], client: String, scopes: [String], state: State = .waiting,
        grant: [UInt8]? = nil, source: String = "", createdAt: Timestamp, polledAt: Timestamp? = nil,
        interval: Int = firstInterval
    ) {
        self.digest = digest
        self.codeTag = codeTag
        self.client = client
        self.scopes = scopes
        self.state = state
        self.grant = grant
        self.source = source
        self.createdAt = createdAt
        self.polledAt = polledAt
        self.interval = interval
    }

    func isLive(at now: Timestamp) -> Bool {
        SessionLimits.isLive(from: createdAt, until: createdAt.advanced(by: Self.lifetime), at: now)
    }
}

extension DeviceRequest: TaggedRow {
    package static let kind = RowKind.deviceRequest

    package var owner: AccountID? { nil }

    /// Without the time and the interval of polls.
    package var fields: RowFields {
        var fields = RowFields()
        fields.append(digest)
        fields.append(codeTag)
        fields.append(client)
        fields.append(scopes.joined(separator: " "))
        fields.append(Int64(state.rawValue))
        fields.append(grant)
        fields.append(source)
        fields.append(createdAt)
        return fields
    }
}

/// Reads and writes requests of devices.
public protocol DeviceRequestRows {
    /// Stores a new request; false if another one has the same code.
    ///
    /// - Throws: ``AccountError/noSession`` if the application no longer exists.
    func insert(_ request: DeviceRequest) throws(AccountError) -> Bool
    /// The number of requests, expired or not.
    var deviceRequestCount: Int { get throws(AccountError) }
    /// The request with this digest, expired or not; nil if there is none.
    func deviceRequest(_ digest: [UInt8]) throws(AccountError) -> DeviceRequest?
    /// The request with this tag of a code, expired or not; nil if there is none.
    func deviceRequest(withCode tag: [UInt8]) throws(AccountError) -> DeviceRequest?
    /// Stores the state, the grant and the polls of a request, if it still exists.
    func update(_ request: DeviceRequest) throws(AccountError)
    /// Deletes a request; false if it does not exist.
    func deleteDeviceRequest(_ digest: [UInt8]) throws(AccountError) -> Bool
    /// Deletes the requests that were created by `time`.
    func deleteDeviceRequests(createdBy time: Timestamp) throws(AccountError)
}
