import LatchkeyAccounts
import Testing

extension StoreContract {
    static let counts: [Clause] = [
        Clause("accounts, sessions and messages are counted by kind") { store in
            let window = SessionWindow(createdAfter: time(100), usedAfter: time(200), latest: time(400))
            try await store.transact { (store) throws in
                let nothing = StoreCounts(
                    activeAccounts: 0, disabledAccounts: 0, unverifiedAccounts: 0, accountsToChangePassword: 0,
                    liveSessions: 0, waitingMessages: 0)
                #expect(try store.counts(ofSessions: window, at: time(300)) == nothing)
            }
            for (name, state, isProved, mustChange) in [
                ("ada", AccountState.active, true, true), ("bob", .disabled, true, true),
                ("eve", .active, false, false), ("joe", .active, true, false),
            ] {
                var account = try account(name)
                account.state = state
                account.mustChangePassword = mustChange
                if !isProved { account.verifyBy = time(1) }
                try await store.insert(account)
            }
            let ada = try account("ada2")
            try await store.insert(ada)
            try await store.transact { (store) throws in
                // Only the first session is live. Each of the others has reached one limit.
                for (number, times) in [(101, 201), (100, 300), (300, 200), (101, 401), (401, 300)].enumerated() {
                    try store.insert(
                        Session(
                            digest: SessionDigest(bytes: digest(UInt8(number))), account: ada.id, scope: .full,
                            createdAt: time(Int64(times.0)), lastUsedAt: time(Int64(times.1))))
                }
                let address = EmailAddress(storedAs: "a@example.org", folded: "a@example.org")
                for (number, end) in [nil, Int64(300), 301].enumerated() {
                    try store.enqueue(
                        OutboxMessage(
                            id: "m\(number)", recipient: address, subject: "", body: "",
                            createdAt: time(9 - Int64(number)),
                            expiresAt: end.map { time($0) }))
                }
                try store.enqueue(
                    OutboxMessage(
                        id: "decoy", recipient: nil, subject: "", body: "", createdAt: time(1), expiresAt: nil))
                let all = StoreCounts(
                    activeAccounts: 3, disabledAccounts: 1, unverifiedAccounts: 1, accountsToChangePassword: 2,
                    liveSessions: 1, waitingMessages: 2, oldestMessage: time(7))
                #expect(try store.counts(ofSessions: window, at: time(300)) == all)
            }
        },
        Clause("audit events are counted in pages") { store in
            try await store.transact { (store) throws in
                #expect(try store.auditCounts(after: 0, limit: 10) == AuditCounts(byName: [:], last: nil))
                for number in 1...5 as ClosedRange<Int64> {
                    let name = number == 5 ? "of_tomorrow" : nil
                    try store.append(auditRecord(number, name: name), hash: digest(UInt8(number)))
                }
                let first = AuditCounts(byName: ["authn_login_fail": 2, "user_deleted": 1], last: 3)
                #expect(try store.auditCounts(after: 0, limit: 3) == first)
                let second = AuditCounts(byName: ["authn_login_fail": 1, "of_tomorrow": 1], last: 5)
                #expect(try store.auditCounts(after: 3, limit: 3) == second)
                #expect(try store.auditCounts(after: 5, limit: 3) == AuditCounts(byName: [:], last: nil))
                #expect(try store.auditCounts(after: 0, limit: 0) == AuditCounts(byName: [:], last: nil))
            }
        },
    ]
}
