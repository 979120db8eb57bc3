import LatchkeyAccounts
import Testing

extension StoreContract {
    private static func group(_ name: String, title: String? = nil) throws -> Group {
        Group(id: try newID(), name: try #require(GroupName(name)), title: title, createdAt: time(7))
    }

    static let groups: [Clause] = [
        Clause("a group is read as it was written, ordered by the bytes of its name") { store in
            let all = [try group("b", title: "Ünïcode \u{1F980}"), try group("a-1"), try group("a.1"), try group("10")]
            try await store.transact { (store) throws in
                #expect(try store.groups.isEmpty && store.groupNames.isEmpty)
                for group in all { try store.insert(group) }
                #expect(try store.groups == [all[3], all[1], all[2], all[0]].map { GroupSummary($0, members: 0) })
                #expect(try store.groupNames.map(\.text) == ["10", "a-1", "a.1", "b"])
                #expect(try store.group(all[0].name) == all[0])
                var renamed = all[0]
                renamed.name = all[3].name
                #expect(try store.deleteGroup(all[3].name))
                #expect(try !store.deleteGroup(all[3].name))
                renamed.title = nil
                try store.update(renamed)
                #expect(try store.group(all[0].name) == nil)
                #expect(try store.group(renamed.name) == renamed)
            }
        },
        Clause("members are added and removed, listed by group, and counted") { store in
            let (ada, bob) = (try account("ada"), try account("bob"))
            let groups = [try group("staff"), try group("admins"), try group("guests")]
            let names = groups.map(\.name)
            let missing = try #require(GroupName("missing"))
            try await store.transact { (store) throws in
                for account in [ada, bob] { try store.insert(account) }
                for group in groups { try store.insert(group) }
                try store.add(ada.id, to: [names[0], names[1], missing])
                try store.add(ada.id, to: [names[0], names[2]])
                try store.add(bob.id, to: [names[0]])
                try store.add(newID(), to: names)
                #expect(try store.groups(of: ada.id) == [names[1], names[2], names[0]])
                #expect(try store.groups(of: newID()) == [])
                #expect(
                    try store.groups(of: [ada.id, bob.id, newID()])
                        == [ada.id: [names[1], names[2], names[0]], bob.id: [names[0]]])
                #expect(try store.groups.map(\.members) == [1, 1, 2])
                #expect(try names.map { try store.memberCount(of: $0) } == [2, 1, 1])
                func members(of name: GroupName, after last: LoginName? = nil) throws -> [AccountID] {
                    let filter = AccountFilter(in: name)
                    return try store.accounts(matching: filter, after: last, limit: 9).accounts.map(\.id)
                }
                #expect(try members(of: names[0]) == [ada.id, bob.id])
                #expect(try members(of: names[0], after: ada.loginName) == [bob.id])
                #expect(try members(of: names[1]) == [ada.id])
                #expect(try members(of: missing) == [])
                let some = AccountFilter(state: .active, matching: "BO", in: names[0])
                #expect(try store.accounts(matching: some, after: nil, limit: 9).accounts.map(\.id) == [bob.id])
                try store.remove(ada.id, from: [names[0], names[1], missing])
                #expect(try store.groups(of: ada.id) == [names[2]])
            }
        },
        Clause("a deleted account or group takes its memberships with it") { store in
            let (ada, bob) = (try account("ada"), try account("bob"))
            let groups = [try group("staff"), try group("admins")]
            let names = groups.map(\.name)
            try await store.transact { (store) throws in
                for account in [ada, bob] { try store.insert(account) }
                for group in groups { try store.insert(group) }
                for account in [ada, bob] { try store.add(account.id, to: names) }
                #expect(try store.deleteAccount(ada.id))
                #expect(try store.groups.map(\.members) == [1, 1])
                #expect(try store.deleteGroup(names[0]))
                #expect(try store.groups(of: bob.id) == [names[1]])
                try store.insert(groups[0])
                #expect(try store.memberCount(of: names[0]) == 0)
            }
        },
        Clause("the groups of an invitation and of a waiting sign-up are read as they were written") { store in
            let names = try #require([GroupName](line: "admins staff"))
            let token = OperatorToken(
                digest: digest(1), name: "x", scopes: Set(OperatorToken.Scope.allCases), groups: names,
                createdAt: time(1), expiresAt: nil)
            let signUp = SignUp(
                id: try newID(), email: EmailAddress(storedAs: "a@example.org", folded: "a@example.org"), username: nil,
                attributes: [:], groups: names, network: [], createdAt: time(1), expiresAt: time(2))
            try await store.transact { (store) throws in
                try store.insert(token)
                try store.insert(signUp)
                #expect(try store.operatorToken(token.digest) == token)
                #expect(try store.operatorTokens == [token])
                #expect(try store.signUp(signUp.id) == signUp)
                #expect(try store.signUps(for: signUp.email).map(\.groups) == [names])
            }
        },
    ]
}
