import LatchkeyAccounts
import Testing

extension StoreContract {
    static let recovery: [Clause] = [
        Clause("a code is spent once, and never after its end") { store in
            let ada = try account("ada")
            let code = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(1)), account: ada.id, createdAt: time(0), expiresAt: time(600))
            let nobodys = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(2)), account: nil, createdAt: time(0), expiresAt: time(600))
            try await store.insert(ada)
            try await store.transact { (store) throws in
                try store.insert(code)
                try store.insert(nobodys)
                #expect(try store.spendRecoveryCode(RecoveryCodeTag(bytes: digest(3)), at: time(1)) == nil)
                #expect(try store.spendRecoveryCode(code.tag, at: time(600)) == nil)
                #expect(try store.spendRecoveryCode(code.tag, at: time(601)) == nil)
                #expect(try store.spendRecoveryCode(code.tag, at: time(599)) == code)
                #expect(try store.spendRecoveryCode(code.tag, at: time(1)) == nil)
                #expect(try store.spendRecoveryCode(nobodys.tag, at: time(599)) == nobodys)
            }
        },
        Clause("of 64 who spend one code at once, one wins") { store in
            let ada = try account("ada")
            let code = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(1)), account: ada.id, createdAt: time(0), expiresAt: time(600))
            try await store.insert(ada)
            try await store.transact { (store) throws in try store.insert(code) }
            let winners = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        let spent = try? await store.write { (store) throws(AccountError) in
                            try store.spendRecoveryCode(code.tag, at: time(1))
                        }
                        return spent == code
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        },
        Clause("requests are counted by account and time, and go together") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            try await store.transact { (store) throws in
                for (index, account) in [ada.id, ada.id, ada.id, grace.id, nil].enumerated() {
                    let start = Int64(index) * 100
                    try store.insert(
                        RecoveryRequest(
                            tag: RecoveryCodeTag(bytes: digest(UInt8(index))), account: account, createdAt: time(start),
                            expiresAt: time(start + 600)))
                }
                #expect(try store.recoveryRequests(of: ada.id, since: time(0)) == 3)
                #expect(try store.recoveryRequests(of: ada.id, since: time(100)) == 2)
                #expect(try store.recoveryRequests(of: ada.id, since: time(201)) == 0)
                // A request that was spent was made all the same.
                _ = try store.spendRecoveryCode(RecoveryCodeTag(bytes: digest(0)), at: time(1))
                #expect(try store.recoveryRequests(of: ada.id, since: time(0)) == 3)
                try store.deleteRecoveryRequests(of: ada.id)
                #expect(try store.recoveryRequests(of: ada.id, since: time(0)) == 0)
                #expect(try store.spendRecoveryCode(RecoveryCodeTag(bytes: digest(1)), at: time(101)) == nil)
                #expect(try store.recoveryRequests(of: grace.id, since: time(0)) == 1)
            }
        },
        Clause("nobody's code can be for an account that is not there") { store in
            let code = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(1)), account: try newID(), createdAt: time(0), expiresAt: time(600))
            let refused = await failure {
                try await store.transact { (store) throws in try store.insert(code) }
            }
            #expect(refused == .noSuchAccount)
        },
    ]
}
