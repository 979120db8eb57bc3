public import LatchkeySecrets

/// The reason why a device gets no tokens yet, or never (RFC 8628, section 3.5).
public enum DeviceRefusal: Error, Equatable, Sendable {
    /// The owner has not answered yet.
    case pending
    /// The owner has not answered yet, and the device polls too fast. The interval is longer now.
    case slowDown
    case denied
    case expired
    /// There is no such request of this application.
    case unknown
    case refused(AccessRefusal)
}

/// The result of a device's code that the owner of a session has typed.
public enum DeviceEntry: Sendable {
    /// A request waits, or has waited until its answer.
    case waiting(DeviceRequest, Client, LiveSession)
    /// The owner may not use the application. The device gets nothing.
    case refused(AccessRefusal, Client)
    /// No request waits under the code.
    case unknown
}

/// Requests of devices without a browser (RFC 8628).
extension AccountService {
    /// Stores a request.
    ///
    /// - Parameters:
    ///   - userCode: the letters that the owner types.
    ///   - scopes: the scopes that the device asks for.
    ///   - client: the application.
    /// - Returns: the device code, which is not stored; nil if another request has the same letters or too many wait.
    public func beginDeviceRequest(
        of client: String, scopes: [String], userCode: Secret
    ) async throws(AccountError) -> Secret? {
        let code = try SessionToken.text(Self.devicePrefix, from: random)
        guard let digest = SessionToken.digest(of: code, Self.devicePrefix).map(key.lookupKey) else {
            throw .noRandomness
        }
        return try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            try transaction.raiseClock(to: now)
            if try transaction.deviceRequestCount >= DeviceRequest.mostWaiting {
                try transaction.deleteDeviceRequests(createdBy: now.advanced(by: .zero - DeviceRequest.lifetime))
                guard try transaction.deviceRequestCount < DeviceRequest.mostWaiting else { return nil }
            }
            let request = key.tagged(
                DeviceRequest(
                    digest: digest, codeTag: key.tag(ofUserCode: userCode), client: client, scopes: scopes,
                    source: RequestSource(origin.source)?.text ?? "", createdAt: now))
            return try transaction.insert(request) ? code : nil
        }
    }

    /// The request that waits under a code, for the owner of a session who has typed it.
    ///
    /// A code is short, so each session may type ``freeCodes`` wrong ones before delays begin. A request of an application
    /// that the owner may not use is denied.
    ///
    /// - Parameters:
    ///   - userCode: the letters; nil if the input is not a code.
    ///   - token: the token of the session.
    /// - Throws: ``AccountError/throttled(retryAfter:)``; the errors of a session.
    public func deviceRequest(_ userCode: Secret?, token: Secret) async throws(AccountError) -> DeviceEntry {
        try await enter(userCode, token: token) { (_, _, _, _, _) throws(AccountError) in }
    }

    /// Answers a request for the owner of a session.
    ///
    /// A wrong code counts as in ``deviceRequest(_:token:)``, because nothing binds this step to that one.
    ///
    /// - Throws: ``AccountError/throttled(retryAfter:)``; the errors of a session.
    public func answerDeviceRequest(
        _ userCode: Secret?, allowing: Bool, token: Secret
    ) async throws(AccountError) -> DeviceEntry {
        let id: [UInt8]
        do { id = try random.bytes(16) } catch { throw .noRandomness }
        return try await enter(userCode, token: token) {
            [self] (waiting, client, live, trail, transaction) throws(AccountError) in
            var request = waiting
            guard allowing else { return try deny(&request, by: live, trail, in: transaction) }
            let now = clock.now()
            guard let authenticatedAt = live.session.authenticatedAt else { throw .noSession }
            let grant = key.tagged(
                AccessGrant(
                    id: id, account: live.account.id, client: client.id, sid: sid(of: live.session),
                    scopes: request.scopes, authenticatedAt: authenticatedAt, methods: live.session.methods,
                    createdAt: now, expiresAt: now.advanced(by: settings.openID.grantLifetime)))
            try transaction.insert(grant)
            request.state = .approved
            request.grant = id
            try transaction.update(key.tagged(request))
            try trail.append(
                .deviceApproved, about: live.account.id, reason: .client(client.id), at: now, in: transaction)
        }
    }

    /// Exchanges a device code for tokens once the owner has approved the request (RFC 8628, section 3.4).
    public func redeemDevice(
        _ code: Secret, by client: String
    ) async throws(AccountError) -> Result<IssuedTokens, DeviceRefusal> {
        guard let digest = SessionToken.digest(of: code, Self.devicePrefix).map(key.lookupKey) else {
            return .failure(.unknown)
        }
        let tokens = try newTokens()
        return try await store.write {
            [self] (transaction) throws(AccountError) -> Result<IssuedTokens, DeviceRefusal> in
            let now = clock.now()
            guard var request = verified(try transaction.deviceRequest(digest)),
                request.client.utf8.elementsEqual(client.utf8)
            else { return .failure(.unknown) }
            guard request.isLive(at: try transaction.latest(now)) else { return .failure(.expired) }
            switch request.state {
            case .waiting:
                let isFast = request.polledAt.map { now.since($0) < .seconds(Int64(request.interval)) } ?? false
                if isFast { request.interval = min(request.interval + DeviceRequest.firstInterval, 600) }
                request.polledAt = now
                try transaction.update(request)
                return .failure(isFast ? .slowDown : .pending)
            case .denied:
                _ = try transaction.deleteDeviceRequest(digest)
                return .failure(.denied)
            case .approved: break
            }
            // One of several polls deletes the row, and gets the tokens.
            guard let id = request.grant, try transaction.deleteDeviceRequest(digest),
                let grant = verified(try transaction.grant(id)),
                let account = try transaction.account(.id(grant.account)),
                var present = try self.client(client, in: transaction)
            else { return .failure(.unknown) }
            if let refusal = try refusal(of: grant, account, by: present, for: .device, at: now, in: transaction) {
                return .failure(.refused(refusal))
            }
            if present.note(usesPKCE: false, at: now) { try transaction.update(present) }
            return .success(
                try issue(tokens, of: grant, account, to: present, nonce: nil, at: now, in: transaction))
        }
    }

    /// The number of wrong codes that a session may type before delays begin.
    public static let freeCodes = 5

    /// Finds the request that waits under a code, and does `step` with it. A wrong code counts against the session that
    /// enters it.
    private func enter(
        _ userCode: Secret?, token: Secret,
        _ step:
            @escaping @Sendable (
                DeviceRequest, Client, LiveSession, AuditTrail, any StoreTransaction
            ) throws(AccountError) -> Void
    ) async throws(AccountError) -> DeviceEntry {
        let own = try await fullSession(for: token)
        let trail = try newTrail(by: .owner).acting(as: own.account.id)
        // An error that the transaction throws would undo the record of a wrong code.
        let result = try await store.write {
            [self] (transaction) throws(AccountError) -> Result<DeviceEntry, AccountError> in
            let now = clock.now()
            guard let live = try liveSession(own.session.digest, at: now, in: transaction), live.session.scope == .full
            else { throw .noSession }
            let throttle = key.throttle(ofCodesFrom: live.session.digest.bytes, for: live.account.id)
            // The delay begins with the last free code, so that the next entry is refused.
            switch try throttle.book(
                recording: trail, about: live.account.id, reason: .throttled, free: Self.freeCodes - 1, at: now, key,
                in: transaction)
            {
            case .closed(let retryAfter): return .failure(.throttled(retryAfter: retryAfter))
            case .booked: break
            }
            guard let userCode,
                var request = verified(try transaction.deviceRequest(withCode: key.tag(ofUserCode: userCode))),
                request.state == .waiting, request.isLive(at: try transaction.latest(now)),
                let client = try client(request.client, in: transaction)
            else { return .success(.unknown) }
            try throttle.withdraw(in: transaction)
            if let refusal = try refusal(
                of: live.account, by: client, methods: live.session.methods, for: .device, in: transaction)
            {
                try deny(&request, by: live, trail, in: transaction)
                return .success(.refused(refusal, client))
            }
            try step(request, client, live, trail, transaction)
            return .success(.waiting(request, client, live))
        }
        return try result.get()
    }

    /// The next poll of the device learns that it gets nothing.
    private func deny(
        _ request: inout DeviceRequest, by live: LiveSession, _ trail: AuditTrail, in transaction: any StoreTransaction
    ) throws(AccountError) {
        request.state = .denied
        try transaction.update(key.tagged(request))
        try trail.append(
            .deviceDenied, about: live.account.id, reason: .client(request.client), at: clock.now(), in: transaction)
    }

    private static let devicePrefix = Array("lkv_".utf8)
}
