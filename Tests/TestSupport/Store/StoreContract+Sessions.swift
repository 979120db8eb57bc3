import LatchkeyAccounts
import Testing

extension StoreContract {
    static let sessions: [Clause] = [
        Clause("operator tokens keep their order and every value, and a restored store has none") { store in
            let first = OperatorToken(
                digest: digest(2), name: "ci — é", scopes: [.readAccounts], createdAt: time(1), expiresAt: nil)
            let second = OperatorToken(
                digest: digest(1), name: "all", scopes: Set(OperatorToken.Scope.allCases), createdAt: time(1),
                expiresAt: time(9), lastUsedAt: time(3))
            try await store.transact { (store) throws in
                try store.insert(first)
                try store.insert(second)
                #expect(try store.operatorTokens == [first, second])
                #expect(try store.operatorToken(digest(1)) == second)
                #expect(try store.operatorToken(digest(3)) == nil)
                try store.touchOperatorToken(digest(2), at: time(7))
                #expect(try store.operatorToken(digest(2))?.lastUsedAt == time(7))
                #expect(try store.deleteOperatorToken(digest(1)))
                #expect(try !store.deleteOperatorToken(digest(1)))
                try store.revokeEverything(throttles: false)
                #expect(try store.operatorTokens.isEmpty)
            }
        },
        Clause("a session is found by its digest, touched and deleted") { store in
            let ada = try account("ada")
            var session = Session(
                digest: SessionDigest(bytes: digest(1)), account: ada.id, scope: .changePassword, createdAt: time(10),
                lastUsedAt: time(11))
            let other = Session(
                digest: SessionDigest(bytes: digest(2)), account: ada.id, scope: .full, createdAt: time(12),
                lastUsedAt: time(13))
            try await store.insert(ada)
            session.tag = digest(8)
            let made = session
            session.lastUsedAt = time(99)
            session.tag = digest(9)
            let touched = session
            try await store.transact { (store) throws in
                try store.insert(made)
                try store.insert(other)
                #expect(try store.session(made.digest) == made)
                try store.touch(touched)
            }
            try await store.transact { (store) throws in
                #expect(try store.session(touched.digest) == touched)
                #expect(try store.session(other.digest) == other)
                #expect(try store.session(SessionDigest(bytes: digest(3))) == nil)
                try store.deleteSession(touched.digest)
                #expect(try store.session(touched.digest) == nil)
                // A session that has ended already is no failure.
                try store.deleteSession(touched.digest)
                #expect(try store.session(touched.digest) == nil)
                #expect(try store.session(other.digest) == other)
            }
        },
        Clause("all sessions of one account are deleted, and no others") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            try await store.transact { (store) throws in
                for number in 1...4 {
                    try store.insert(
                        Session(
                            digest: SessionDigest(bytes: digest(UInt8(number))),
                            account: number < 4 ? ada.id : grace.id, scope: .full, createdAt: time(1),
                            lastUsedAt: time(1)))
                }
                #expect(try store.deleteSessions(of: ada.id) == 3)
                #expect(try store.deleteSessions(of: ada.id) == 0)
                #expect(try store.session(SessionDigest(bytes: digest(4))) != nil)
            }
        },
        Clause("an account's sessions are listed, least recently used first") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            try await store.transact { (store) throws in
                for (number, lastUsedAt) in [30, 10, 20].enumerated() {
                    try store.insert(
                        Session(
                            digest: SessionDigest(bytes: digest(UInt8(number))), account: ada.id, scope: .full,
                            createdAt: time(1), lastUsedAt: time(Int64(lastUsedAt))))
                }
                #expect(try store.sessions(of: ada.id).map(\.lastUsedAt) == [time(10), time(20), time(30)])
                #expect(try store.sessions(of: grace.id).isEmpty)
            }
        },
        Clause("the sessions of all accounts are listed in pages, most recently used first") { store in
            let (ada, grace) = (try account("ada"), try account("grace"))
            try await store.insert(ada)
            try await store.insert(grace)
            try await store.transact { (store) throws in
                #expect(try store.sessions(after: nil, limit: 2).isEmpty)
                let rows: [(UInt8, Account, Int64)] = [(1, ada, 30), (2, grace, 10), (3, ada, 20), (4, grace, 20)]
                for (number, owner, lastUsedAt) in rows {
                    try store.insert(
                        Session(
                            digest: SessionDigest(bytes: digest(number)), account: owner.id, scope: .full,
                            createdAt: time(1), lastUsedAt: time(lastUsedAt)))
                }
                let all = try store.sessions(after: nil, limit: 9)
                #expect(all.map { $0.digest.bytes[0] } == [1, 4, 3, 2])
                for (index, session) in all.enumerated() {
                    let rest = try store.sessions(after: SessionPlace(session), limit: 2)
                    #expect(rest == Array(all.dropFirst(index + 1).prefix(2)))
                }
            }
        },
        Clause("a session for an unknown account is refused") { store in
            let session = Session(
                digest: SessionDigest(bytes: digest(1)), account: try newID(), scope: .full, createdAt: time(1),
                lastUsedAt: time(1))
            let refused = await failure {
                try await store.transact { (store) throws in try store.insert(session) }
            }
            #expect(refused == .noSuchAccount)
        },
        Clause("old sessions are found by creation or last use, least recently used first") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            try await store.transact { (store) throws in
                for (number, (created, used)) in [(1, 9), (5, 5), (5, 7), (6, 8)].enumerated() {
                    try store.insert(
                        Session(
                            digest: SessionDigest(bytes: digest(UInt8(number))), account: ada.id, scope: .full,
                            createdAt: time(Int64(created)), lastUsedAt: time(Int64(used))))
                }
                func old(_ created: Int64, _ used: Int64, _ limit: Int = 10) throws -> [UInt8] {
                    try store.sessions(createdBy: time(created), orUsedBy: time(used), limit: limit)
                        .map { $0.digest.bytes[0] }
                }
                #expect(try old(0, 4) == [])
                #expect(try old(1, 4) == [0])
                #expect(try old(0, 5) == [1])
                #expect(try old(1, 7) == [1, 2, 0])
                #expect(try old(9, 9, 2) == [1, 2])
            }
        },
        Clause("failures are counted separately for each throttle") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            let throttles: [Throttle] = [
                .account(ada.id), .unknownName(row: 0), .unknownName(row: 65535), .identifier(row: 0),
                .identifier(row: 65535),
            ]
            try await store.transact { (store) throws in
                for (count, throttle) in throttles.enumerated() {
                    #expect(try store.failures(in: throttle) == nil)
                    try store.setFailures(ThrottleFailures(count: 100, lastAt: time(1)), in: throttle)
                    try store.setFailures(ThrottleFailures(count: count, lastAt: time(Int64(count + 1))), in: throttle)
                }
                for (count, throttle) in throttles.enumerated() {
                    #expect(
                        try store.failures(in: throttle)
                            == ThrottleFailures(count: count, lastAt: time(Int64(count + 1))))
                }
                #expect(try store.failures(in: .account(grace.id)) == nil)
                #expect(try store.failures(in: .unknownName(row: 1)) == nil)
                #expect(try store.failures(in: .identifier(row: 1)) == nil)
                for throttle in throttles { try store.setFailures(nil, in: throttle) }
                for throttle in throttles { #expect(try store.failures(in: throttle) == nil) }
            }
            let ghost = try newID()
            let refused = await failure {
                try await store.transact { (store) throws in
                    try store.setFailures(ThrottleFailures(count: 1, lastAt: time(1)), in: .account(ghost))
                }
            }
            #expect(refused == .noSuchAccount)
        },
    ]
}
