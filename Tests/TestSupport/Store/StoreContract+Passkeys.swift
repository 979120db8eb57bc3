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
                #expect(throws: AccountError.noSuchAccount) { try store.insert(stray) }
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
        },
        Clause("a passkey's challenge is taken once, and expired and surplus ones go") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            func challenge(_ number: UInt8, of account: AccountID? = nil, until seconds: Int64) -> PasskeyChallenge {
                PasskeyChallenge(
                    bytes: digest(number), account: account, network: [1, 2, 3, 4], expiresAt: time(seconds))
            }
            let own = challenge(1, of: ada.id, until: 9)
            let others = (2...5).map { challenge($0, until: 10 + Int64($0)) }
            try await store.transact { (store) throws in
                for challenge in others + [own] { try store.insert(challenge) }
                #expect(try store.takePasskeyChallenge(own.bytes) == own)
                #expect(try store.takePasskeyChallenge(own.bytes) == nil)
                try store.deletePasskeyChallenges(expiredBy: time(12), keeping: 2)
                #expect(
                    try others.map { try store.takePasskeyChallenge($0.bytes) != nil } == [false, false, true, true])
            }
        },
    ]
}
