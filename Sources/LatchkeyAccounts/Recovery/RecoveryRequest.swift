/// One request for a code, to recover an account or to change its address, as a store keeps it: without its code.
public struct RecoveryRequest: Equatable, Sendable {
    public let tag: RecoveryCodeTag
    /// Whose it is: an account's, or a row that addresses nobody has share. Such a request is kept and counted all the
    /// same, so that the work is alike; nobody ever has its code.
    public let lane: ThrottleLane
    public let createdAt: Timestamp
    public let expiresAt: Timestamp
    /// The address that the code was sent to and that the account is to have; nil for a request to recover it.
    public let newEmail: EmailAddress?

    package init(
        tag: RecoveryCodeTag, lane: ThrottleLane, createdAt: Timestamp, expiresAt: Timestamp,
        newEmail: EmailAddress? = nil
    ) {
        self.tag = tag
        self.lane = lane
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.newEmail = newEmail
    }
}

/// HMAC-SHA-256 of a recovery code under the store's key, 32 bytes.
public struct RecoveryCodeTag: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}
