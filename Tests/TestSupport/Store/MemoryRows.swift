import LatchkeyAccounts

/// Everything that a `MemoryAccountStore` holds.
struct MemoryRows: Sendable {
    struct AuditRow: Sendable {
        let record: AuditRecord
        let hash: [UInt8]
    }

    struct RecoveryRow: Sendable {
        let request: RecoveryRequest
        var isUsed = false
    }

    let storeID: [UInt8]
    var accounts: [AccountID: Account] = [:]
    var sessions: [SessionDigest: Session] = [:]
    var recovery: [RecoveryCodeTag: RecoveryRow] = [:]
    var failures: [ThrottleLane: ThrottleFailures] = [:]
    var outbox: [OutboxMessage] = []
    var audit: [AuditRow] = []

    init(storeID: [UInt8]) { self.storeID = storeID }
}
