import LatchkeyForms
public import LatchkeySecrets

extension AccountService {
    /// How many records one transaction looks at: while it reads, nobody can commit.
    private static let pageSize = 512

    /// The next piece of the audit trail, of which ``AuditPage/rows`` are those that `filter` admits.
    ///
    /// - Parameter sequence: where the last piece ended; 0 for the first.
    public func auditPage(
        after sequence: Int64, matching filter: AuditFilter = AuditFilter()
    ) async throws(AccountError) -> AuditPage {
        try await store.read { (transaction) throws(AccountError) in
            try Self.page(after: sequence, matching: filter, in: transaction)
        }
    }

    /// The same for the owner of a session: their own account's records, whatever `filter` says of the account.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword`` for a session that may do nothing else.
    public func auditPage(
        ofOwner token: Secret, after sequence: Int64, matching filter: AuditFilter = AuditFilter()
    ) async throws(AccountError) -> AuditPage {
        let live = try await session(for: token)
        guard live.session.scope == .full else { throw .mustChangePassword }
        var own = filter
        own.account = live.account.id
        return try await auditPage(after: sequence, matching: own)
    }

    private static func page(
        after sequence: Int64, matching filter: AuditFilter, in transaction: any AuditRows
    ) throws(AccountError) -> AuditPage {
        let rows = try transaction.auditRows(after: sequence, limit: pageSize)
        return AuditPage(rows: rows.filter(filter.admits), last: rows.last?.sequence)
    }

    /// The newest record with its hash; nil where there is none.
    public func auditEnd() async throws(AccountError) -> AuditRow? {
        try await store.read { (transaction) throws(AccountError) in
            guard let head = try transaction.auditHead else { return nil }
            return try transaction.auditRows(after: head.sequence - 1, limit: 1).first
        }
    }

    /// Recomputes the chain of the audit trail.
    ///
    /// - Parameters:
    ///   - first: the record to begin with, and what stands before it is believed; by default the first that there is.
    ///   - anchors: heads that were kept elsewhere. Without them nothing is proved against who owns the store.
    public func verifyAudit(
        from first: Int64? = nil, anchors: [AuditAnchor] = []
    ) async throws(AccountError) -> AuditVerification {
        while true {
            var verifier = try await store.read { (transaction) throws(AccountError) in
                try AuditVerifier(from: first, anchors: anchors, in: transaction)
            }
            if try await verifyToEnd(&verifier) { return verifier.result }
        }
    }

    /// False where a segment that was still to be read has been dropped meanwhile.
    private func verifyToEnd(_ verifier: inout AuditVerifier) async throws(AccountError) -> Bool {
        while verifier.finding == nil {
            let sequence = verifier.chain.sequence
            let (rows, start) = try await store.read { (transaction) throws(AccountError) in
                (
                    try transaction.auditRows(after: sequence, limit: Self.pageSize),
                    try transaction.auditRows(after: 0, limit: 1).first
                )
            }
            if rows.isEmpty { return true }
            if let start, start.sequence > sequence + 1, start.rotation != nil { return false }
            verifier.take(rows)
        }
        return true
    }

    /// Runs `body`, and records that it refused what it was given: forms have refused bad values before they came here,
    /// so that somebody goes round them, or tries for what others have.
    func recordingRefusals<Value>(
        about account: AccountID?, _ trail: AuditTrail, _ body: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        do {
            return try await body()
        } catch {
            let reason: AuditReason
            switch error {
            case .refused(let failures): reason = .refused(by: failures.first?.code)
            case .taken: reason = .refused(by: .taken)
            default: throw error
            }
            // Nothing was changed that would have to be undone, and the answer is the refusal.
            try? await store.write { [clock] (transaction) throws(AccountError) in
                try trail.append(.inputRefused, about: account, reason: reason, at: clock.now(), in: transaction)
            }
            throw error
        }
    }
}
