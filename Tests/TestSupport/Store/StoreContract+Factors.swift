import LatchkeyAccounts
import Testing

extension StoreContract {
    static let factors: [Clause] = [
        Clause("an authenticator belongs to an account and is replaced by another") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            let key = SealingKeyID("0123456789abcdef")
            let first = Authenticator(
                secret: SealedSecret(key: nil, bytes: [UInt8](repeating: 7, count: 60)), createdAt: time(5))
            let second = Authenticator(
                secret: SealedSecret(key: key, bytes: [UInt8](repeating: 8, count: 60)), createdAt: time(6),
                isConfirmed: true, lastStep: 2, lastUsedAt: time(70))
            try await store.transact { (store) throws in
                #expect(try store.authenticator(of: ada.id) == nil)
                try store.setAuthenticator(first, of: ada.id)
                try store.setAuthenticator(first, of: grace.id)
                #expect(try store.authenticator(of: ada.id) == first)
                try store.setAuthenticator(second, of: ada.id)
                #expect(try store.authenticator(of: ada.id) == second)
                #expect(try store.authenticatorCounts == [nil: 1, key: 1])
                let bare = try store.authenticators(notSealedWith: try #require(key), after: nil, limit: 10)
                #expect(bare.map(\.account) == [grace.id] && bare.map(\.authenticator) == [first])
                #expect(try store.authenticators(notSealedWith: try #require(key), after: grace.id, limit: 10).isEmpty)
                #expect(try store.authenticators(notSealedWith: try #require(key), after: nil, limit: 0).isEmpty)
                #expect(try store.deleteFactors(of: ada.id))
                #expect(try !store.deleteAuthenticator(of: ada.id))
                #expect(try !store.deleteFactors(of: ada.id))
                #expect(try store.authenticator(of: ada.id) == nil)
                _ = try store.deleteAccount(grace.id)
                #expect(try store.authenticatorCounts == [:])
            }
            let stranger = try newID()
            try await store.refusesStray { (store) throws(AccountError) in
                try store.setAuthenticator(first, of: stranger)
            }
        },
        Clause("a saved code is spent once, by its own account") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            let tags = (1...3).map { RecoveryCodeTag(bytes: digest($0)) }
            try await store.transact { (store) throws in
                try store.setSavedCodes([tags[0]], of: ada.id)
                try store.setSavedCodes(tags, of: ada.id)
                #expect(try store.savedCodes(of: ada.id) == 3)
                #expect(try !store.spendSavedCode(tags[0], of: grace.id))
                #expect(try store.spendSavedCode(tags[0], of: ada.id))
                #expect(try !store.spendSavedCode(tags[0], of: ada.id))
                #expect(try store.savedCodes(of: ada.id) == 2 && store.savedCodes(of: grace.id) == 0)
                try store.setSavedCodes([], of: ada.id)
                #expect(try store.savedCodes(of: ada.id) == 0)
            }
        },
        Clause("wrong codes of an account are counted apart from its failed logins") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            let failures = ThrottleFailures(count: 2, lastAt: time(7), total: 3)
            try await store.transact { (store) throws in
                let codes = Throttle.codes(ada.id)
                #expect(try store.failures(in: codes) == nil)
                try store.setFailures(failures, in: codes)
                #expect(try store.failures(in: codes) == failures)
                #expect(try store.failures(in: .account(ada.id)) == nil)
                try store.setFailures(nil, in: codes)
                #expect(try store.failures(in: codes) == nil)
                try store.setFailures(failures, in: codes)
                _ = try store.deleteFactors(of: ada.id)
                #expect(try store.failures(in: codes) == nil)
                try store.setFailures(failures, in: codes)
                try store.revokeEverything(throttles: true)
                #expect(try store.failures(in: codes) == nil)
            }
            let stranger = Throttle.codes(try newID())
            try await store.refusesStray { (store) throws(AccountError) in
                try store.setFailures(failures, in: stranger)
            }
        },
        Clause("a pending login keeps its purpose and goes with its account, its time or a restoration") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            func login(
                _ number: UInt8, at seconds: Int64, _ purpose: PendingLogin.Purpose = .login
            ) -> PendingLogin {
                PendingLogin(
                    digest: digest(number), account: ada.id, network: number == 1 ? [] : [192, 0, 2, 1],
                    passwordGeneration: 3, createdAt: time(seconds), expiresAt: time(seconds + 300), purpose: purpose)
            }
            let sealed = SealedSecret(
                key: SealingKeyID("0123456789abcdef"), bytes: [UInt8](repeating: 9, count: 140))
            let logins = [
                login(1, at: 1), login(2, at: 2, .reauthentication(SessionDigest(bytes: digest(9)))),
                login(3, at: 3, .recovery(RecoveryCodeTag(bytes: digest(8)), sealed)), login(4, at: 4),
            ]
            try await store.transact { (store) throws in
                for login in logins { try store.insert(login) }
                for login in logins { #expect(try store.pendingLogin(login.digest) == login) }
                func left() throws -> [Bool] { try logins.map { try store.pendingLogin($0.digest) != nil } }
                try store.deletePendingLogin(logins[3].digest)
                #expect(try left() == [true, true, true, false])
                try store.deletePendingLogins(of: ada.id, from: logins[1].network, keeping: 2)
                #expect(try left() == [true, true, true, false])
                try store.deletePendingLogins(of: ada.id, from: logins[1].network, keeping: 1)
                #expect(try left() == [true, false, true, false], "another network keeps its logins")
                try store.deletePendingLogins(expiredBy: time(302))
                #expect(try left() == [false, false, true, false])
                try store.revokeEverything(throttles: false)
                #expect(try left() == [false, false, false, false])
                try store.insert(logins[1])
                try store.deletePendingLogins(of: ada.id)
                #expect(try left() == [false, false, false, false])
                try store.insert(logins[0])
                _ = try store.deleteAccount(ada.id)
                #expect(try left() == [false, false, false, false])
            }
            try await store.refusesStray { (store) throws(AccountError) in try store.insert(logins[0]) }
        },
    ]
}
