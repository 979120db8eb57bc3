import LatchkeyAccounts
import Testing

extension StoreContract {
    static let recovery: [Clause] = [
        Clause("a code is spent once and not found afterwards") { store in
            let ada = try account("ada")
            let code = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(1)), throttle: .account(ada.id), createdAt: time(0),
                expiresAt: time(600)
            )
            let decoy = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(2)), throttle: .unknownName(row: 65535), createdAt: time(0),
                expiresAt: time(600))
            try await store.insert(ada)
            try await store.transact { (store) throws in
                try store.insert(code)
                try store.insert(decoy)
                #expect(try store.spendRecoveryCode(RecoveryCodeTag(bytes: digest(3)), at: time(1)) == nil)
                #expect(try store.recoveryRequest(RecoveryCodeTag(bytes: digest(3))) == nil)
                #expect(try store.recoveryRequest(code.tag) == code)
                #expect(try store.spendRecoveryCode(code.tag, at: time(599)) == code)
                #expect(try store.spendRecoveryCode(code.tag, at: time(1)) == nil)
                #expect(try store.recoveryRequest(code.tag) == nil)
                #expect(try store.recoveryRequest(decoy.tag) == decoy)
            }
        },
        Clause("an expired code is spent too, and stays spent if the clock goes back") { store in
            let code = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(1)), throttle: .unknownName(row: 0), createdAt: time(0),
                expiresAt: time(600))
            try await store.transact { (store) throws in
                try store.insert(code)
                #expect(try store.spendRecoveryCode(code.tag, at: time(601)) == code)
                #expect(try store.spendRecoveryCode(code.tag, at: time(1)) == nil)
            }
        },
        Clause("codes that have expired by a time are spent, whatever the clock does") { store in
            let codes = (1...2).map { (number: Int64) in
                RecoveryRequest(
                    tag: RecoveryCodeTag(bytes: digest(UInt8(number))), throttle: .unknownName(row: 0),
                    createdAt: time(0),
                    expiresAt: time(number))
            }
            try await store.transact { (store) throws in
                for code in codes { try store.insert(code) }
                try store.spendRecoveryCodes(expiredBy: time(1))
                #expect(try store.recoveryRequest(codes[0].tag) == nil)
                #expect(try store.spendRecoveryCode(codes[0].tag, at: time(0)) == nil)
                #expect(try store.recoveryRequest(codes[1].tag) == codes[1])
                #expect(try store.recoveryRequests(in: .unknownName(row: 0), since: time(0)) == 2)
            }
        },
        Clause("expired requests are deleted, used or not") { store in
            try await store.transact { (store) throws in
                for index in 0..<4 {
                    try store.insert(
                        RecoveryRequest(
                            tag: RecoveryCodeTag(bytes: digest(UInt8(index))), throttle: .unknownName(row: 7),
                            createdAt: time(0),
                            expiresAt: time(Int64(index) * 100)))
                }
                _ = try store.spendRecoveryCode(RecoveryCodeTag(bytes: digest(0)), at: time(1))
                try store.deleteRecoveryRequests(expiredBefore: time(200))
                #expect(try store.recoveryRequests(in: .unknownName(row: 7), since: time(0)) == 2)
                #expect(try store.recoveryRequest(RecoveryCodeTag(bytes: digest(1))) == nil)
                #expect(try store.recoveryRequest(RecoveryCodeTag(bytes: digest(2))) != nil)
            }
        },
        Clause("of 64 concurrent uses of one code, one succeeds") { store in
            let ada = try account("ada")
            let code = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(1)), throttle: .account(ada.id), createdAt: time(0),
                expiresAt: time(600)
            )
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
        Clause("requests are counted by throttle and time, and an account's are deleted together") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            try await store.transact { (store) throws in
                let throttles: [Throttle] = [
                    .account(ada.id), .account(ada.id), .account(ada.id), .account(grace.id), .unknownName(row: 0),
                ]
                for (index, throttle) in throttles.enumerated() {
                    let start = Int64(index) * 100
                    try store.insert(
                        RecoveryRequest(
                            tag: RecoveryCodeTag(bytes: digest(UInt8(index))), throttle: throttle,
                            createdAt: time(start),
                            expiresAt: time(start + 600)))
                }
                #expect(try store.recoveryRequests(in: .account(ada.id), since: time(0)) == 3)
                #expect(try store.recoveryRequests(in: .account(ada.id), since: time(100)) == 2)
                #expect(try store.recoveryRequests(in: .account(ada.id), since: time(201)) == 0)
                // A used request still counts.
                _ = try store.spendRecoveryCode(RecoveryCodeTag(bytes: digest(0)), at: time(1))
                #expect(try store.recoveryRequests(in: .account(ada.id), since: time(0)) == 3)
                try store.deleteRecoveryRequests(of: ada.id)
                #expect(try store.recoveryRequests(in: .account(ada.id), since: time(0)) == 0)
                #expect(try store.spendRecoveryCode(RecoveryCodeTag(bytes: digest(1)), at: time(101)) == nil)
                #expect(try store.recoveryRequests(in: .account(grace.id), since: time(0)) == 1)
                #expect(try store.recoveryRequests(in: .unknownName(row: 0), since: time(0)) == 1)
                #expect(try store.recoveryRequests(in: .unknownName(row: 1), since: time(0)) == 0)
            }
        },
        Clause("a code for an unknown account is refused") { store in
            let code = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(1)), throttle: .account(try newID()), createdAt: time(0),
                expiresAt: time(600))
            let refused = await failure {
                try await store.transact { (store) throws in try store.insert(code) }
            }
            #expect(refused == .noSuchAccount)
        },
    ]
}
