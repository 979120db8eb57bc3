import LatchkeyForms
public import LatchkeySecrets

/// An application as a file describes it.
public struct DesiredClient: Sendable {
    /// The ID of the application.
    public let id: String
    /// All settings: those that the file does not have are the defaults.
    public let settings: ClientSettings
    /// The secret; nil to keep the stored ones.
    public let secret: Secret?
    /// Whether the application is disabled; nil to keep its state. A new one is enabled.
    public let isDisabled: Bool?

    /// Creates an application.
    public init(id: String, settings: ClientSettings, secret: Secret?, isDisabled: Bool? = nil) {
        self.id = id
        self.settings = settings
        self.secret = secret
        self.isDisabled = isDisabled
    }
}

/// A difference between the stored applications and those of a file.
public struct ClientChange: Equatable, Sendable {
    /// What happens to an application.
    public enum Action: String, Sendable {
        case create, update, remove
    }

    /// What happens to the application.
    public let action: Action
    /// The ID of the application.
    public let id: String
    /// The settings that change, `secret` and `disabled`.
    public let keys: [String]
}

extension AccountService {
    /// Brings the stored applications into the state of a file, in one transaction. Counters and consents stay.
    ///
    /// - Parameters:
    ///   - pruning: whether to remove the applications that the file does not name.
    ///   - isDryRun: whether to change nothing.
    ///   - desired: the desired applications.
    ///   - actor: who does it, for the audit trail.
    public func apply(
        _ desired: [DesiredClient], pruning: Bool, isDryRun: Bool, by actor: AuditActor
    ) async throws(AccountError) -> [ClientChange] {
        let trail = try newTrail(by: actor)
        let body: @Sendable (any StoreTransaction) throws(AccountError) -> [ClientChange] = {
            [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let stored = try transaction.clients
            var changes: [ClientChange] = []
            for new in desired {
                let old = stored.first { $0.id.utf8.elementsEqual(new.id.utf8) }
                guard let change = change(of: old, to: new) else { continue }
                changes.append(change)
                guard !isDryRun else { continue }
                var client = old ?? Client(id: new.id, settings: new.settings, secretDigests: [], createdAt: now)
                client.settings = new.settings
                client.isDisabled = new.isDisabled ?? client.isDisabled
                if let secret = new.secret, !verifies(secret, of: client) {
                    client.secretDigests = [key.digest(ofClientSecret: secret, of: new.id)]
                }
                if new.settings.isPublic { client.secretDigests = [] }
                client = key.tagged(client)
                if old == nil { try transaction.insert(client) } else { try transaction.update(client) }
                try trail.append(
                    old == nil ? .clientAdded : .clientChanged, about: nil, reason: .client(new.id), at: now,
                    in: transaction)
            }
            for old in stored where pruning && !desired.contains(where: { $0.id.utf8.elementsEqual(old.id.utf8) }) {
                changes.append(ClientChange(action: .remove, id: old.id, keys: []))
                guard !isDryRun else { continue }
                _ = try transaction.deleteClient(old.id)
                try trail.append(.clientRemoved, about: nil, reason: .client(old.id), at: now, in: transaction)
            }
            guard stored.count + changes.count(where: { $0.action == .create }) <= Self.maximumClients || isDryRun
            else { throw .taken(field: FieldKey(rawValue: "client_id")) }
            return changes
        }
        return isDryRun ? try await store.read(body) : try await store.write(body)
    }

    /// Nil if nothing changes. A row that the store's key has not tagged is written again.
    private func change(of old: Client?, to new: DesiredClient) -> ClientChange? {
        guard let old else {
            return ClientChange(action: .create, id: new.id, keys: new.isDisabled == true ? ["disabled"] : [])
        }
        var keys = zip(old.settings.members, new.settings.members).compactMap { $0.value == $1.value ? nil : $0.key }
        let dropsSecret = new.settings.isPublic && !old.secretDigests.isEmpty
        if dropsSecret || new.secret.map({ !verifies($0, of: old) }) ?? false { keys.append("secret") }
        if let isDisabled = new.isDisabled, isDisabled != old.isDisabled { keys.append("disabled") }
        guard !keys.isEmpty || !key.hasTagged(old) else { return nil }
        return ClientChange(action: .update, id: new.id, keys: keys)
    }
}
