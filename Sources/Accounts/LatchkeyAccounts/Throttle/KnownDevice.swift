public import LatchkeySecrets

/// A browser or terminal where the owner has logged in before. It has a separate throttle, so that guesses by others
/// never delay the owner there (OWASP, "Device Cookies").
///
/// The token has no other use. The store contains only its digest.
public struct KnownDevice: Equatable, Sendable {
    /// The number of failures on all devices of an account after which none of them counts as known. The next login on
    /// a device forgets those that failed.
    package static let failureLimit = 10
    /// The maximum number of devices per account. A further one replaces the device that has been unused the longest,
    /// unless all of them are in use.
    package static let perAccount = 20
    /// The time after which an unused device is forgotten: 180 days.
    package static let lifetime = Duration.seconds(180 * 86400)
    /// The time for which a device counts as in use after a login, so that no new one replaces it: 60 days, twice the
    /// lifetime of a session.
    static let useTime = Duration.seconds(60 * 86400)

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

    fileprivate func isForgotten(at now: Timestamp) -> Bool { now.since(lastUsedAt) >= Self.lifetime }
}

extension [KnownDevice] {
    /// Whether the devices have spent the failures that an account allows them.
    fileprivate var haveFailedTooOften: Bool { reduce(0) { $0 + $1.failures } >= KnownDevice.failureLimit }
}

/// The caller's information about its device.
public enum DeviceClaim: Sendable {
    /// The caller stores no token, so every login comes from an unknown device.
    case none
    /// The caller has no token yet. It will store the token that the login returns.
    case new
    /// The token from a previous login.
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

    /// The account that a request is about, as the request names it.
    package enum Subject: Sendable {
        /// The owner of a session, by its token.
        case session(Secret)
        /// The owner of a login that waits for its second factor, by its token.
        case pendingLogin(Secret)
        /// The account of a typed username, e-mail address or ID.
        case identifier(String)
    }

    /// The account that a request is about if it knows the caller's device; otherwise nil.
    package func accountKnowingDevice(_ subject: Subject) async throws(AccountError) -> AccountID? {
        guard device.digest != nil else { return nil }
        return try await store.read { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            guard let known = try knownDevice(at: now, in: transaction) else { return nil }
            let account: AccountID? =
                switch subject {
                case .session(let token):
                    try digest(of: token).flatMap { (digest) throws(AccountError) in
                        try liveSession(digest, at: now, in: transaction)?.account.id
                    }
                case .pendingLogin(let token): try pendingLogin(token, at: now, in: transaction)?.1.id
                case .identifier(let typed): try transaction.account(LoginIdentifier(typed).lookup)?.id
                }
            return account == known.account ? account : nil
        }
    }

    /// The account that knows the caller's device; nil if none does.
    package func accountOfDevice() async throws(AccountError) -> AccountID? {
        guard device.digest != nil else { return nil }
        return try await store.read { [self] (transaction) throws(AccountError) in
            try knownDevice(at: clock.now(), in: transaction)?.account
        }
    }

    // MARK: Inside a transaction

    /// The digest under which the store would contain the caller's device; nil if the caller presents no token.
    var claimedDigest: [UInt8]? { device.digest.map(key.lookupKey) }

    /// Whether the account knows the caller's device.
    func isKnownDevice(
        of account: AccountID, at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> Bool {
        try knownDevice(at: now, in: transaction)?.account == account
    }

    /// The caller's device if its account knows it; otherwise nil.
    private func knownDevice(at now: Timestamp, in transaction: any ThrottleRows) throws(AccountError) -> KnownDevice? {
        guard let digest = claimedDigest, let known = verified(try transaction.device(digest)),
            !known.isForgotten(at: now), try !devices(of: known.account, in: transaction).haveFailedTooOften
        else { return nil }
        return known
    }

    /// Books an attempt as a failure of the caller's device.
    ///
    /// - Returns: the device's throttle and the failures before this attempt. Nil if the device is unknown to the
    ///   account; the other throttles then count the attempt.
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

    /// Records a login on the caller's device. An unknown device becomes one of the account's known devices.
    ///
    /// - Returns: the token for the device to store; nil if it stores none, or if the account's other devices are all in
    ///   use.
    func welcomeDevice(
        of account: AccountID, at now: Timestamp, in transaction: any ThrottleRows
    ) throws(AccountError) -> Secret? {
        if case .none = device { return nil }
        var devices = try devices(of: account, in: transaction)
        if devices.haveFailedTooOften {
            for known in devices where known.failures > 0 { try transaction.deleteDevice(known.digest) }
            devices.removeAll { $0.failures > 0 }
        }
        devices.removeAll { $0.isForgotten(at: now) }
        if case .token(let shown) = device, let digest = claimedDigest, devices.contains(where: { $0.digest == digest })
        {
            try transaction.setDevice(key.tagged(KnownDevice(digest: digest, account: account, lastUsedAt: now)))
            return shown
        }
        devices.sort { $0.lastUsedAt < $1.lastUsedAt }
        for oldest in devices.prefix(max(devices.count + 1 - KnownDevice.perAccount, 0)) {
            guard now.since(oldest.lastUsedAt) >= KnownDevice.useTime else { return nil }
            try transaction.deleteDevice(oldest.digest)
        }
        let token = try KnownDevice.token(from: random)
        guard let digest = KnownDevice.digest(of: token).map(key.lookupKey) else { return nil }
        try transaction.setDevice(key.tagged(KnownDevice(digest: digest, account: account, lastUsedAt: now)))
        return token
    }

    private func devices(
        of account: AccountID, in transaction: any ThrottleRows
    ) throws(AccountError) -> [KnownDevice] {
        try transaction.devices(of: account).filter { verified($0) != nil }
    }

    /// Forgets the account's devices except the caller's, because a thief of the old password may have added them.
    func forgetOtherDevices(of account: AccountID, in transaction: any ThrottleRows) throws(AccountError) {
        for known in try transaction.devices(of: account) where known.digest != claimedDigest {
            try transaction.deleteDevice(known.digest)
        }
    }
}
