import LatchkeyAccounts

extension MemoryTransaction {
    func insert(_ group: Group) throws(AccountError) {
        try beginWriting(.insertGroup)
        guard rows.groups[group.name] == nil else { throw failConstraint() }
        rows.groups[group.name] = group
    }

    func group(_ name: GroupName) throws(AccountError) -> Group? {
        try begin(.group)
        return rows.groups[name]
    }

    var groups: [GroupSummary] {
        get throws(AccountError) {
            try begin(.groups)
            return rows.groups.values.sorted { $0.name < $1.name }.map { group in
                GroupSummary(group, members: rows.memberships.values.count { $0.contains(group.id) })
            }
        }
    }

    var groupNames: [GroupName] {
        get throws(AccountError) {
            try begin(.groups)
            return rows.groups.keys.sorted()
        }
    }

    var groupCount: Int {
        get throws(AccountError) {
            try begin(.groups)
            return rows.groups.count
        }
    }

    func memberCount(of group: GroupName) throws(AccountError) -> Int {
        try begin(.groups)
        guard let id = rows.groups[group]?.id else { return 0 }
        return rows.memberships.values.count { $0.contains(id) }
    }

    func update(_ group: Group) throws(AccountError) {
        try beginWriting(.updateGroup)
        guard let old = rows.groups.values.first(where: { $0.id == group.id }) else { return }
        rows.groups[old.name] = nil
        guard rows.groups[group.name] == nil else { throw failConstraint() }
        rows.groups[group.name] = group
    }

    func deleteGroup(_ name: GroupName) throws(AccountError) -> Bool {
        try beginWriting(.deleteGroup)
        guard let group = rows.groups.removeValue(forKey: name) else { return false }
        for account in Array(rows.memberships.keys) { rows.memberships[account]?.remove(group.id) }
        return true
    }

    func groups(of account: AccountID) throws(AccountError) -> [GroupName] {
        try begin(.groupsOfAccount)
        return names(of: account)
    }

    func groups(of accounts: [AccountID]) throws(AccountError) -> [AccountID: [GroupName]] {
        try begin(.groupsOfAccount)
        return Dictionary(accounts.map { ($0, names(of: $0)) }) { first, _ in first }.filter { !$0.value.isEmpty }
    }

    func add(_ account: AccountID, to groups: [GroupName]) throws(AccountError) {
        try beginWriting(.addToGroups)
        guard rows.accounts[account] != nil else { return }
        let ids = groups.compactMap { rows.groups[$0]?.id }
        rows.memberships[account, default: []].formUnion(ids)
    }

    func remove(_ account: AccountID, from groups: [GroupName]) throws(AccountError) {
        try beginWriting(.removeFromGroups)
        let ids = groups.compactMap { rows.groups[$0]?.id }
        rows.memberships[account]?.subtract(ids)
    }

    func names(of account: AccountID) -> [GroupName] {
        let ids = rows.memberships[account] ?? []
        return rows.groups.values.filter { ids.contains($0.id) }.map(\.name).sorted()
    }
}
