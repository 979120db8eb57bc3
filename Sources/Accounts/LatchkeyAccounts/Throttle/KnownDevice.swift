public import LatchkeySecrets

/// A browser or terminal where the owner has logged in before. It has a separate throttle, so that guesses by others
/// never slow the owner down there (OWASP, "Device Cookies").
///
/// The token proves nothing else, and the store contains only its digest.
public struct KnownDevice: Equatable, Sendable {
    /// The number of failures without a success after which the device is forgotten.
    package static let failureLimit = 10
    /// The maximum number of devices per account. A further one replaces the device that has been unused the longest.
    package static let perAccount = 20
    /// The time after which an unused device is forgotten: 180 days.
    package static let lifetime = Duration.seconds(180 * 86400)

    /// The ``StoreKey/lookupKey(of:)`` of the token, 32 bytes.
    package let digest: [UInt8]
    package let account: AccountID
    /// The time of the last login attempt on the device.
    package var lastUsedAt: Timestamp
    /// The number of failures since the last success.
    package var failures: Int
    package var tag: [UInt8] = []

    /// Creates a device.
    package init(digest: [UInt8], account: AccountID, lastUsedAt: Timestamp, failures: Int = 0) {
        self.digest = digest
        self.account = account
        self.lastUsedAt = lastUsedAt
        self.failures = failures
    }

    private static let prefix = Array("lkd_".utf8)

    /// A new token: `lkd_` and 32 random bytes in base64url.
    fileprivate static func token(from random: RandomSource) throws(AccountError) -> Secret {
        try SessionToken.text(prefix, from: random)
    }

    /// The digest of a token that a client presents; nil if its format is invalid.
    fileprivate static func digest(of shown: Secret) -> [UInt8]? {
        SessionToken.digest(of: shown, prefix)
    }

    fileprivate func isForgotten(at now: Timestamp) -> Bool {
        failures >= Self.failureLimit || now.since(lastUsedAt) >= Self.lifetime
    }
}

/// The caller's claim about its device.
public enum DeviceClaim: Sendable {
    /// The caller stores no token, so every login comes from an unknown device.
    case none
    /// The caller has no token yet. It stores the token that a login returns.
    case new
    /// The token that a previous login returned.
    case token(Secret)

    fileprivate var digest: [UInt8]? {
        guard case .token(let token) = self else { return nil }
        return KnownDevice.digest(of: token)
    }
}

extension AccountService {
    /// A copy of the service for a caller on this device.
    public func on(_ device: DeviceClaim) -> AccountService {
        var service = self
        service.device = device
        return service
    }

    /// The digest of the caller's device if an account knows it; otherwise nil.
    package func knownDevice() async throws(AccountError) -> [UInt8]? {
        guard device.digest != nil else { return nil }
        return try await store.read { [self] (transaction) throws(AccountError) in
            try knownDevice(at: clock.now(), in: transaction)?.digest
        }
    }

    // MARK: Inside a transaction

    /// Whether the account knows the caller's device.
    func isKnownDevice(
        of account: AccountID, at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> Bool {
        try knownDevice(at: now, in: transaction)?.account == account
    }

    private func knownDevice(
        at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> KnownDevice? {
        guard let digest = device.digest.map(key.lookupKey), let known = verified(try transaction.device(digest)),
            !known.isForgotten(at: now)
        else { return nil }
        return known
    }

    /// Books an attempt as a failure of the caller's device.
    ///
    /// - Returns: the device's throttle and the failures before this attempt; nil if the account does not know the
    ///   device. Then the other throttles count the attempt.
    func bookDevice(
        of account: AccountID?, at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> (throttle: Throttle, earlier: ThrottleFailures?)? {
        guard var known = try knownDevice(at: now, in: transaction), known.account == account else { return nil }
        let throttle = Throttle.device(known.digest)
        let earlier = try transaction.failures(in: throttle)
        known.failures += 1
        known.lastUsedAt = now
        try transaction.setDevice(known)
        return (throttle, earlier)
    }

    /// Records a login on the caller's device, and adds an unknown device to the account's known devices.
    ///
    /// - Returns: the token for the device to store; nil if it stores none.
    func welcomeDevice(
        of account: AccountID, at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> Secret? {
        if case .none = device { return nil }
        if case .token(let shown) = device, let known = try knownDevice(at: now, in: transaction),
            known.account == account
        {
            try transaction.setDevice(key.tagged(KnownDevice(digest: known.digest, account: account, lastUsedAt: now)))
            return shown
        }
        let token = try KnownDevice.token(from: random)
        guard let digest = KnownDevice.digest(of: token).map(key.lookupKey) else { return nil }
        try transaction.deleteDevices(of: account, keeping: KnownDevice.perAccount - 1)
        try transaction.setDevice(key.tagged(KnownDevice(digest: digest, account: account, lastUsedAt: now)))
        return token
    }
}
