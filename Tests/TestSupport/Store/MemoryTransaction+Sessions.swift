import LatchkeyAccounts

extension MemoryTransaction {
    // MARK: Sessions

    func insert(_ session: Session) throws(AccountError) {
        try beginWriting(.insertSession)
        guard rows.accounts[session.account] != nil else { throw .noSuchAccount }
        guard rows.sessions[session.digest] == nil else { throw failConstraint() }
        rows.sessions[session.digest] = session
    }

    func session(_ digest: SessionDigest) throws(AccountError) -> Session? {
        try begin(.session)
        return rows.sessions[digest]
    }

    func sessions(after place: SessionPlace?, limit: Int) throws(AccountError) -> [Session] {
        try begin(.sessions)
        let all = rows.sessions.values.sorted { Self.precedes($1, $0) }
        let rest = place.map { place in all.drop { SessionPlace($0) != place }.dropFirst() } ?? all[...]
        return Array(rest.prefix(max(limit, 0)))
    }

    func sessions(of account: AccountID) throws(AccountError) -> [Session] {
        try begin(.sessions)
        return rows.sessions.values.filter { $0.account == account }.sorted(by: Self.precedes)
    }

    func sessions(
        createdBy created: Timestamp, orUsedBy used: Timestamp, limit: Int
    ) throws(AccountError) -> [Session] {
        try begin(.oldSessions)
        let old = rows.sessions.values.filter { $0.createdAt <= created || $0.lastUsedAt <= used }
        return Array(old.sorted(by: Self.precedes).prefix(max(limit, 0)))
    }

    private static func precedes(_ left: Session, _ right: Session) -> Bool {
        left.lastUsedAt != right.lastUsedAt
            ? left.lastUsedAt < right.lastUsedAt
            : left.digest.bytes.lexicographicallyPrecedes(right.digest.bytes)
    }

    func touch(_ session: Session) throws(AccountError) {
        try beginWriting(.touchSession)
        rows.sessions[session.digest]?.lastUsedAt = session.lastUsedAt
        rows.sessions[session.digest]?.tag = session.tag
    }

    func deleteSession(_ digest: SessionDigest) throws(AccountError) {
        try beginWriting(.deleteSession)
        rows.sessions.removeValue(forKey: digest)
    }

    func deleteSessions(of account: AccountID) throws(AccountError) -> Int {
        try beginWriting(.deleteSessions)
        let before = rows.sessions.count
        rows.sessions = rows.sessions.filter { $0.value.account != account }
        return before - rows.sessions.count
    }

    func deleteSessions(createdBy creation: Timestamp, lastUsedBy use: Timestamp) throws(AccountError) -> Int {
        try beginWriting(.deleteSessions)
        let before = rows.sessions.count
        rows.sessions = rows.sessions.filter { $0.value.createdAt > creation && $0.value.lastUsedAt > use }
        return before - rows.sessions.count
    }

    // MARK: Recovery

    func insert(_ request: RecoveryRequest) throws(AccountError) {
        try beginWriting(.insertRecoveryRequest)
        if case .account(let id) = request.throttle, rows.accounts[id] == nil { throw .noSuchAccount }
        guard rows.recovery[request.tag] == nil else { throw failConstraint() }
        rows.recovery[request.tag] = .init(request: request)
    }

    func recoveryRequest(_ tag: RecoveryCodeTag) throws(AccountError) -> RecoveryRequest? {
        try begin(.recoveryRequest)
        guard let row = rows.recovery[tag], !row.isUsed else { return nil }
        return row.request
    }

    func spendRecoveryCode(_ tag: RecoveryCodeTag, at time: Timestamp) throws(AccountError) -> RecoveryRequest? {
        try beginWriting(.spendRecoveryCode)
        guard let row = rows.recovery[tag], !row.isUsed else { return nil }
        rows.recovery[tag]?.isUsed = true
        return row.request
    }

    func spendRecoveryCodes(expiredBy time: Timestamp) throws(AccountError) {
        try beginWriting(.spendRecoveryCode)
        for (tag, row) in rows.recovery where row.request.expiresAt <= time { rows.recovery[tag]?.isUsed = true }
    }

    func recoveryRequests(in throttle: Throttle, since time: Timestamp) throws(AccountError) -> Int {
        try begin(.recoveryRequests)
        return rows.recovery.values.count {
            $0.request.newEmail == nil && $0.request.throttle == throttle && $0.request.createdAt >= time
        }
    }

    func emailChanges(of account: AccountID, since time: Timestamp) throws(AccountError) -> Int {
        try begin(.emailChanges)
        return rows.recovery.values.count {
            $0.request.newEmail != nil && $0.request.throttle == .account(account) && $0.request.createdAt >= time
        }
    }

    func waitingAddress(of account: AccountID, at time: Timestamp) throws(AccountError) -> EmailAddress? {
        try begin(.emailChanges)
        let waiting = rows.recovery.values.filter {
            $0.request.throttle == .account(account) && !$0.isUsed && $0.request.expiresAt > time
                && $0.request.newEmail != nil
        }
        return waiting.max { $0.request.createdAt < $1.request.createdAt }?.request.newEmail
    }

    func cancelEmailChanges(of account: AccountID, at time: Timestamp) throws(AccountError) {
        try beginWriting(.spendRecoveryCode)
        for (tag, row) in rows.recovery where row.request.throttle == .account(account) && row.request.newEmail != nil {
            rows.recovery[tag]?.isUsed = true
        }
    }

    func requests(
        verifying address: EmailAddress, in throttle: Throttle?, since time: Timestamp
    ) throws(AccountError) -> Int {
        try begin(.requestsVerifying)
        return rows.recovery.values.count {
            $0.request.newEmail == address && $0.request.createdAt >= time
                && (throttle == nil || $0.request.throttle == throttle)
        }
    }

    var codeFailures: CodeFailures? {
        get throws(AccountError) {
            try begin(.codeFailures)
            return rows.codeFailures
        }
    }

    func setCodeFailures(_ codes: CodeFailures) throws(AccountError) {
        try beginWriting(.setCodeFailures)
        rows.codeFailures = codes
    }

    func deleteRecoveryRequests(of account: AccountID) throws(AccountError) {
        try beginWriting(.deleteRecoveryRequests)
        rows.recovery = rows.recovery.filter { $0.value.request.throttle != .account(account) }
    }

    func deleteRecoveryRequests(expiredBefore time: Timestamp) throws(AccountError) {
        try beginWriting(.deleteExpiredRecoveryRequests)
        rows.recovery = rows.recovery.filter { $0.value.request.expiresAt >= time }
    }

    // MARK: Throttle

    func failures(in throttle: Throttle) throws(AccountError) -> ThrottleFailures? {
        try begin(.failures)
        if case .device(let digest) = throttle {
            let known = rows.devices[digest].flatMap { $0.failures > 0 ? $0 : nil }
            return known.map { ThrottleFailures(count: $0.failures, lastAt: $0.lastUsedAt) }
        }
        return rows.failures[throttle]
    }

    func setFailures(_ failures: ThrottleFailures?, in throttle: Throttle) throws(AccountError) {
        try beginWriting(.setFailures)
        if case .device(let digest) = throttle {
            rows.devices[digest]?.failures = failures?.count ?? 0
            return
        }
        switch throttle {
        case .account(let id), .codes(let id):
            guard failures == nil || rows.accounts[id] != nil else { throw .noSuchAccount }
        case .unknownName, .identifier, .codesFromNetwork, .device: break
        }
        rows.failures[throttle] = failures
    }

    func throttlesWithUnrecordedRefusals(
        since time: Timestamp, limit: Int
    ) throws(AccountError) -> [(throttle: Throttle, failures: ThrottleFailures)] {
        try begin(.throttlesWithUnrecordedRefusals)
        let throttles = rows.failures.filter { _, failures in
            failures.refusals.map { $0.counted > 0 && $0.since <= time } ?? false
        }
        return throttles.map { (throttle: $0.key, failures: $0.value) }.sorted { left, right in
            (left.failures.refusals?.since ?? time) < (right.failures.refusals?.since ?? time)
        }.prefix(max(limit, 0)).map(\.self)
    }

    func failures(ofSource number: UInt16) throws(AccountError) -> SourceFailures? {
        try begin(.sourceFailures)
        return rows.sources[number]
    }

    func setFailures(_ failures: SourceFailures, ofSource number: UInt16) throws(AccountError) {
        try beginWriting(.setSourceFailures)
        rows.sources[number] = failures
    }

    func device(_ digest: [UInt8]) throws(AccountError) -> KnownDevice? {
        try begin(.device)
        return rows.devices[digest]
    }

    func setDevice(_ device: KnownDevice) throws(AccountError) {
        try beginWriting(.setDevice)
        guard rows.accounts[device.account] != nil else { throw .noSuchAccount }
        rows.devices[device.digest] = device
    }

    func devices(of account: AccountID) throws(AccountError) -> [KnownDevice] {
        try begin(.devices)
        return rows.devices.values.filter { $0.account == account }
    }

    func deleteDevice(_ digest: [UInt8]) throws(AccountError) {
        try beginWriting(.deleteDevices)
        rows.devices[digest] = nil
    }

    func deleteDevices(of account: AccountID) throws(AccountError) {
        try beginWriting(.deleteDevices)
        rows.devices = rows.devices.filter { $0.value.account != account }
    }

    func deleteDevices(lastUsedBy time: Timestamp) throws(AccountError) {
        try beginWriting(.deleteDevices)
        rows.devices = rows.devices.filter { $0.value.lastUsedAt > time }
    }

    // MARK: Operator tokens

    func insert(_ token: OperatorToken) throws(AccountError) {
        try beginWriting(.insertToken)
        guard !rows.tokens.contains(where: { $0.digest == token.digest }) else { throw failConstraint() }
        rows.tokens.append(token)
    }

    func operatorToken(_ digest: [UInt8]) throws(AccountError) -> OperatorToken? {
        try begin(.operatorToken)
        return rows.tokens.first { $0.digest == digest }
    }

    var operatorTokens: [OperatorToken] {
        get throws(AccountError) {
            try begin(.operatorTokens)
            return rows.tokens
        }
    }

    func touchOperatorToken(_ digest: [UInt8], at time: Timestamp) throws(AccountError) {
        try beginWriting(.touchToken)
        guard let index = rows.tokens.firstIndex(where: { $0.digest == digest }) else { return }
        rows.tokens[index].lastUsedAt = time
    }

    func deleteOperatorToken(_ digest: [UInt8]) throws(AccountError) -> Bool {
        try beginWriting(.deleteToken)
        let before = rows.tokens.count
        rows.tokens.removeAll { $0.digest == digest }
        return rows.tokens.count < before
    }
}
