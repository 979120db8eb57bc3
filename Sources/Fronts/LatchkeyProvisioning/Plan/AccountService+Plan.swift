package import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

extension AccountService {
    private static let pageSize = 500

    /// Plans the changes that bring the store into the state that `rows` describe.
    ///
    /// This changes nothing. Plain passwords are verified without counting an attempt. A row describes the account with
    /// its ID, otherwise with its username, otherwise with its address.
    ///
    /// - Parameters:
    ///   - rows: rows that do not share an ID, a username or an address.
    ///   - groups: the groups to create if they do not exist.
    ///   - pruning: whether to delete accounts that no row describes. Groups are never deleted.
    ///   - goesOn: called with the number of completed rows. If it returns false, planning stops.
    package func plan(
        _ rows: [CheckedAccount], groups: [DesiredGroup] = [], pruning: Bool, goesOn: (Int) -> Bool = { _ in true }
    ) async throws(AccountError) -> DesiredPlanning {
        var matches: [Match] = []
        var known = KnownGroups(adding: groups.map(\.name))
        for start in stride(from: 0, to: rows.count, by: Self.pageSize) {
            let page = Array(rows[start..<min(start + Self.pageSize, rows.count)])
            let found = try await self.matches(page, known)
            matches += found.matches
            known = found.known
        }
        let described = Set(matches.compactMap(\.target?.id))
        let missing = try await missing(of: groups)
        var steps = DesiredPlan.steps(creating: missing)
        var deleted: Set<AccountID> = []
        if pruning {
            var last: LoginName?
            repeat {
                let page = try await accounts(matching: AccountFilter(), after: last, lookingAt: Self.pageSize)
                for account in page.accounts where !described.contains(account.id) {
                    deleted.insert(account.id)
                    steps.append((.delete(account.id), [DesiredChange(.delete, account.name)]))
                }
                last = page.last
            } while last != nil
        }
        let refused = zip(rows, matches).enumerated().flatMap { place, pair in
            let (row, match) = pair
            let taken = match.rivals.filter { !deleted.contains($0.id) }.map {
                RuleFailure(code: .taken, field: $0.field)
            }
            let reserved =
                match.isReserved && match.target?.username != row.username
                ? [RuleFailure(code: .taken, field: .username)] : []
            let unsafe = match.target?.username == row.username ? nil : row.nameFailure
            return (taken + reserved + [unsafe, match.groupFailure].compactMap(\.self)).map {
                (row: place, failure: $0)
            }
        }
        guard refused.isEmpty else { return .refused(refused) }
        for (place, row) in rows.enumerated() {
            guard goesOn(place) else { return .stopped }
            guard let account = matches[place].target else {
                steps.append((.create(row), [DesiredChange(.create, row.name)]))
                continue
            }
            let setsPassword = try await setsPassword(of: account, row)
            steps.append(
                (
                    .change(account.id, row, setsPassword: setsPassword),
                    changes(of: account, row, setsPassword, groups: matches[place].groups)
                ))
        }
        return .plan(DesiredPlan(steps))
    }

    /// The accounts that a row concerns.
    private struct Match: Sendable {
        let target: Account?
        let rivals: [(field: FieldKey, id: AccountID)]
        let isReserved: Bool
        let groupFailure: RuleFailure?
        /// The groups of the target if the row has groups.
        var groups: [GroupName] = []
    }

    private func matches(
        _ rows: [CheckedAccount], _ known: KnownGroups
    ) async throws(AccountError) -> (matches: [Match], known: KnownGroups) {
        try await store.read { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            var known = known
            var matches: [Match] = []
            let hasReservedNames = try transaction.hasReservedNames
            for row in rows {
                let match = try AccountMatch(of: row, at: now, hasReservedNames: hasReservedNames, in: transaction)
                matches.append(
                    Match(
                        target: match.target, rivals: match.rivals, isReserved: match.isReserved,
                        groupFailure: try known.failure(of: row.groups, in: transaction)))
            }
            let targets = zip(rows, matches).compactMap { row, match in row.groups == nil ? nil : match.target?.id }
            guard !targets.isEmpty else { return (matches, known) }
            let groups = try transaction.groups(of: targets)
            for place in matches.indices {
                matches[place].groups = matches[place].target.flatMap { groups[$0.id] } ?? []
            }
            return (matches, known)
        }
    }

    /// The groups that do not exist yet.
    private func missing(of groups: [DesiredGroup]) async throws(AccountError) -> [DesiredGroup] {
        guard !groups.isEmpty else { return [] }
        return try await store.read { (transaction) throws(AccountError) in
            let known = Set(try transaction.groupNames)
            return groups.filter { !known.contains($0.name) }
        }
    }

    private func changes(
        of account: Account, _ row: CheckedAccount, _ setsPassword: Bool, groups: [GroupName]
    ) -> [DesiredChange] {
        let revision = AccountRevision(of: account, by: row)
        let hasOtherGroups = row.groups.map { $0 != groups } ?? false
        let fields = revision.fields + (setsPassword ? [.password] : []) + (hasOtherGroups ? [.groups] : [])
        var changes: [DesiredChange] = []
        if !fields.isEmpty { changes.append(DesiredChange(.update, account.name, fields)) }
        if revision.changesState {
            changes.append(DesiredChange(revision.new.state == .active ? .enable : .disable, account.name))
        }
        return changes
    }

    /// Whether the row's password must be set.
    ///
    /// A hash in a row is an initial password. After a login has rehashed the password, the two hashes can no longer be
    /// compared. A row's hash therefore only replaces a missing password, or a foreign hash that no login has replaced
    /// yet (docs/decisions/0024-apply.md).
    private func setsPassword(of account: Account, _ row: CheckedAccount) async throws(AccountError) -> Bool {
        switch row.password {
        case .unspecified, .none: return false
        case .plain(let password):
            guard case .hash(let stored) = opened(account.passwordHash, of: account.id) else { return true }
            do throws(HashError) {
                return try await !hasher.parse(stored).matches(password)
            } catch .unsupported, .costTooHigh {
                return true
            } catch {
                throw AccountError(error)
            }
        case .hash(let given):
            guard case .hash(let stored) = opened(account.passwordHash, of: account.id) else { return true }
            guard !given.isEqual(to: stored) else { return false }
            do throws(HashError) { return try hasher.parse(stored).traits.status == .otherScheme } catch { return true }
        }
    }
}
