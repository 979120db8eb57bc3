public import LatchkeySecrets

/// A browser or terminal where the owner has logged in before. It has its own throttle, so guesses by others never slow
/// the owner down there (OWASP, "Device Cookies").
///
/// The token proves nothing else, and the store holds its digest only.
public struct KnownDevice: Equatable, Sendable {
    /// After this many failures without a success, the device is forgotten.
    package static let failureLimit = 10
    /// The most devices of an account. A further one replaces the one that is unused for longest.
    package static let perAccount = 20
    /// A device that is unused for so long is forgotten: 180 days.
    package static let lifetime = Duration.seconds(180 * 86400)

    /// The SHA-256 of the token, 32 bytes.
    package let digest: [UInt8]
    package let account: AccountID
    /// When someone last tried to log in on it.
    package var lastUsedAt: Timestamp
    /// Since the last success.
    package var failures: Int

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

    /// The digest of a token that a client presents; nil if it has another form.
    fileprivate static func digest(of shown: Secret) -> [UInt8]? {
        SessionToken.digest(of: shown, prefix)
    }

    fileprivate func isForgotten(at now: Timestamp) -> Bool {
        failures >= Self.failureLimit || now.since(lastUsedAt) >= Self.lifetime
    }
}

/// What a caller knows of the device that it runs on.
public enum DeviceClaim: Sendable {
    /// It keeps no token, so that every login comes from an unknown device.
    case none
    /// It has no token yet and keeps the one that a login gives it.
    case new
    /// The token that a login gave it.
    case token(Secret)

    fileprivate var digest: [UInt8]? {
        guard case .token(let token) = self else { return nil }
        return KnownDevice.digest(of: token)
    }
}

extension AccountService {
    /// The same service for a caller on this device.
    public func on(_ device: DeviceClaim) -> AccountService {
        var service = self
        service.device = device
        return service
    }

    /// The digest of the caller's device if an account knows it; nil if not.
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
        guard let digest = device.digest, let known = try transaction.device(digest), !known.isForgotten(at: now) else {
            return nil
        }
        return known
    }

    /// Books an attempt as a failure of the caller's device.
    ///
    /// - Returns: the device's throttle and the failures before this attempt; nil if the account does not know the device.
    ///   Then the other throttles count the attempt.
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

    /// Notes a login on the caller's device, and makes the device known to the account if it is not.
    ///
    /// - Returns: the token that the device keeps; nil if it keeps none.
    func welcomeDevice(
        of account: AccountID, at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> Secret? {
        if case .none = device { return nil }
        if case .token(let shown) = device, let known = try knownDevice(at: now, in: transaction),
            known.account == account
        {
            try transaction.setDevice(KnownDevice(digest: known.digest, account: account, lastUsedAt: now))
            return shown
        }
        let token = try KnownDevice.token(from: random)
        guard let digest = KnownDevice.digest(of: token) else { return nil }
        try transaction.deleteDevices(of: account, keeping: KnownDevice.perAccount - 1)
        try transaction.setDevice(KnownDevice(digest: digest, account: account, lastUsedAt: now))
        return token
    }
}
