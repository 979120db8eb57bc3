import LatchkeyAccounts
import Testing

extension StoreContract {
    static let hashes: [Clause] = [
        Clause("a hash is replaced only if it is still the stored one, and nothing else changes") { store in
            var ada = try account("ada")
            let old = PasswordHash(phc: "old", milliseconds: 7)
            ada.passwordHash = old
            ada.passwordGeneration = 3
            try await store.insert(ada)
            let new = PasswordHash(phc: "new", milliseconds: 9)
            let id = ada.id
            try await store.transact { (store) throws in
                #expect(try !store.replaceHash(of: id, PasswordHash(phc: "OLD"), by: new))
                #expect(try store.replaceHash(of: id, old, by: new))
                #expect(try !store.replaceHash(of: id, old, by: new))
            }
            let unknown = try newID()
            try await store.transact { (store) throws in
                #expect(try !store.replaceHash(of: unknown, old, by: new))
            }
            ada.passwordHash = new
            let found = try await store.account(id)
            expectSame(found, ada)
            #expect(found?.passwordHash?.milliseconds == 9)
            #expect(found?.passwordGeneration == 3)
        },
        Clause("the costs of the cheapest and the slowest hash are known") { store in
            #expect(try await store.read { (store) throws(AccountError) in try store.hashCosts } == nil)
            for (name, cost) in [("ada", 100), ("grace", 774), ("mary", 50)] {
                var account = try account(name)
                account.passwordHash = PasswordHash(phc: name, milliseconds: cost)
                try await store.insert(account)
            }
            #expect(try await store.read { (store) throws(AccountError) in try store.hashCosts } == 50...774)
        },
        Clause("hashes are found and counted by their sealing key") { store in
            let keys = ["0123456789abcdef", "fedcba9876543210"].compactMap { SealingKeyID($0) }
            let texts = [
                "$argon2id$bare", "$sealed$v=1,k=0123456789abcdef$AAAA$AAAA",
                "$sealed$v=1,k=fedcba9876543210$AAAA$AAAA",
                "$sealed$v=1,k=0123456789abcdef$BBBB$BBBB",
            ]
            var ids: [AccountID] = []
            for (index, text) in texts.enumerated() {
                var account = try account("user\(index)")
                account.passwordHash = PasswordHash(phc: text)
                try await store.insert(account)
                ids.append(account.id)
            }
            var without = try account("without")
            without.passwordHash = nil
            try await store.insert(without)
            let sorted = ids.sorted { $0.text < $1.text }
            let withFirst = Set([ids[1], ids[3]])
            try await store.transact { (store) throws in
                #expect(Set(try store.usedSealingKeys) == Set(keys))
                #expect(try store.hashCounts == [nil: 1, keys[0]: 2, keys[1]: 1])
                let all = try store.hashes(notSealedWith: nil, after: nil, limit: 9)
                #expect(all.map(\.account) == sorted)
                #expect(try store.hashes(notSealedWith: nil, after: sorted[1], limit: 1).map(\.account) == [sorted[2]])
                let others = try store.hashes(notSealedWith: keys[0], after: nil, limit: 9)
                #expect(others.map(\.account) == sorted.filter { !withFirst.contains($0) })
            }
        },
        Clause("sealing keys are listed in the order of their creation") { store in
            let keys = ["ffffffffffffffff", "0000000000000000", "8888888888888888"].compactMap { SealingKeyID($0) }
            try await store.transact { (store) throws in
                for (index, key) in keys.enumerated() {
                    try store.insert(SealingKeyRecord(id: key, createdAt: time(Int64(index))))
                }
                #expect(try store.sealingKeys.map(\.id) == keys)
                try store.deleteSealingKey(keys[1])
                #expect(try store.sealingKeys.map(\.id) == [keys[0], keys[2]])
                #expect(try store.sealingKeys.last?.createdAt == time(2))
            }
            let again = await failure {
                try await store.transact { (store) throws in
                    try store.insert(SealingKeyRecord(id: keys[0], createdAt: time(9)))
                }
            }
            guard case .store(.failed) = again else {
                Issue.record("\(String(describing: again))")
                return
            }
        },
    ]
}
