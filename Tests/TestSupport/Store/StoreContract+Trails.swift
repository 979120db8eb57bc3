import LatchkeyAccounts
import Testing

extension StoreContract {
    static let trails: [Clause] = [
        Clause("messages wait in the order in which they were written") { store in
            let ada = EmailAddress(storedAs: "Ada@example.org", folded: "ada@example.org")
            let messages = (1...3).map { (number: Int) -> OutboxMessage in
                OutboxMessage(
                    id: "m\(number)", recipient: number == 2 ? nil : ada, subject: "Nr. \(number)",
                    body: "Line one\r\n\nÜ \(number)", createdAt: time(Int64(10 - number)),
                    expiresAt: number == 3 ? time(600) : nil)
            }
            try await store.transact { (store) throws in
                #expect(try store.waitingMessages(limit: 10).isEmpty)
                for message in messages { try store.enqueue(message) }
            }
            try await store.transact { (store) throws in
                let waiting = try store.waitingMessages(limit: 10)
                #expect(waiting == messages)
                #expect(waiting.map { $0.recipient?.typed } == ["Ada@example.org", nil, "Ada@example.org"])
                #expect(try store.waitingMessages(limit: 2) == Array(messages.prefix(2)))
                #expect(try store.waitingMessages(limit: 0).isEmpty)
                try store.deleteMessage("m1")
                try store.deleteMessage("unknown")
                #expect(try store.waitingMessages(limit: 10) == Array(messages.dropFirst()))
            }
        },
        Clause("the audit trail grows at its end without gaps and is read in order") { store in
            try await store.transact { (store) throws in
                #expect(try store.auditHead == nil)
                #expect(try store.auditRows(after: 0, limit: 10).isEmpty)
                for number in 1...5 {
                    try store.append(auditRecord(Int64(number)), hash: digest(UInt8(number)))
                }
                #expect(try store.auditHead == AuditHead(sequence: 5, hash: digest(5)))
            }
            try await store.transact { (store) throws in
                let all = try store.auditRows(after: 0, limit: 10)
                #expect(all.compactMap(\.record) == (1...5 as ClosedRange<Int64>).map { auditRecord($0) })
                #expect(all.map(\.hash) == (1...5).map { digest($0) })
                #expect(try store.auditRows(after: 2, limit: 2).map(\.sequence) == [3, 4])
                #expect(try store.auditRows(after: 5, limit: 2).isEmpty)
            }
        },
        Clause("the newest audit records are found by their values") { store in
            try await store.transact { (store) throws in
                for number in 1...6 { try store.append(auditRecord(Int64(number)), hash: digest(UInt8(number))) }
            }
            var operators = AuditFilter()
            operators.isByOperators = true
            let expected: [(AuditFilter, [Int64])] = [
                (AuditFilter(), [6, 5, 4, 3, 2, 1]), (AuditFilter(account: auditRecord(5).account), [5]),
                (AuditFilter(events: ["user_deleted"]), [2]), (AuditFilter(events: []), []),
                (AuditFilter(events: ["authn_login_fail"]), [6, 5, 4, 3, 1]), (AuditFilter(since: time(4)), [6, 5, 4]),
                (AuditFilter(events: ["user_deleted", "user_created"]), [2]),
                (AuditFilter(source: "192.0.2.1"), [6, 4]),
                (AuditFilter(source: "192.0.2.%"), []), (operators, [6, 4, 3]),
            ]
            try await store.transact { (store) throws in
                for (filter, numbers) in expected {
                    let rows = try store.auditRows(from: 1, before: 7, matching: filter, limit: 9)
                    #expect(rows.map(\.sequence) == numbers)
                    #expect(rows.allSatisfy { $0.record == auditRecord($0.sequence) })
                    let part = try store.auditRows(from: 2, before: 6, matching: filter, limit: 1)
                    #expect(part.map(\.sequence) == Array(numbers.filter { 2..<6 ~= $0 }.prefix(1)))
                }
                #expect(
                    try store.auditCounts(after: 2, since: time(4)) == ["authn_login_fail": 3])
                #expect(try store.auditCounts(after: 0, since: time(2)) == ["authn_login_fail": 4, "user_deleted": 1])
            }
        },
        Clause("an audit record cannot reuse or skip a number") { store in
            try await store.transact { (store) throws in
                try store.append(auditRecord(1), hash: digest(1))
                try store.append(auditRecord(2), hash: digest(2))
            }
            for number in [Int64(0), 1, 2, 4, -1] {
                let refused = await failure {
                    try await store.transact { (store) throws in
                        try store.append(auditRecord(number), hash: digest(9))
                    }
                }
                guard case .store(.failed) = refused else {
                    Issue.record("number \(number): \(String(describing: refused))")
                    continue
                }
            }
            #expect(
                try await store.read { (store) throws(AccountError) in try store.auditHead }
                    == AuditHead(sequence: 2, hash: digest(2)))
        },
        Clause("the audit trail is only shortened at its start, up to the beginning of a segment") { store in
            try await store.transact { (store) throws in
                for number in 1...9 {
                    let name = [4, 7].contains(number) ? "audit_rotate" : "user_created"
                    try store.append(auditRecord(Int64(number), name: name), hash: digest(UInt8(number)))
                }
                #expect(try store.auditRotations().map(\.sequence) == [4, 7])
                let sizes = try ([1, 2, 9, 10] as [Int64]).map { try store.auditSize(from: $0) }
                #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2] && sizes[2] > 0 && sizes[3] == 0)
                for number in [Int64(-1), 0, 1, 3, 5, 9, 10] {
                    #expect(try store.dropAuditRecords(before: number) == 0)
                }
                #expect(try store.auditRows(after: 0, limit: 20).count == 9)
                #expect(try store.dropAuditRecords(before: 4) == 3)
                #expect(try store.dropAuditRecords(before: 4) == 0)
            }
            try await store.transact { (store) throws in
                #expect(try store.auditRows(after: 0, limit: 20).map(\.sequence) == [4, 5, 6, 7, 8, 9])
                #expect(try store.auditRows(after: 5, limit: 2).map(\.sequence) == [6, 7])
                #expect(try store.dropAuditRecords(before: 7) == 3)
                try store.append(auditRecord(10), hash: digest(10))
                #expect(try store.auditRows(after: 0, limit: 20).map(\.sequence) == [7, 8, 9, 10])
                #expect(try store.auditHead?.sequence == 10)
            }
        },
        Clause("floods are counted for the store and for each throttle") { store in
            let flood = AuditFlood(since: time(1), recorded: 100, counted: 7)
            let ada = try account("ada")
            try await store.insert(ada)
            try await store.transact { (store) throws in
                #expect(try store.auditFlood == nil)
                try store.setAuditFlood(flood)
                #expect(try store.auditFlood == flood)
                let throttles: [Throttle] = [
                    .account(ada.id), .unknownName(row: 1), .unknownName(row: 2), .unknownName(row: 3),
                    .identifier(row: 3),
                ]
                for (index, throttle) in throttles.enumerated() {
                    let refusals = AuditFlood(since: time(Int64(index)), recorded: 20, counted: index == 2 ? 0 : 5)
                    let failures = ThrottleFailures(count: 9, lastAt: time(1), refusals: refusals)
                    try store.setFailures(failures, in: throttle)
                    #expect(try store.failures(in: throttle) == failures)
                }
                func found(_ seconds: Int64, _ limit: Int) throws -> [Throttle] {
                    try store.throttlesWithUnrecordedRefusals(since: time(seconds), limit: limit).map(\.throttle)
                }
                #expect(try found(4, 10) == [throttles[0], throttles[1], throttles[3], throttles[4]])
                #expect(try found(3, 10) == [throttles[0], throttles[1], throttles[3]])
                #expect(try found(2, 10) == [throttles[0], throttles[1]])
                #expect(try found(3, 1) == [throttles[0]])
                #expect(try found(-1, 10) == [])
                try store.setFailures(ThrottleFailures(count: 9, lastAt: time(1)), in: throttles[0])
                #expect(try store.failures(in: throttles[0])?.refusals == nil)
            }
        },
    ]

    private static let administrator = AccountID("00000000-0000-4000-8000-000000000009")

    private static func actor(_ number: Int64) -> AuditActor {
        switch number {
        case 3: .operatingSystemUser(.max)
        case 4: .operatorToken(id: "0badcafe")
        case 6: administrator.map { .account($0) } ?? .owner
        default: .owner
        }
    }

    static func auditRecord(_ number: Int64, name: String? = nil) -> AuditRecord {
        AuditRecord(
            sequence: number, time: time(number), name: name ?? (number == 2 ? "user_deleted" : "authn_login_fail"),
            account: AccountID("00000000-0000-4000-8000-00000000000\(abs(number) % 10)"),
            actor: actor(number),
            requestID: "r\(number)",
            reason: number == 4 ? "" : "wrong password — Ü",
            // Odd records have the first format.
            context: number % 2 != 0
                ? nil
                : AuditContext(
                    sinceBoot: number * 1000, bootID: "boot — Ü",
                    actingAccount: number == 2 ? nil : administrator,
                    processUser: number == 4 ? .max : 0, source: number == 2 ? "" : "192.0.2.1", version: "1.2.3"))
    }
}
