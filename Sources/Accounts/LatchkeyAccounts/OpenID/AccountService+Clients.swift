import LatchkeyForms
public import LatchkeySecrets

/// The applications whose users log in with Latchkey, as operators manage them.
extension AccountService {
    /// The maximum number of applications in a store.
    public static let maximumClients = 1000

    /// The reason why an operator's call about an application is refused.
    public enum ClientRefusal: Error, Equatable, Sendable {
        /// There is no application with this ID.
        case unknown
        /// There is an application with this ID.
        case exists
        /// The store has ``AccountService/maximumClients``.
        case tooMany
        /// The application has two secrets.
        case hasTwoSecrets
        /// The application has only one secret, which cannot be retired.
        case hasOneSecret
        /// A public application has no secrets.
        case isPublic
        /// The application has a secret, which a public one cannot keep.
        case hasSecret
        /// The ID is not a `ClientID`.
        case badID
        /// A setting is unknown, missing or has no valid value.
        case unreadable(ClientSettingsFailure)
        /// A rule refuses a setting.
        case refused(ClientSettings.Problem)
        case failed(AccountError)
    }

    /// All applications, ordered by ID.
    public func clients() async throws(AccountError) -> [Client] {
        try await store.read { [self] (transaction) throws(AccountError) in
            try transaction.clients.compactMap { verified($0) }
        }
    }

    /// Whether there is an application. Cheaper than reading all of them.
    public func hasClients() async throws(AccountError) -> Bool {
        try await store.read { (transaction) throws(AccountError) in try transaction.hasClients }
    }

    /// The application with this ID, enabled or not; nil if there is none.
    public func client(_ id: String) async throws(AccountError) -> Client? {
        try await store.read { [self] (transaction) throws(AccountError) in try client(id, in: transaction) }
    }

    /// The application with this ID, for a request that authenticates as it. An unknown ID takes as long.
    public func authenticatingClient(_ id: String) async throws(AccountError) -> Client? {
        try await store.read { [self] (transaction) throws(AccountError) in
            try authenticatingClient(id, in: transaction)
        }
    }

    func authenticatingClient(_ id: String, in transaction: any ClientRows) throws(AccountError) -> Client? {
        let found = verified(try transaction.clientOrNeighbor(id))
        return found.flatMap { $0.id.utf8.elementsEqual(id.utf8) ? $0 : nil }
    }

    /// Adds an application.
    ///
    /// - Parameters:
    ///   - id: a `ClientID`.
    ///   - given: the secret that the application has already; nil to generate one. A public application has none.
    ///   - actor: who does it, for the audit trail.
    ///   - settings: its settings.
    /// - Returns: the application, and the generated secret: 43 unreserved characters, which are not stored.
    public func addClient(
        _ id: String, _ settings: ClientSettings, secret given: Secret? = nil, by actor: AuditActor
    ) async throws(ClientRefusal) -> (client: Client, secret: Secret?) {
        guard ClientID(id) != nil else { throw .badID }
        if let problem = settings.contradiction { throw .refused(problem) }
        if settings.isPublic, given != nil { throw .isPublic }
        let secret = settings.isPublic || given != nil ? nil : try newClientSecret()
        let stored = settings.isPublic ? nil : given ?? secret
        return try await changingClients(by: actor) { [self] (now, trail, transaction) throws(AccountError) in
            guard try client(id, in: transaction) == nil else { return .failure(.exists) }
            guard try transaction.clients.count < Self.maximumClients else { return .failure(.tooMany) }
            let client = key.tagged(
                Client(
                    id: id, settings: settings,
                    secretDigests: stored.map { [key.digest(ofClientSecret: $0, of: id)] } ?? [], createdAt: now))
            try transaction.insert(client)
            try trail.append(.clientAdded, about: nil, reason: .client(id), at: now, in: transaction)
            return .success((client, secret))
        }
    }

    /// Changes an application. Its tokens stay valid.
    ///
    /// - Parameters:
    ///   - droppingSecrets: whether an application that becomes public loses its secrets. Otherwise, the change is refused
    ///     if it has one.
    ///   - change: changes the application as it is stored then.
    ///   - id: the ID of the application.
    ///   - actor: who does it, for the audit trail.
    /// - Returns: the application, also if `change` leaves it as it is.
    @discardableResult
    public func updateClient(
        _ id: String, droppingSecrets: Bool = false, by actor: AuditActor,
        _ change: @escaping @Sendable (inout Client) throws(ClientRefusal) -> Void
    ) async throws(ClientRefusal) -> Client {
        try await changingClients(by: actor) { [self] (now, trail, transaction) throws(AccountError) in
            guard let old = try client(id, in: transaction) else { return .failure(.unknown) }
            var new = old
            do throws(ClientRefusal) { try change(&new) } catch { return .failure(error) }
            if new.settings != old.settings, let problem = new.settings.contradiction {
                return .failure(.refused(problem))
            }
            if new.settings.isPublic, !new.secretDigests.isEmpty {
                guard droppingSecrets else { return .failure(.hasSecret) }
                new.secretDigests = []
            }
            guard new != old else { return .success(old) }
            return .success(try store(new, at: now, trail, in: transaction))
        }
    }

    /// Adds a second secret to an application. Both are valid until the first one is retired.
    ///
    /// - Returns: the application, and the new secret, which is not stored.
    public func addClientSecret(
        to id: String, by actor: AuditActor
    ) async throws(ClientRefusal) -> (client: Client, secret: Secret) {
        let secret = try newClientSecret()
        return try await changingClients(by: actor) { [self] (now, trail, transaction) throws(AccountError) in
            guard var client = try client(id, in: transaction) else { return .failure(.unknown) }
            guard !client.settings.isPublic else { return .failure(.isPublic) }
            guard client.secretDigests.count < 2 else { return .failure(.hasTwoSecrets) }
            client.secretDigests.append(key.digest(ofClientSecret: secret, of: id))
            return .success((try store(client, at: now, trail, in: transaction), secret))
        }
    }

    /// Deletes the older one of an application's two secrets.
    @discardableResult
    public func retireClientSecret(of id: String, by actor: AuditActor) async throws(ClientRefusal) -> Client {
        try await changingClients(by: actor) {
            [self] (now, trail, transaction) throws(AccountError) -> Result<Client, ClientRefusal> in
            guard var client = try client(id, in: transaction) else { return .failure(.unknown) }
            guard client.secretDigests.count == 2 else { return .failure(.hasOneSecret) }
            client.secretDigests.removeFirst()
            return .success(try store(client, at: now, trail, in: transaction))
        }
    }

    /// Deletes a secret that could not be shown to the operator.
    public func withdraw(_ secret: Secret, of id: String, by actor: AuditActor) async throws(ClientRefusal) {
        try await changingClients(by: actor) {
            [self] (now, trail, transaction) throws(AccountError) -> Result<Void, ClientRefusal> in
            guard var client = try client(id, in: transaction) else { return .failure(.unknown) }
            let digest = key.digest(ofClientSecret: secret, of: id)
            client.secretDigests.removeAll { $0 == digest }
            _ = try store(client, at: now, trail, in: transaction)
            return .success(())
        }
    }

    /// Removes an application with its requests, consents and tokens.
    public func removeClient(_ id: String, by actor: AuditActor) async throws(ClientRefusal) {
        try await changingClients(by: actor) {
            [self] (now, trail, transaction) throws(AccountError) -> Result<Void, ClientRefusal> in
            guard try client(id, in: transaction) != nil, try transaction.deleteClient(id) else {
                return .failure(.unknown)
            }
            try trail.append(.clientRemoved, about: nil, reason: .client(id), at: now, in: transaction)
            return .success(())
        }
    }

    /// The names that no group has, each once.
    package func unknownGroups(_ names: [String]) async throws(AccountError) -> [String] {
        guard !names.isEmpty else { return [] }
        let known = Set(try await groups().map(\.group.name.text))
        var unknown: [String] = []
        for name in names where !known.contains(name) && !unknown.contains(name) { unknown.append(name) }
        return unknown
    }

    /// Whether `secret` is one of the client's. A client without secrets, and no client at all, take as long.
    public func verifies(_ secret: Secret, of client: Client?) -> Bool {
        let digest = key.digest(ofClientSecret: secret, of: client?.id ?? "")
        let decoy = [UInt8](repeating: 0, count: digest.count)
        let stored = client?.secretDigests ?? []
        var isOne = false
        for place in 0..<2 {
            let isEqual = ConstantTime.areEqual(digest.span, (place < stored.count ? stored[place] : decoy).span)
            isOne = isOne || isEqual && place < stored.count
        }
        return isOne
    }

    /// The application with this ID that the store's key has tagged; nil if there is none.
    func client(_ id: String, in transaction: any ClientRows) throws(AccountError) -> Client? {
        verified(try transaction.client(id))
    }

    private func store(
        _ client: Client, at now: Timestamp, _ trail: AuditTrail, in transaction: any ClientRows & AuditTrail.Rows
    ) throws(AccountError) -> Client {
        let client = key.tagged(client)
        try transaction.update(client)
        try trail.append(.clientChanged, about: nil, reason: .client(client.id), at: now, in: transaction)
        return client
    }

    private func newClientSecret() throws(ClientRefusal) -> Secret {
        do throws(AccountError) { return try SessionToken.text([], from: random) } catch { throw .failed(error) }
    }

    private func changingClients<Value: Sendable>(
        by actor: AuditActor,
        _ body:
            @escaping @Sendable (Timestamp, AuditTrail, any StoreTransaction) throws(AccountError) -> Result<
                Value, ClientRefusal
            >
    ) async throws(ClientRefusal) -> Value {
        let result: Result<Value, ClientRefusal>
        do throws(AccountError) {
            let trail = try newTrail(by: actor)
            result = try await store.write { [clock] (transaction) throws(AccountError) in
                try body(clock.now(), trail, transaction)
            }
        } catch {
            throw .failed(error)
        }
        return try result.get()
    }
}
