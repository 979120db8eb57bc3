public import LatchkeySecrets

/// A browser or terminal on which an account has logged in. Whoever holds its token has a throttle of their own, so that
/// nothing that strangers do delays the owner there (OWASP, "Device Cookies").
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
        shown.withBytes { text in
            guard text.count == SessionToken.byteCount, prefix.indices.allSatisfy({ text[$0] == prefix[$0] }) else {
                return nil
            }
            return SHA256Digest.of(text)
        }
    }

    fileprivate func isOver(at now: Timestamp) -> Bool {
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
        guard let digest = device.digest else { return nil }
        return try await store.read { [clock] (transaction) throws(AccountError) in
            guard let known = try transaction.device(digest), !known.isOver(at: clock.now()) else { return nil }
            return digest
        }
    }

    // MARK: Inside a transaction

    /// Books an attempt as a failure of the caller's device.
    ///
    /// - Returns: the device's throttle and the failures before this attempt; nil if the account does not know the device.
    ///   Then the other throttles count the attempt.
    func bookDevice(
        of account: AccountID?, at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> (throttle: Throttle, earlier: ThrottleFailures?)? {
        guard let digest = device.digest, var known = try transaction.device(digest), known.account == account,
            !known.isOver(at: now)
        else { return nil }
        let earlier = try transaction.failures(in: .device(digest))
        known.failures += 1
        known.lastUsedAt = now
        try transaction.setDevice(known)
        return (.device(digest), earlier)
    }

    /// Notes a login on the caller's device, and makes the device known to the account if it is not.
    ///
    /// - Returns: the token that the device keeps; nil if it keeps none.
    func welcomeDevice(
        of account: AccountID, at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> Secret? {
        let token: Secret
        switch device {
        case .none: return nil
        case .token(let shown):
            if let digest = device.digest, let known = try transaction.device(digest), known.account == account,
                !known.isOver(at: now)
            {
                try transaction.setDevice(KnownDevice(digest: digest, account: account, lastUsedAt: now))
                return shown
            }
            token = try KnownDevice.token(from: random)
        case .new: token = try KnownDevice.token(from: random)
        }
        guard let digest = KnownDevice.digest(of: token) else { return nil }
        try transaction.deleteDevices(of: account, keeping: KnownDevice.perAccount - 1)
        try transaction.setDevice(KnownDevice(digest: digest, account: account, lastUsedAt: now))
        return token
    }
}
