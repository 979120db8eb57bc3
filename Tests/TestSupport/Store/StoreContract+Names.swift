import LatchkeyAccounts
import LatchkeyForms
import Testing

extension StoreContract {
    private static func signUp(
        _ name: String?, email: String = "Ada@Example.org", from network: [UInt8] = [], at seconds: Int64,
        attributes: [String: FieldValue] = [:]
    ) throws -> SignUp {
        SignUp(
            id: try newID(), email: EmailAddress(storedAs: email, folded: email.lowercased()),
            username: name.map { Username(storedAs: $0.uppercased(), prepared: $0) }, attributes: attributes,
            network: network, createdAt: time(seconds), expiresAt: time(seconds + 100))
    }

    static let names: [Clause] = [
        Clause("a sign-up is read as it was written, oldest first, and several can have one address") { store in
            let all = [
                try signUp(
                    "ada", from: [192, 0, 2, 1], at: 2, attributes: ["company": "Ünïcode \u{1F980}", "empty": ""]),
                try signUp("Ünïcode", from: [1, 2, 3, 4, 5, 6, 7, 8], at: 1), try signUp(nil, at: 3),
            ]
            let other = try signUp("bob", email: "bob@example.org", at: 1)
            try await store.transact { (store) throws in
                for signUp in all + [other] { try store.insert(signUp) }
                #expect(try store.signUps(for: all[0].email) == [all[1], all[0], all[2]])
                let typed = try store.signUps(for: all[0].email).map(\.email.typed)
                #expect(typed == Array(repeating: "Ada@Example.org", count: 3))
                #expect(try store.signUp(all[0].id) == all[0])
                #expect(try store.signUp(all[0].id)?.username?.typed == "ADA")
                #expect(try store.signUp(all[2].id) == all[2])
                #expect(try store.account(.email(all[0].email)) == nil && !store.hasAccounts)
                let ada = Username(storedAs: "ada", prepared: "ada")
                #expect(try store.hasSignUp(for: ada, after: time(101)))
                #expect(try !store.hasSignUp(for: ada, after: time(102)))
                #expect(try !store.hasSignUp(for: Username(storedAs: "eve", prepared: "eve"), after: time(0)))
                try store.deleteSignUp(all[0].id)
                #expect(try store.signUps(for: all[0].email) == [all[1], all[2]])
                try store.deleteSignUps(expiredBy: time(101))
                #expect(try store.signUps(for: all[0].email) == [all[2]])
                #expect(try store.signUp(other.id) == nil)
                try store.deleteSignUps(for: all[0].email)
                #expect(try store.signUp(all[2].id) == nil)
            }
        },
        Clause("the codes of a sign-up lead to it, and count after it is deleted") { store in
            let signUp = try signUp("ada", at: 0)
            let codes = (1...3).map { (number: UInt8) in
                RecoveryRequest(
                    tag: RecoveryCodeTag(bytes: digest(number)), throttle: .unknownName(row: UInt16(number % 2)),
                    createdAt: time(Int64(number) * 10), expiresAt: time(600),
                    newEmail: number == 3 ? nil : signUp.email, signUp: signUp.id)
            }
            try await store.transact { (store) throws in
                try store.insert(signUp)
                for code in codes { try store.insert(code) }
                for code in codes { #expect(try store.recoveryRequest(code.tag) == code) }
                func count(_ throttle: Throttle?, since seconds: Int64) throws -> Int {
                    try store.requests(verifying: signUp.email, in: throttle, since: time(seconds))
                }
                #expect(try [count(nil, since: 0), count(nil, since: 20), count(nil, since: 21)] == [2, 1, 0])
                #expect(try count(.unknownName(row: 1), since: 0) == 1)
                #expect(try count(.unknownName(row: 7), since: 0) == 0)
                // A code that a forgotten password sent counts as a recovery.
                #expect(try store.recoveryRequests(in: .unknownName(row: 1), since: time(0)) == 1)
                #expect(try store.spendRecoveryCode(codes[0].tag, at: time(40)) == codes[0])
                try store.deleteSignUp(signUp.id)
                #expect(try store.recoveryRequest(codes[1].tag)?.signUp == nil)
                #expect(try count(nil, since: 0) == 2)
            }
        },
        Clause("a reservation is replaced, found, counted by account, and deleted") { store in
            let (ada, eve) = (try newID(), try newID())
            @Sendable func reserved(_ name: String, _ account: AccountID, until seconds: Int64) -> ReservedName {
                ReservedName(name: name, account: account, expiresAt: time(seconds))
            }
            try await store.transact { (store) throws in
                #expect(try !store.hasReservedNames)
                try store.reserve(reserved("éva", ada, until: 10))
                try store.reserve(reserved("éva", eve, until: 20))
                #expect(try store.reservedName("éva") == reserved("éva", eve, until: 20))
                #expect(try store.reservedName("e\u{301}va") == nil, "names are compared by their bytes")
                #expect(try store.hasReservedNames)
                for number in 1...4 { try store.reserve(reserved("ada\(number)", ada, until: Int64(number))) }
                try store.deleteReservedNames(of: ada, keeping: 2)
                let left = try (1...4).map { try store.reservedName("ada\($0)") != nil }
                #expect(left == [false, false, true, true])
                try store.deleteReservedNames(expiredBy: time(3))
                #expect(try store.reservedName("ada3") == nil && store.reservedName("ada4") != nil)
                try store.deleteReservedName("ada4")
                try store.deleteReservedName("unknown")
                #expect(try store.reservedName("ada4") == nil && store.reservedName("éva") != nil)
            }
        },
    ]
}
