import LatchkeyAccounts
import Testing

extension StoreContract {
    static let trails: [Clause] = [
        Clause("messages wait in the order of their writing") { store in
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
                try store.deleteMessage("nobody's")
                #expect(try store.waitingMessages(limit: 10) == Array(messages.dropFirst()))
            }
        },
        Clause("the audit trail grows at its end, without gaps, and is read in order") { store in
            try await store.transact { (store) throws in
                #expect(try store.auditHead == nil)
                #expect(try store.auditRecords(after: 0, limit: 10).isEmpty)
                for number in 1...5 {
                    try store.append(auditRecord(Int64(number)), hash: digest(UInt8(number)))
                }
                #expect(try store.auditHead == AuditHead(sequence: 5, hash: digest(5)))
            }
            try await store.transact { (store) throws in
                let all = try store.auditRecords(after: 0, limit: 10)
                #expect(all.map(\.record) == (1...5).map { auditRecord($0) })
                #expect(all.map(\.hash) == (1...5).map { digest($0) })
                #expect(try store.auditRecords(after: 2, limit: 2).map(\.record.sequence) == [3, 4])
                #expect(try store.auditRecords(after: 5, limit: 2).isEmpty)
            }
        },
        Clause("no audit record takes another's number or leaves one out") { store in
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
    ]

    static func auditRecord(_ number: Int64) -> AuditRecord {
        AuditRecord(
            sequence: number, time: time(number), event: number == 2 ? .userDeleted : .loginFailed,
            account: AccountID("00000000-0000-4000-8000-00000000000\(abs(number) % 10)"),
            actor: number == 3 ? .operatingSystemUser(.max) : .owner, requestID: "r\(number)",
            reason: number == 4 ? "" : "wrong password — Ü")
    }
}
