extension AccountService {
    var sealer: AuditSealer { AuditSealer(key: key, limits: settings.audit) }

    /// Prepares a store on a database server for many transactions at the same time. The service does this when it starts.
    public func prepareStore() async throws(AccountError) {
        guard !database.sealsAtOnce else { return }
        try await database.seal { (transaction) throws(AccountError) in try transaction.addThrottles() }
    }

    /// Moves the audit records that wait on a database server into the trail, and raises the store's mark of the clock.
    ///
    /// The service does this every second. In other programs, each change does it at its end.
    ///
    /// - Returns: whether records were waiting. Always false for a store on this machine.
    @discardableResult
    public func sealAudit() async throws(AccountError) -> Bool { try await sealer.sealAll(in: database) }
}

extension AuditSealer {
    /// Moves the records of all lanes into the trail: see ``AccountService/sealAudit()``.
    @discardableResult
    package func sealAll(in store: any AccountStore) async throws(AccountError) -> Bool {
        guard !store.sealsAtOnce,
            try await store.read({ (transaction) throws(AccountError) in try transaction.needsSealing })
        else { return false }
        do throws(AccountError) {
            var isPart = true
            while isPart {
                isPart = try await store.seal { (transaction) throws(AccountError) in
                    try transaction.raiseClockMark()
                    return try sealLanes(in: transaction)
                }
            }
            return true
        } catch .store(.readOnly) {
            // A standby has only what the primary has sealed.
            return false
        }
    }
}
