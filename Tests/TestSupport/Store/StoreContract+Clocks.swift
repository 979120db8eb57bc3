import LatchkeyAccounts
import Testing

extension StoreContract {
    static let clocks: [Clause] = [
        Clause("the clock mark is read as it was stored") { store in
            let mark = ClockMark(seen: time(5), highest: time(9))
            try await store.transact { (store) throws in
                #expect(try store.clockMark == ClockMark(seen: time(0), highest: time(0)))
                try store.setClockMark(mark)
            }
            try await store.seal { (store) throws(AccountError) in try store.raiseClockMark() }
            try await store.transact { (store) throws in #expect(try store.clockMark == mark) }
        },
        Clause("sessions are deleted by time of creation and of last use") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            try await store.transact { (store) throws in
                for (number, times) in [(1, 10), (2, 20), (3, 30)].enumerated() {
                    try store.insert(
                        Session(
                            digest: SessionDigest(bytes: digest(UInt8(number))), account: ada.id, scope: .full,
                            createdAt: time(Int64(times.0)), lastUsedAt: time(Int64(times.1))))
                }
                #expect(try store.deleteSessions(createdBy: time(0), lastUsedBy: time(9)) == 0)
                #expect(try store.deleteSessions(createdBy: time(1), lastUsedBy: time(0)) == 1)
                #expect(try store.deleteSessions(createdBy: time(0), lastUsedBy: time(20)) == 1)
                #expect(try store.sessions(of: ada.id).map(\.createdAt) == [time(3)])
            }
        },
        Clause("after a restoration no session, no code and no message with a code is left") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            for throttles in [false, true] {
                try await store.transact { (store) throws in
                    try store.insert(
                        Session(
                            digest: SessionDigest(bytes: digest(1)), account: ada.id, scope: .full,
                            createdAt: time(1), lastUsedAt: time(1)))
                    try store.insert(
                        RecoveryRequest(
                            tag: RecoveryCodeTag(bytes: digest(2)), throttle: .account(ada.id), createdAt: time(1),
                            expiresAt: time(600)))
                    try store.setFailures(ThrottleFailures(count: 4, lastAt: time(1)), in: .unknownName(row: 7))
                    for (id, end) in [("code", time(600)), ("notice", nil)] {
                        try store.enqueue(
                            OutboxMessage(
                                id: "\(id)-\(throttles)", recipient: ada.email, subject: "s", body: "b",
                                createdAt: time(1), expiresAt: end))
                    }
                }
                try await store.transact { (store) throws in
                    try store.revokeEverything(throttles: throttles)
                    #expect(try store.sessions(of: ada.id).isEmpty)
                    #expect(try store.recoveryRequest(RecoveryCodeTag(bytes: digest(2))) == nil)
                    #expect(try store.waitingMessages(limit: 10).allSatisfy { $0.id.hasPrefix("notice") })
                    #expect(try (store.failures(in: .unknownName(row: 7)) == nil) == throttles)
                }
            }
            #expect(try await store.account(ada.id) != nil)
        },
    ]
}
