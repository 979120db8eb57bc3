import LatchkeyAccounts
import LatchkeyForms

extension MemoryTransaction {
    func insert(_ client: Client) throws(AccountError) {
        try beginWriting(.insertClient)
        guard rows.clients[client.id] == nil else { throw .taken(field: FieldKey(rawValue: "client_id")) }
        rows.clients[client.id] = client
    }

    func client(_ id: String) throws(AccountError) -> Client? {
        try begin(.client)
        return rows.clients[id]
    }

    func clientOrNeighbor(_ id: String) throws(AccountError) -> Client? {
        let sorted = try clients
        return sorted.first { !Array($0.id.utf8).lexicographicallyPrecedes(Array(id.utf8)) } ?? sorted.last
    }

    var hasClients: Bool {
        get throws(AccountError) {
            try begin(.clients)
            return !rows.clients.isEmpty
        }
    }

    var clients: [Client] {
        get throws(AccountError) {
            try begin(.clients)
            return rows.clients.values.sorted { Array($0.id.utf8).lexicographicallyPrecedes(Array($1.id.utf8)) }
        }
    }

    func update(_ client: Client) throws(AccountError) {
        try beginWriting(.updateClient)
        guard rows.clients[client.id] != nil else { return }
        rows.clients[client.id] = client
    }

    func deleteClient(_ id: String) throws(AccountError) -> Bool {
        try beginWriting(.deleteClient)
        guard rows.clients.removeValue(forKey: id) != nil else { return false }
        rows.authorizations = rows.authorizations.filter { $0.value.client != id }
        rows.consents = rows.consents.mapValues { $0.filter { $0.client != id } }
        removeGrants { $0.client == id }
        rows.deviceRequests = rows.deviceRequests.filter { $0.value.client != id }
        return true
    }

    // MARK: Signing keys

    func insert(_ key: SigningKeyRecord) throws(AccountError) {
        try beginWriting(.insertSigningKey)
        guard !rows.signingKeys.contains(where: { $0.id == key.id }) else { throw failConstraint() }
        rows.signingKeys.append(key)
    }

    var signingKeys: [SigningKeyRecord] {
        get throws(AccountError) {
            try begin(.signingKeys)
            return rows.signingKeys
        }
    }

    func update(_ key: SigningKeyRecord) throws(AccountError) {
        try beginWriting(.updateSigningKey)
        guard let place = rows.signingKeys.firstIndex(where: { $0.id == key.id }) else { return }
        rows.signingKeys[place] = key
    }

    func deleteSigningKeys(retiredBy time: Timestamp) throws(AccountError) {
        try beginWriting(.deleteSigningKeys)
        rows.signingKeys.removeAll { $0.retiredAt.map { $0 <= time } ?? false }
    }

    // MARK: Requests and consents

    func insert(_ request: WaitingAuthorization) throws(AccountError) {
        try beginWriting(.insertAuthorization)
        guard rows.clients[request.client] != nil else { throw .noSession }
        guard rows.authorizations[request.digest] == nil else { throw failConstraint() }
        rows.authorizations[request.digest] = request
    }

    func waitingAuthorization(_ digest: [UInt8]) throws(AccountError) -> WaitingAuthorization? {
        try begin(.authorization)
        return rows.authorizations[digest]
    }

    func deleteWaitingAuthorization(_ digest: [UInt8]) throws(AccountError) -> Bool {
        try beginWriting(.deleteAuthorizations)
        return rows.authorizations.removeValue(forKey: digest) != nil
    }

    func waitingAuthorizations(from network: [UInt8], after time: Timestamp) throws(AccountError) -> [Timestamp] {
        try begin(.authorization)
        return rows.authorizations.values.filter { $0.network == network && $0.createdAt > time }.map(\.createdAt)
            .sorted()
    }

    func deleteWaitingAuthorizations(
        of browser: [UInt8], from network: [UInt8], keeping count: Int
    ) throws(AccountError) {
        try beginWriting(.deleteAuthorizations)
        let all = rows.authorizations.values.filter { $0.network == network && $0.browser == browser }
        let own = all.sorted { left, right in
            left.createdAt != right.createdAt
                ? left.createdAt > right.createdAt : left.digest.lexicographicallyPrecedes(right.digest)
        }
        for request in own.dropFirst(max(count, 0)) { rows.authorizations[request.digest] = nil }
    }

    func deleteWaitingAuthorizations(createdBy time: Timestamp) throws(AccountError) {
        try beginWriting(.deleteAuthorizations)
        rows.authorizations = rows.authorizations.filter { $0.value.createdAt > time }
    }

    func consent(of account: AccountID, to client: String) throws(AccountError) -> Consent? {
        try begin(.consents)
        return rows.consents[account]?.first { $0.client == client }
    }

    func consents(of account: AccountID) throws(AccountError) -> [Consent] {
        try begin(.consents)
        return (rows.consents[account] ?? []).sorted {
            Array($0.client.utf8).lexicographicallyPrecedes(Array($1.client.utf8))
        }
    }

    func setConsent(_ consent: Consent, of account: AccountID) throws(AccountError) {
        try beginWriting(.setConsent)
        guard rows.accounts[account] != nil, rows.clients[consent.client] != nil else { throw .noSuchAccount }
        rows.consents[account, default: []].removeAll { $0.client == consent.client }
        rows.consents[account, default: []].append(consent)
    }

    func deleteConsent(of account: AccountID, to client: String) throws(AccountError) -> Bool {
        try beginWriting(.deleteConsent)
        let before = rows.consents[account]?.count ?? 0
        rows.consents[account]?.removeAll { $0.client == client }
        return rows.consents[account]?.count ?? 0 < before
    }

    // MARK: Grants

    func insert(_ grant: AccessGrant) throws(AccountError) {
        try beginWriting(.insertGrant)
        guard rows.accounts[grant.account] != nil, rows.clients[grant.client] != nil else { throw .noSuchAccount }
        rows.grants.append(grant)
    }

    func insert(_ token: GrantToken) throws(AccountError) {
        try beginWriting(.insertGrantToken)
        guard rows.grants.contains(where: { $0.id == token.grant }) else { throw .noSession }
        guard rows.grantTokens[token.digest] == nil else { throw failConstraint() }
        rows.grantTokens[token.digest] = token
    }

    func grantToken(_ digest: [UInt8]) throws(AccountError) -> (token: GrantToken, grant: AccessGrant)? {
        try begin(.grantToken)
        guard let token = rows.grantTokens[digest], let grant = rows.grants.first(where: { $0.id == token.grant })
        else { return nil }
        return (token, grant)
    }

    func grant(_ id: [UInt8]) throws(AccountError) -> AccessGrant? {
        try begin(.grants)
        return rows.grants.first { $0.id == id }
    }

    func grants(of account: AccountID) throws(AccountError) -> [AccessGrant] {
        try begin(.grants)
        return rows.grants.filter { $0.account == account }
    }

    func spendGrantToken(_ digest: [UInt8], at time: Timestamp) throws(AccountError) -> Bool {
        try beginWriting(.spendGrantToken)
        guard let token = rows.grantTokens[digest], token.usedAt == nil else { return false }
        rows.grantTokens[digest]?.usedAt = time
        return true
    }

    func accessTokens(of grant: [UInt8], since time: Timestamp) throws(AccountError) -> Int {
        try begin(.accessTokens)
        return rows.grantTokens.values.count { $0.grant == grant && $0.kind == .access && $0.createdAt >= time }
    }

    func deleteGrantToken(_ digest: [UInt8]) throws(AccountError) -> Bool {
        try beginWriting(.deleteGrants)
        return rows.grantTokens.removeValue(forKey: digest) != nil
    }

    func deleteGrant(_ id: [UInt8]) throws(AccountError) -> Bool {
        try beginWriting(.deleteGrants)
        return removeGrants { $0.id == id } > 0
    }

    func deleteGrants(of account: AccountID) throws(AccountError) -> Int {
        try beginWriting(.deleteGrants)
        return removeGrants { $0.account == account }
    }

    func deleteGrants(expiredBy time: Timestamp, usedBy use: Timestamp) throws(AccountError) {
        try beginWriting(.deleteGrants)
        rows.grantTokens = rows.grantTokens.filter { _, token in
            token.expiresAt > time && (token.kind != .refresh || token.usedAt.map { $0 > use } ?? true)
        }
        let used = Set(rows.grantTokens.values.map(\.grant))
        let all = rows.grants
        let sessions = rows.sessions.values
        removeGrants { grant in
            let isNewest = all.last { $0.login == grant.login }?.id == grant.id
            let hasSession = sessions.contains { $0.account == grant.account && $0.sid == grant.sid }
            return grant.expiresAt <= time
                || grant.createdAt <= time && !used.contains(grant.id) && !(isNewest && hasSession)
        }
    }

    @discardableResult
    func removeGrants(where isGone: (AccessGrant) -> Bool) -> Int {
        let gone = Set(rows.grants.filter(isGone).map(\.id))
        rows.grants.removeAll { gone.contains($0.id) }
        rows.grantTokens = rows.grantTokens.filter { !gone.contains($0.value.grant) }
        rows.deviceRequests = rows.deviceRequests.filter { $0.value.grant.map { !gone.contains($0) } ?? true }
        return gone.count
    }

    // MARK: Devices

    func insert(_ request: DeviceRequest) throws(AccountError) -> Bool {
        try beginWriting(.insertDeviceRequest)
        guard rows.clients[request.client] != nil else { throw .noSession }
        guard !rows.deviceRequests.values.contains(where: { $0.codeTag == request.codeTag }) else { return false }
        rows.deviceRequests[request.digest] = request
        return true
    }

    var deviceRequestCount: Int {
        get throws(AccountError) {
            try begin(.deviceRequest)
            return rows.deviceRequests.count
        }
    }

    func deviceRequest(_ digest: [UInt8]) throws(AccountError) -> DeviceRequest? {
        try begin(.deviceRequest)
        return rows.deviceRequests[digest]
    }

    func deviceRequest(withCode tag: [UInt8]) throws(AccountError) -> DeviceRequest? {
        try begin(.deviceRequest)
        return rows.deviceRequests.values.first { $0.codeTag == tag }
    }

    func update(_ request: DeviceRequest) throws(AccountError) {
        try beginWriting(.updateDeviceRequest)
        guard rows.deviceRequests[request.digest] != nil else { return }
        rows.deviceRequests[request.digest] = request
    }

    func deleteDeviceRequest(_ digest: [UInt8]) throws(AccountError) -> Bool {
        try beginWriting(.deleteDeviceRequests)
        return rows.deviceRequests.removeValue(forKey: digest) != nil
    }

    func deleteDeviceRequests(createdBy time: Timestamp) throws(AccountError) {
        try beginWriting(.deleteDeviceRequests)
        rows.deviceRequests = rows.deviceRequests.filter { $0.value.createdAt > time }
    }
}

extension AccessGrant {
    /// The application and the login.
    fileprivate var login: LogoutNotice { LogoutNotice(client: client, account: account, sid: sid) }
}
