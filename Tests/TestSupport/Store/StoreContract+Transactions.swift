import LatchkeyAccounts
import LatchkeyForms
import Testing

extension StoreContract {
    static let transactions: [Clause] = [
        Clause("a transaction returns the result of its body") { store in
            let written = try await store.write { (_) throws(AccountError) in "written" }
            let read = try await store.read { (_) throws(AccountError) in 7 }
            #expect(written == "written")
            #expect(read == 7)
        },
        Clause("a body that throws changes nothing") { store in
            let ada = try account("ada")
            let refused = await failure {
                try await store.transact { (store) throws in
                    try store.insert(ada)
                    try store.setFailures(ThrottleFailures(count: 1, lastAt: time(1)), in: .unknownName(row: 1))
                    throw AccountError.throttled(retryAfter: .seconds(3))
                }
            }
            #expect(refused == .throttled(retryAfter: .seconds(3)))
            #expect(try await store.account(ada.id) == nil)
            #expect(
                try await store.read { (store) throws(AccountError) in try store.failures(in: .unknownName(row: 1)) }
                    == nil)
            // The next transaction is not blocked.
            try await store.insert(ada)
        },
        Clause("a body may continue after a taken name") { store in
            try await store.insert(account("ada"))
            let again = try account("ada", email: "x@example.org")
            let grace = try account("grace")
            try await store.transact { (store) throws in
                do throws(AccountError) {
                    try store.insert(again)
                    Issue.record("inserted twice")
                } catch {
                    #expect(error == .taken(field: .username))
                }
                try store.insert(grace)
            }
            expectSame(try await store.account(grace.id), grace)
            #expect(try await store.account(again.id) == nil)
        },
        Clause("a body that continues after a failure of the store commits nothing") { store in
            let ada = try account("ada")
            let refused = await failure {
                try await store.transact { (store) throws in
                    try store.insert(ada)
                    do throws(AccountError) {
                        // A gap in the audit trail is reported as a store failure.
                        try store.append(auditRecord(7), hash: digest(7))
                    } catch {}
                }
            }
            guard case .store(.failed) = refused else {
                Issue.record("expected a failure of the store, not \(String(describing: refused))")
                return
            }
            #expect(try await store.account(ada.id) == nil)
        },
        Clause("a reading transaction cannot change anything") { store in
            let ada = try account("ada")
            let refused = await failure {
                try await store.read { (store) throws(AccountError) in try store.insert(ada) }
            }
            #expect(refused == .store(.readOnly))
            #expect(try await store.account(ada.id) == nil)
            try await store.insert(ada)
        },
        Clause("of 32 concurrent inserts of one name, one succeeds") { store in
            let accounts = try (0..<32).map { try account("ada", email: "ada\($0)@example.org") }
            let outcomes = await withTaskGroup(of: AccountError?.self) { group in
                for account in accounts {
                    group.addTask { await failure { try await store.insert(account) } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 1)
            #expect(outcomes.count { $0 == .taken(field: .username) } == 31)
        },
        Clause("concurrent counting loses nothing") { store in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let failed = await failure {
                            try await store.transact { (store) throws in
                                let before = try store.failures(in: .unknownName(row: 9))?.count ?? 0
                                try store.setFailures(
                                    ThrottleFailures(count: before + 1, lastAt: time(1)), in: .unknownName(row: 9))
                            }
                        }
                        #expect(failed == nil)
                    }
                }
            }
            let count = try await store.read { (store) throws(AccountError) in
                try store.failures(in: .unknownName(row: 9))?.count
            }
            #expect(count == 100)
        },
        Clause("a store has one ID of its own") { store in
            let id = try await store.read { (store) throws(AccountError) in try store.storeID }
            #expect(id.count == 16)
            #expect(try await store.write { (store) throws(AccountError) in try store.storeID } == id)
        },
    ]
}
