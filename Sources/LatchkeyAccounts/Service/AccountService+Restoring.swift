extension AccountService {
    /// Makes the content of a restored store safe to use: no session and no code of its time is alive.
    ///
    /// - Parameters:
    ///   - keyIsNew: whether the store's key is another than the one that its throttle lanes go by; those are cleared
    ///     then, for nobody could find or clear them any more.
    ///   - actor: who restored it, for the audit trail.
    public func revokeAfterRestoring(keyIsNew: Bool, by actor: AuditActor) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.write { [clock] (transaction) throws(AccountError) in
            try transaction.revokeEverything(throttles: keyIsNew)
            try trail.append(.backupRestored, about: nil, at: clock.now(), in: transaction)
        }
    }
}
