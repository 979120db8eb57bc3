import LatchkeySecrets

extension AccountService {
    /// How each of `rows` stands to the accounts that there are now.
    public func standings(
        of rows: [CheckedAccount], _ choice: ConflictChoice
    ) async throws(AccountError) -> [Standing] {
        try await store.read { [clock] (transaction) throws(AccountError) in
            guard try transaction.hasAccounts else { return rows.map { _ in .new } }
            let now = clock.now()
            var standings: [Standing] = []
            standings.reserveCapacity(rows.count)
            for row in rows { standings.append(try Standing(of: row, choice, at: now, in: transaction)) }
            return standings
        }
    }

    /// Makes or changes the accounts of `rows` in one transaction: all of it is durable when the call returns, or none of
    /// it has happened. Passwords are hashed before.
    ///
    /// What was made has one audit record together; each account that was changed has its own.
    ///
    /// - Parameters:
    ///   - rows: no two with one id, name or address.
    ///   - jobs: how many passwords are hashed at once, at least 1.
    /// - Returns: what has become of each row.
    /// - Throws: ``AccountError/taken(field:)`` where ``standings(of:_:)`` would refuse a row; what hashing and the store
    ///   fail with.
    public func importBatch(
        _ rows: [CheckedAccount], _ choice: ConflictChoice, jobs: Int = 1, by actor: AuditActor
    ) async throws(AccountError) -> [ImportVerdict] {
        let trail = try newTrail(by: actor)
        let hashes = try await hashes(of: rows, choice, jobs: jobs)
        return try await store.write { [self] (transaction) throws(AccountError) in
            var batch = try ImportBatch(by: trail, at: clock.now(), of: self, in: transaction)
            var verdicts: [ImportVerdict] = []
            verdicts.reserveCapacity(rows.count)
            for (place, row) in rows.enumerated() {
                verdicts.append(try batch.take(row, hashes[place], choice))
            }
            try batch.record()
            return verdicts
        }
    }

    /// The hashes of the plain passwords, by the places of their rows. What will be skipped, as far as can be told
    /// already, is not hashed.
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
                    if case .existing = try Standing(of: rows[place], .skip, at: now, in: transaction) {
                        there.insert(place)
                    }
                }
                return there
            }
            waiting.removeAll { there.contains($0.place) }
        }
        return try await hashes(of: waiting, jobs: jobs)
    }

    /// Hashes passwords, `jobs` at once; the hashes by the passwords' places.
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

    /// Logins come first: while they take all of the memory for hashes, an import waits for longer than they would.
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
