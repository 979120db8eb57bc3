import LatchkeyAccounts
import Testing

extension StoreContract {
    static let appPasswords: [Clause] = [
        Clause("app passwords are listed in the order of creation, used, and deleted one by one") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            func password(_ number: UInt8, of account: AccountID, at seconds: Int64, _ name: String) -> AppPassword {
                AppPassword(tag: digest(number), account: account, name: name, createdAt: time(seconds))
            }
            let longest = String(repeating: "𝒳", count: AppPassword.maximumNameLength)
            let mail = password(2, of: ada.id, at: 5, "Phone mail")
            let calendar = password(1, of: ada.id, at: 6, longest)
            let hers = password(3, of: grace.id, at: 4, "Phone mail")
            let stray = try password(4, of: newID(), at: 1, "Mail")
            try await store.transact { (store) throws in
                for password in [calendar, mail, hers] { try store.insert(password) }
                #expect(try store.appPasswords(of: ada.id) == [mail, calendar])
                #expect(try store.appPassword(hers.tag) == hers && store.appPassword(digest(9)) == nil)
                try store.touchAppPassword(mail.tag, at: time(70))
                #expect(try store.appPasswords(of: ada.id).map(\.lastUsedAt) == [time(70), nil])
                #expect(try store.deleteAppPassword(mail.tag))
                #expect(try !store.deleteAppPassword(mail.tag))
                try store.touchAppPassword(mail.tag, at: time(71))
                #expect(try store.appPasswords(of: ada.id) == [calendar])
                #expect(try store.appPasswords(of: grace.id) == [hers])
            }
            try await store.refusesStray { (store) throws(AccountError) in try store.insert(stray) }
        },
        Clause("app passwords go with their account, all together, or with a restoration") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            let passwords = [ada.id, ada.id, grace.id].enumerated().map { number, account in
                AppPassword(tag: digest(UInt8(number)), account: account, name: "Mail", createdAt: time(5))
            }
            try await store.transact { (store) throws in
                func left() throws -> [Bool] { try passwords.map { try store.appPassword($0.tag) != nil } }
                for password in passwords { try store.insert(password) }
                try store.deleteAppPasswords(of: ada.id)
                #expect(try left() == [false, false, true])
                _ = try store.deleteAccount(grace.id)
                #expect(try left() == [false, false, false])
                try store.insert(passwords[0])
                try store.revokeEverything(throttles: false)
                #expect(try left() == [false, false, false])
            }
        },
    ]
}
