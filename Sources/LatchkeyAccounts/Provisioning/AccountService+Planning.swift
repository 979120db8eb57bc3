import LatchkeyForms
import LatchkeySecrets

/// What `rows` are about, as the store has it.
private struct DesiredTarget: Sendable {
    let account: Account?
    /// Who else has the row's name or address.
    let rivals: [(field: FieldKey, id: AccountID)]
}

extension AccountService {
    private static let pageSize = 500

    /// What has to be done so that the store is as `rows` say. Nothing is changed, and no attempt is counted, though
    /// passwords are verified.
    ///
    /// An account is the one with a row's id, or else with its username.
    ///
    /// - Parameters:
    ///   - rows: no two with one id, name or address.
    ///   - pruning: whether accounts go that no row is about.
    ///   - goesOn: told how many rows have been looked at; with false planning ends.
    public func plan(
        _ rows: [CheckedAccount], pruning: Bool, goesOn: (Int) -> Bool = { _ in true }
    ) async throws(AccountError) -> DesiredPlanning {
        var targets: [DesiredTarget] = []
        for start in stride(from: 0, to: rows.count, by: Self.pageSize) {
            targets += try await self.targets(of: Array(rows[start..<min(start + Self.pageSize, rows.count)]))
        }
        let named = Set(targets.compactMap(\.account?.id))
        var steps: [(step: DesiredPlan.Step, changes: [DesiredChange])] = []
        var doomed: Set<AccountID> = []
        if pruning {
            var last: Username?
            repeat {
                let page = try await accounts(matching: AccountFilter(), after: last, lookingAt: Self.pageSize)
                for account in page.accounts where !named.contains(account.id) {
                    doomed.insert(account.id)
                    steps.append((.delete(account.id), [DesiredChange(.delete, account.username)]))
                }
                last = page.last
            } while last != nil
        }
        let taken = targets.enumerated().flatMap { row, target in
            target.rivals.filter { !doomed.contains($0.id) }.map { (row: row, field: $0.field) }
        }
        guard taken.isEmpty else { return .taken(taken) }
        for (place, row) in rows.enumerated() {
            guard goesOn(place) else { return .ended }
            let target = targets[place]
            guard let account = target.account else {
                steps.append((.create(row), [DesiredChange(.create, row.username)]))
                continue
            }
            let setsPassword = try await setsPassword(of: account, row)
            steps.append(
                (.change(account.id, row, setsPassword: setsPassword), changes(of: account, row, setsPassword)))
        }
        return .plan(DesiredPlan(steps))
    }

    private func targets(of rows: [CheckedAccount]) async throws(AccountError) -> [DesiredTarget] {
        try await store.read { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            func account(_ lookup: AccountLookup?) throws(AccountError) -> Account? {
                guard let lookup, let found = try transaction.account(lookup) else { return nil }
                // One that nobody has proved in time goes when a new one comes.
                return now < found.verifyBy ?? Timestamp(milliseconds: .max) ? found : nil
            }
            var targets: [DesiredTarget] = []
            for row in rows {
                let named = try account(.username(row.username))
                let addressed = try account(.email(row.email))
                let target = if let id = row.id { try account(.id(id)) } else { named }
                var rivals: [(field: FieldKey, id: AccountID)] = []
                if let named, named.id != target?.id { rivals.append((.username, named.id)) }
                if let addressed, addressed.id != target?.id { rivals.append((.email, addressed.id)) }
                targets.append(DesiredTarget(account: target, rivals: rivals))
            }
            return targets
        }
    }

    private func changes(
        of account: Account, _ row: CheckedAccount, _ setsPassword: Bool
    ) -> [DesiredChange] {
        let revision = AccountRevision(of: account, by: row)
        let fields = revision.fields + (setsPassword ? [.password] : [])
        var changes: [DesiredChange] = []
        if !fields.isEmpty { changes.append(DesiredChange(.update, account.username, fields)) }
        if revision.changesState {
            changes.append(DesiredChange(revision.new.state == .active ? .enable : .disable, account.username))
        }
        return changes
    }

    /// Whether the row has a password that the account has not.
    ///
    /// A hash is a first password: a login makes it anew, and then nobody can tell any more whether it was of the same
    /// one. So it takes the place of none, and of another that no login has made anew (docs/decisions/0024-apply.md).
    private func setsPassword(of account: Account, _ row: CheckedAccount) async throws(AccountError) -> Bool {
        switch row.password {
        case .unsaid, .none: return false
        case .plain(let password):
            guard case .hash(let stored) = opened(account.passwordHash, of: account.id) else { return true }
            do throws(HashError) {
                return try await !hasher.verify(password, against: stored)
            } catch .unsupported, .costTooHigh {
                return true
            } catch {
                throw AccountError(error)
            }
        case .hash(let given):
            guard case .hash(let stored) = opened(account.passwordHash, of: account.id) else { return true }
            guard !given.isEqual(to: stored) else { return false }
            do throws(HashError) { return try hasher.examine(stored).status == .otherScheme } catch { return true }
        }
    }
}
