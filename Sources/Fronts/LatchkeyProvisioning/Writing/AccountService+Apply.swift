package import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

extension AccountService {
    /// The maximum number of accounts per transaction.
    private static let batchSize = 100
    /// The number of hashes per job in a batch, for imports as well.
    static let hashesPerJob = 8

    /// Carries out a plan in batches, each in one transaction. Every change has its own audit record.
    ///
    /// - Parameters:
    ///   - jobs: the number of passwords to hash in parallel, at least 1.
    ///   - done: called with changes when they are durable. If it returns false, the call stops before the next batch.
    /// - Throws: ``AccountError/taken(field:)`` or ``AccountError/noSuchAccount`` if the accounts have changed since
    ///   the planning; errors of hashing and of the store. Earlier batches stay in the store.
    package func carryOut(
        _ plan: DesiredPlan, jobs: Int, by actor: AuditActor, done: ([DesiredChange]) -> Bool
    ) async throws(AccountError) {
        var rest = plan.steps[...]
        var goesOn = true
        while goesOn, !rest.isEmpty {
            var passwords: [(place: Int, password: Secret)] = []
            var batch: [(step: DesiredPlan.Step, changes: [DesiredChange])] = []
            while let entry = rest.first, batch.count < Self.batchSize, passwords.count < Self.hashesPerJob * jobs {
                if let password = entry.step.password { passwords.append((batch.count, password)) }
                batch.append(entry)
                rest.removeFirst()
            }
            let hashes = try await hashes(of: passwords, jobs: jobs)
            try await carryOut(batch.map(\.step), hashes, by: actor)
            goesOn = done(batch.flatMap(\.changes))
        }
        await deliverMessages()
    }

    private func carryOut(
        _ steps: [DesiredPlan.Step], _ hashes: [Int: BareHash], by actor: AuditActor
    ) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let seal = try seal(in: transaction)
            try removeUnverified(at: now, trail, in: transaction)
            var known = KnownGroups()
            for (place, step) in steps.enumerated() {
                switch step {
                case .createGroup(let group):
                    // Another process may have created it since the planning.
                    guard try transaction.group(group.name) == nil else { continue }
                    try create(group.name, title: group.title, at: now, trail, in: transaction)
                case .delete(let id):
                    guard let account = try transaction.account(.id(id)) else { throw .noSuchAccount }
                    try remove(account, at: now, trail, in: transaction)
                case .create(let row):
                    let id = if let given = row.id { given } else { try newAccountID() }
                    let account = try row.newAccount(
                        id, hashes[place], at: now, sealedWith: seal, for: actor, by: self)
                    try moveName(of: account, from: nil, at: now, in: transaction)
                    try transaction.insert(account)
                    var records: [AuditTrail.Entry] = [(.userCreated, .none)]
                    if let groups = row.groups, !groups.isEmpty {
                        try known.check(groups, in: transaction)
                        records += try changeGroups(of: account.id, to: groups, in: transaction)
                    }
                    try trail.append(records, about: account.id, at: now, in: transaction)
                case .change(let id, let row, let setsPassword):
                    guard let account = try transaction.account(.id(id)) else { throw .noSuchAccount }
                    if let failure = row.nameFailure, account.username != row.username { throw .refused([failure]) }
                    var revision = AccountRevision(of: account, by: row)
                    if setsPassword {
                        try revision.setPassword(hashes[place], at: now, sealedWith: seal, by: self)
                    }
                    try carryOut(revision, at: now, trail, in: transaction)
                    guard let groups = row.groups else { continue }
                    try known.check(groups, in: transaction)
                    try setGroups(
                        of: id, from: try transaction.groups(of: id), to: groups, at: now, trail, in: transaction)
                }
            }
        }
    }

    private func carryOut(
        _ revision: AccountRevision, at now: Timestamp, _ trail: AuditTrail, in transaction: any StoreTransaction
    ) throws(AccountError) {
        // Another process may have made the same changes since the planning.
        guard !revision.isEmpty else { return }
        try revision.write(at: now, trail, by: self, in: transaction)
        let id = revision.old.id
        if !revision.fields.isEmpty {
            let reason = revision.changesAddress ? AuditReason.emailChanged : .none
            try trail.append(.userUpdated, about: id, reason: reason, at: now, in: transaction)
        }
        if revision.changesState {
            try trail.append(
                .administered, about: id, reason: .became(revision.new.state), at: now, in: transaction)
        }
    }
}

extension DesiredPlan.Step {
    /// The password to hash before the step; nil if there is none.
    fileprivate var password: Secret? {
        switch self {
        case .create(let row), .change(_, let row, setsPassword: true):
            if case .plain(let password) = row.password { password } else { nil }
        case .createGroup, .delete, .change: nil
        }
    }
}
