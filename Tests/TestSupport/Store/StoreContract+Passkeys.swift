import LatchkeyAccounts
import Testing

extension StoreContract {
    private static func passkey(
        _ number: UInt8, of account: AccountID, at seconds: Int64, _ name: String = "Phone"
    ) -> Passkey {
        let credential = PasskeyCredential(
            id: [number], publicKey: [number, 1, 2], signCount: 7, isBackupEligible: true, isBackedUp: false,
            transports: ["hybrid", "internal"])
        return Passkey(credential, of: account, named: name, createdAt: time(seconds))
    }

    static let passkeys: [Clause] = [
        Clause("passkeys are listed in the order of creation, used, and deleted") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            let longest = String(repeating: "𝒳", count: Passkey.maximumNameLength)
            let (phone, key) = (passkey(2, of: ada.id, at: 5), passkey(1, of: ada.id, at: 6, longest))
            let hers = passkey(3, of: grace.id, at: 4)
            let stray = try passkey(4, of: newID(), at: 1)
            try await store.transact { (store) throws in
                for passkey in [key, phone, hers] { try store.insert(passkey) }
                #expect(try store.passkeys(of: ada.id) == [phone, key])
                #expect(try store.passkey([3]) == hers && store.passkey([9]) == nil)
                let credential = PasskeyCredential(
                    id: [2], publicKey: [2, 1, 2], signCount: .max, isBackupEligible: true, isBackedUp: true,
                    transports: ["hybrid", "internal"])
                let used = Passkey(
                    credential, of: ada.id, named: "Phone", createdAt: time(5), lastUsedAt: time(70))
                try store.update(used)
                #expect(try store.passkey([2]) == used)
                #expect(try store.deletePasskey([2]))
                #expect(try !store.deletePasskey([2]))
                try store.update(used)
                #expect(try store.passkeys(of: ada.id) == [key])
                #expect(try store.deletePasskeys(of: ada.id))
                #expect(try !store.deletePasskeys(of: ada.id))
                _ = try store.deleteAccount(grace.id)
                #expect(try store.passkey([3]) == nil, "it goes with its account")
            }
            try await store.refusesStray { (store) throws(AccountError) in try store.insert(stray) }
        },
        Clause("a challenge is taken once by its account, and expired and surplus ones go") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            func challenge(
                _ number: UInt8, of account: AccountID? = nil, until seconds: Int64, from network: [UInt8] = []
            ) -> PasskeyChallenge {
                PasskeyChallenge(bytes: digest(number), account: account, network: network, expiresAt: time(seconds))
            }
            let own = (1...4).map { challenge($0, of: ada.id, until: 10 + Int64($0), from: [1, 2, 3, 4]) }
            let others = [
                challenge(5, of: ada.id, until: 9), challenge(6, of: grace.id, until: 9, from: [1, 2, 3, 4]),
            ]
            let answered = challenge(7, until: 20)
            try await store.transact { (store) throws in
                for challenge in own + others + [answered] { #expect(try store.insert(challenge)) }
                #expect(try !store.insert(answered))
                #expect(try store.takePasskeyChallenge(answered.bytes, of: ada.id) == nil)
                #expect(try store.takePasskeyChallenge(own[3].bytes, of: grace.id) == nil)
                #expect(try store.takePasskeyChallenge(own[3].bytes, of: ada.id) == own[3])
                #expect(try store.takePasskeyChallenge(own[3].bytes, of: ada.id) == nil)
                try store.deletePasskeyChallenges(of: ada.id, from: [1, 2, 3, 4], keeping: 2)
                #expect(try store.takePasskeyChallenge(own[0].bytes, of: ada.id) == nil)
                #expect(try store.takePasskeyChallenge(others[0].bytes, of: ada.id) == others[0])
                #expect(try store.takePasskeyChallenge(others[1].bytes, of: grace.id) == others[1])
                try store.deletePasskeyChallenges(expiredBy: time(12))
                #expect(try store.takePasskeyChallenge(own[1].bytes, of: ada.id) == nil)
                #expect(try store.takePasskeyChallenge(own[2].bytes, of: ada.id) == own[2])
                #expect(try !store.insert(answered), "it has not expired")
                try store.deletePasskeyChallenges(expiredBy: time(20))
                #expect(try store.insert(answered))
            }
        },
    ]
}
