package import LatchkeyAccounts
import LatchkeySecrets

extension AccountService {
    /// Compares rows with the accounts in the store.
    ///
    /// - Returns: the conflicts by the index of their row. A row without a conflict creates an account.
    package func conflicts(
        of rows: [CheckedAccount], _ choice: ConflictChoice
    ) async throws(AccountError) -> [Int: RowConflict] {
        try await store.read { [clock] (transaction) throws(AccountError) in
            let few = try FewAccounts(in: transaction)
            let now = clock.now()
            let hasReservedNames = try transaction.hasReservedNames
            var conflicts: [Int: RowConflict] = [:]
            var known = KnownGroups()
            for (index, row) in rows.enumerated() {
                let isNew = few?.matches(row) == false
                let refused = try known.failure(of: row.groups, in: transaction)
                if isNew, row.nameFailure == nil, refused == nil { continue }
                let match =
                    isNew
                    ? .none
                    : try AccountMatch(of: row, at: now, hasReservedNames: hasReservedNames, in: transaction)
                let conflict = RowConflict(of: row, match, choice).refusing(refused, choice)
                if case .new = conflict { continue }
                conflicts[index] = conflict
            }
            return conflicts
        }
    }

    /// Whether the store has usernames that accounts have released.
    func hasReservedNames() async throws(AccountError) -> Bool {
        try await store.read { (transaction) throws(AccountError) in try transaction.hasReservedNames }
    }

    /// Creates or updates the accounts of `rows` in one transaction. Hashes passwords before it begins.
    ///
    /// One audit record covers all created accounts. Every updated account gets its own record.
    ///
    /// - Parameters:
    ///   - rows: rows that do not share an ID, a username or an address.
    ///   - jobs: the number of passwords to hash in parallel, at least 1.
    /// - Returns: the result of each row.
    /// - Throws: ``AccountError/taken(field:)`` or ``AccountError/refused(_:)`` if ``conflicts(of:_:)`` would refuse a
    ///   row; errors of hashing and of the store.
    package func importBatch(
        _ rows: [CheckedAccount], _ choice: ConflictChoice, jobs: Int = 1, by actor: AuditActor
    ) async throws(AccountError) -> [ImportVerdict] {
        let trail = try newTrail(by: actor)
        let hashes = try await hashes(of: rows, choice, jobs: jobs)
        return try await store.write { [self] (transaction) throws(AccountError) in
            var batch = try ImportBatch(by: trail, at: clock.now(), of: self, in: transaction)
            let verdicts = try batch.write(rows, hashes, choice)
            try batch.record()
            return verdicts
        }
    }

    /// Hashes the plain passwords of rows, except those of rows that are already known to be skipped.
    ///
    /// - Returns: the hashes by the index of their row.
    private func hashes(
        of rows: [CheckedAccount], _ choice: ConflictChoice, jobs: Int
    ) async throws(AccountError) -> [Int: BareHash] {
        var waiting = rows.enumerated().compactMap { place, row -> (place: Int, password: Secret)? in
            guard case .plain(let password) = row.password else { return nil }
            return (place, password)
        }
        guard !waiting.isEmpty else { return [:] }
        if choice == .skip {
            let places = waiting.map(\.place)
            let there = try await store.read { [clock] (transaction) throws(AccountError) in
                let now = clock.now()
                var there: Set<Int> = []
                for place in places {
                    let match = try AccountMatch(of: rows[place], at: now, hasReservedNames: false, in: transaction)
                    if case .existing = RowConflict(of: rows[place], match, .skip) {
                        there.insert(place)
                    }
                }
                return there
            }
            waiting.removeAll { there.contains($0.place) }
        }
        return try await hashes(of: waiting, jobs: jobs)
    }

    /// Hashes passwords, `jobs` of them in parallel.
    ///
    /// - Returns: the hashes by the place of their password.
    func hashes(
        of passwords: [(place: Int, password: Secret)], jobs: Int
    ) async throws(AccountError) -> [Int: BareHash] {
        try await withTaskGroup(of: (Int, Result<BareHash, AccountError>).self) { group in
            var next = passwords.makeIterator()
            func begin() {
                guard let (place, password) = next.next() else { return }
                group.addTask { (place, await patientHash(of: password)) }
            }
            for _ in 0..<max(jobs, 1) { begin() }
            var hashes: [Int: BareHash] = [:]
            var failure: AccountError?
            while let (place, result) = await group.next() {
                switch result {
                case .success(let hash): hashes[place] = hash
                case .failure(let error): failure = failure ?? error
                }
                if failure == nil { begin() }
            }
            return Result<[Int: BareHash], AccountError> { () throws(AccountError) in
                if let failure { throw failure }
                return hashes
            }
        }.get()
    }

    /// Hashes one password. An import waits longer for memory than a login, so that logins take precedence.
    private func patientHash(of password: Secret) async -> Result<BareHash, AccountError> {
        var patience = 12
        while true {
            do throws(AccountError) {
                return .success(try await hash(password))
            } catch {
                patience -= 1
                guard error == .overloaded, patience > 0 else { return .failure(error) }
            }
        }
    }
}
