import LatchkeyAccounts
import Testing

extension StoreContract {
    static let codes: [Clause] = [
        Clause("a request for a new address is stored with it and counted separately") { store in
            let ada = try account("ada")
            let recovery = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(1)), throttle: .account(ada.id), createdAt: time(10),
                expiresAt: time(600)
            )
            let change = RecoveryRequest(
                tag: RecoveryCodeTag(bytes: digest(2)), throttle: .account(ada.id), createdAt: time(20),
                expiresAt: time(600), newEmail: EmailAddress(storedAs: "New@Example.org", folded: "new@example.org"))
            try await store.insert(ada)
            try await store.transact { (store) throws in
                try store.insert(recovery)
                try store.insert(change)
                #expect(try store.recoveryRequest(change.tag) == change)
                #expect(try store.recoveryRequest(change.tag)?.newEmail?.typed == "New@Example.org")
                #expect(try store.recoveryRequest(recovery.tag)?.newEmail == nil)
                #expect(try store.recoveryRequests(in: .account(ada.id), since: time(0)) == 1)
                #expect(try store.emailChanges(of: ada.id, since: time(20)) == 1)
                #expect(try store.emailChanges(of: ada.id, since: time(21)) == 0)
                #expect(try store.spendRecoveryCode(change.tag, at: time(30)) == change)
                #expect(try store.emailChanges(of: ada.id, since: time(0)) == 1, "used ones too")
                try store.deleteRecoveryRequests(of: ada.id)
                #expect(try store.emailChanges(of: ada.id, since: time(0)) == 0)
            }
        },
        Clause("the wrong codes of an hour are stored") { store in
            try await store.transact { (store) throws in
                #expect(try store.codeFailures == nil)
                try store.setCodeFailures(CodeFailures(count: 3, since: time(7)))
                try store.setCodeFailures(CodeFailures(count: 4, since: time(7)))
                #expect(try store.codeFailures == CodeFailures(count: 4, since: time(7)))
            }
        },
        Clause("the failures of a source are stored with the names that it tried") { store in
            try await store.transact { (store) throws in
                #expect(try store.failures(ofSource: 7) == nil)
                let first = SourceFailures(count: 1, since: time(7), lastAt: time(7), names: [0xDEAD_BEEF])
                let names = [0xDEAD_BEEF, 0, UInt32.max] + (1...8).map { UInt32($0) }
                let last = SourceFailures(count: 12, since: time(7), lastAt: time(9), names: names)
                try store.setFailures(first, ofSource: 7)
                #expect(try store.failures(ofSource: 7) == first)
                try store.setFailures(last, ofSource: 7)
                try store.setFailures(first, ofSource: .max)
                #expect(try store.failures(ofSource: 7) == last)
                #expect(try store.failures(ofSource: .max) == first)
                let one = ThrottleFailures(count: 1, lastAt: time(1))
                let throttles = [Throttle.unknownName(row: 7), .identifier(row: 7), .codesFromNetwork(row: 7)]
                for throttle in throttles { try store.setFailures(one, in: throttle) }
                try store.revokeEverything(throttles: false)
                #expect(try store.failures(ofSource: 7) == last)
                #expect(try throttles.map { try store.failures(in: $0) } == [one, one, one])
                try store.revokeEverything(throttles: true)
                #expect(try throttles.map { try store.failures(in: $0) } == [nil, nil, nil])
                #expect(try store.failures(ofSource: 7) == nil)
            }
        },
        Clause("a device belongs to an account and keeps its failures") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            func device(_ number: UInt8, _ account: Account, at seconds: Int64, failures: Int = 0) -> KnownDevice {
                KnownDevice(
                    digest: digest(number), account: account.id, lastUsedAt: time(seconds), failures: failures)
            }
            let devices = (1...4).map { device($0, ada, at: Int64($0) * 10) } + [device(5, grace, at: 5)]
            let nobody = device(6, try account("nobody"), at: 1)
            let fresh = device(1, ada, at: 90, failures: 2)
            try await store.transact { (store) throws in
                for device in devices { try store.setDevice(device) }
                #expect(try store.device(devices[0].digest) == devices[0])
                #expect(try store.device(nobody.digest) == nil)
                try store.setDevice(fresh)
                #expect(try store.device(fresh.digest) == fresh)
                #expect(try store.failures(in: .device(fresh.digest))?.count == 2)
                try store.setFailures(nil, in: .device(fresh.digest))
                #expect(try store.failures(in: .device(fresh.digest)) == nil)
                #expect(try store.device(fresh.digest)?.failures == 0)
                let all = try store.devices(of: ada.id).map(\.lastUsedAt).sorted()
                #expect(all == [time(20), time(30), time(40), time(90)])
                for device in devices[1...2] { try store.deleteDevice(device.digest) }
                try store.deleteDevice(nobody.digest)
                let known = try devices.map { try store.device($0.digest) != nil }
                #expect(known == [true, false, false, true, true])
                try store.deleteDevices(lastUsedBy: time(40))
                #expect(try devices.map { try store.device($0.digest) != nil } == [true, false, false, false, false])
                try store.setDevice(devices[1])
                try store.setDevice(devices[4])
                try store.deleteDevices(of: ada.id)
                #expect(try store.devices(of: ada.id).isEmpty && store.devices(of: grace.id) == [devices[4]])
                try store.setDevice(fresh)
                _ = try store.deleteAccount(ada.id)
                #expect(try store.device(fresh.digest) == nil)
                try store.revokeEverything(throttles: false)
                #expect(try store.device(devices[4].digest) == nil)
            }
            try await store.refusesStray { (store) throws(AccountError) in try store.setDevice(nobody) }
        },
        Clause("accounts are found once their verification is overdue") { store in
            var late = try account("late")
            late.verifyBy = time(100)
            var later = try account("later")
            later.verifyBy = time(200)
            let proved = try account("proved")
            let accounts = [late, later, proved]
            try await store.transact { (store) throws in
                for account in accounts { try store.insert(account) }
                #expect(try store.unverifiedAccounts(expiredBy: time(99), limit: 9).isEmpty)
                #expect(try store.unverifiedAccounts(expiredBy: time(100), limit: 9) == [accounts[0].id])
                #expect(try store.unverifiedAccounts(expiredBy: time(999), limit: 9).count == 2)
                #expect(try store.unverifiedAccounts(expiredBy: time(999), limit: 1).count == 1)
                #expect(try store.account(.id(accounts[1].id))?.verifyBy == time(200))
                var changed = accounts[1]
                changed.verifyBy = nil
                try store.update(changed)
                #expect(try store.unverifiedAccounts(expiredBy: time(999), limit: 9) == [accounts[0].id])
            }
        },
        Clause("a postponed message is due at its time, an expired one at once") { store in
            let ada = EmailAddress(storedAs: "Ada@example.org", folded: "ada@example.org")
            let messages = (1...3).map { (number: Int) -> OutboxMessage in
                OutboxMessage(
                    id: "m\(number)", recipient: number == 2 ? nil : ada, subject: "s", body: "b", createdAt: time(1),
                    expiresAt: number == 3 ? time(600) : nil)
            }
            try await store.transact { (store) throws in
                for message in messages { try store.enqueue(message) }
                func due(_ seconds: Int64) throws -> [String] {
                    try store.dueMessages(.mail, at: time(seconds), limit: 9).map(\.id)
                }
                #expect(try due(10) == ["m1", "m2", "m3"])
                for message in messages { try store.postponeMessage(message.id, until: time(1000)) }
                #expect(try due(10).isEmpty)
                #expect(try due(600) == ["m3"], "too old")
                #expect(try due(1000) == ["m1", "m2", "m3"])
                #expect(try store.dueMessages(.mail, at: time(1000), limit: 1).map(\.attempts) == [1])
                #expect(try due(1000 - 21_600).isEmpty)
                #expect(try due(1000 - 21_601) == ["m1", "m2", "m3"], "postponed by a clock that was wrong")
                try store.postponeMessage("unknown", until: time(0))
                #expect(try store.waitingMessages(limit: 9).map(\.failure) == [nil, nil, nil])
                try store.setFailure("timed_out: ü", of: "m1", isLast: false)
                try store.setFailure("unknown", of: "unknown", isLast: false)
                #expect(try store.waitingMessages(limit: 9).map(\.failure) == ["timed_out: ü", nil, nil])
                #expect(try store.dueMessages(.mail, at: time(1000), limit: 1).map(\.failure) == ["timed_out: ü"])
            }
        },
        Clause("a logout notice waits apart from mail, and expires after its last attempt") { store in
            let ada = AccountID(bytes: Array(0..<16))!
            let notices = ["wiki", "wiki", "blog"].enumerated().map { number, client in
                OutboxMessage(
                    LogoutNotice(client: client, account: ada, sid: Array(repeating: UInt8(number), count: 16)),
                    id: "n\(number)", at: time(1), expiresAt: time(90_000))
            }
            try await store.transact { (store) throws in
                for notice in notices { try store.enqueue(notice) }
                func due(_ seconds: Int64) throws -> [String] {
                    try store.dueMessages(.logout, at: time(seconds), limit: 9).map(\.id)
                }
                #expect(try store.waitingMessages(limit: 9) == notices)
                #expect(try store.waitingMessage("n1") == notices[1])
                #expect(try store.waitingMessage("n9") == nil)
                #expect(try store.dueMessages(.mail, at: time(9), limit: 9).isEmpty)
                #expect(try due(9) == ["n0", "n1", "n2"])
                try store.postponeMessage("n0", until: time(100))
                try store.postponeNotices(to: "wiki", until: time(50))
                #expect(try due(49) == ["n2"])
                #expect(try due(50) == ["n1", "n2"])
                #expect(try due(100) == ["n0", "n1", "n2"])
                #expect(try store.waitingMessages(limit: 9).map(\.attempts) == [1, 0, 0])
                try store.setFailure("status 503", of: "n0", isLast: true)
                #expect(try store.waitingMessage("n0")?.expiresAt == time(100))
                #expect(try store.waitingMessage("n0")?.failure == "status 503")
                try store.revokeEverything(throttles: false)
                #expect(try store.waitingMessages(limit: 9).isEmpty)
            }
        },
        Clause("a session keeps its source, and a throttle its total failures and extra attempt") {
            store in
            let ada = try account("ada")
            try await store.insert(ada)
            let session = Session(
                digest: SessionDigest(bytes: digest(1)), account: ada.id, scope: .full, createdAt: time(1),
                lastUsedAt: time(1), source: "192.0.2.1")
            let failures = ThrottleFailures(count: 2, lastAt: time(5), total: 40, extraAt: time(4))
            try await store.transact { (store) throws in
                try store.insert(session)
                #expect(try store.session(session.digest) == session)
                #expect(try store.sessions(of: ada.id) == [session])
                let throttles = [
                    Throttle.account(ada.id), .unknownName(row: 3), .identifier(row: 3), .codes(ada.id),
                    .codesFromNetwork(row: 3),
                ]
                for throttle in throttles {
                    try store.setFailures(ThrottleFailures(count: 1, lastAt: time(1)), in: throttle)
                    try store.setFailures(failures, in: throttle)
                    #expect(try store.failures(in: throttle) == failures)
                }
            }
        },
    ]
}
