package import LatchkeyAccounts

extension SQLTransaction {
    package func insert(_ group: Group) throws(AccountError) {
        try write(
            "INSERT INTO user_group (id, name, title, created_at) VALUES (?1, ?2, ?3, ?4)", .id(group.id),
            .text(group.name.text), .text(group.title), .time(group.createdAt))
    }

    package func group(_ name: GroupName) throws(AccountError) -> Group? {
        try row("SELECT id, name, title, created_at FROM user_group WHERE name = ?1", .text(name.text), make: group)
    }

    package var groups: [GroupSummary] {
        get throws(AccountError) {
            try rows(
                """
                SELECT id, name, title, created_at,
                        (SELECT count(*) FROM group_member WHERE user_group = user_group.number)
                    FROM user_group ORDER BY name
                """
            ) { (row) throws(Failure) in GroupSummary(try group(row), members: Int(try row.integer(4))) }
        }
    }

    package var groupNames: [GroupName] {
        get throws(AccountError) {
            try rows("SELECT name FROM user_group ORDER BY name") { (row) throws(Failure) in try row.groupName(0) }
        }
    }

    package var groupCount: Int {
        get throws(AccountError) { Int(try integer("SELECT count(*) FROM user_group") ?? 0) }
    }

    package func memberCount(of group: GroupName) throws(AccountError) -> Int {
        let count = try integer(
            """
            SELECT count(*) FROM group_member
                WHERE user_group = (SELECT number FROM user_group WHERE name = ?1)
            """, .text(group.text))
        return Int(count ?? 0)
    }

    package func update(_ group: Group) throws(AccountError) {
        try write(
            "UPDATE user_group SET name = ?2, title = ?3 WHERE id = ?1", .id(group.id), .text(group.name.text),
            .text(group.title))
    }

    package func deleteGroup(_ name: GroupName) throws(AccountError) -> Bool {
        try run("DELETE FROM user_group WHERE name = ?1", .text(name.text)) > 0
    }

    package func groups(of account: AccountID) throws(AccountError) -> [GroupName] {
        let names = try row(Engine.groupsOfAccount, .id(account)) { (row) throws(Failure) in try row.groupNames(0) }
        return names?.canonical ?? []
    }

    package func groups(of accounts: [AccountID]) throws(AccountError) -> [AccountID: [GroupName]] {
        try Engine.groups(of: accounts, in: self)
    }

    package func add(_ account: AccountID, to groups: [GroupName]) throws(AccountError) {
        try write(Engine.addToGroups, .id(account), .text(groups.line))
    }

    package func remove(_ account: AccountID, from groups: [GroupName]) throws(AccountError) {
        try write(Engine.removeFromGroups, .id(account), .text(groups.line))
    }

    private func group(_ row: Engine.Row) throws(Failure) -> Group {
        Group(
            id: try row.accountID(0), name: try row.groupName(1), title: try row.optionalText(2),
            createdAt: try row.time(3))
    }
}

extension SQLRow {
    /// The name of a group.
    package func groupName(_ column: Int32) throws(Failure) -> GroupName {
        guard let name = GroupName(try text(column)) else { throw .corrupt }
        return name
    }

    /// The names of groups with spaces between them; none for NULL.
    func groupNames(_ column: Int32) throws(Failure) -> [GroupName] {
        guard let line = try optionalText(column) else { return [] }
        guard let names = [GroupName](line: line) else { throw .corrupt }
        return names
    }
}

extension SQLValue {
    /// The names of groups with spaces between them; NULL for none.
    static func groups(_ names: [GroupName]) -> Self { .text(names.isEmpty ? nil : names.line) }
}
