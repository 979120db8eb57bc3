public import LatchkeySecrets

/// Groups and their members. Operators change them, and owners never do (S-191).
extension AccountService {
    /// Creates a group without members.
    ///
    /// - Parameters:
    ///   - title: a title for people (``Group/isTitle(_:)``), or nil.
    ///   - name: the name of the group.
    ///   - actor: who does it, for the audit trail.
    /// - Throws: ``AccountError/group(_:)`` if the name is taken or the store has too many groups.
    public func createGroup(
        _ name: GroupName, title: String? = nil, by actor: AuditActor
    ) async throws(AccountError) -> Group {
        try await createGroups([(name, title)], by: actor)[0]
    }

    /// Creates a group unless there is one with this name.
    package func ensureGroup(_ name: GroupName, by actor: AuditActor) async throws(AccountError) {
        do throws(AccountError) { _ = try await createGroup(name, by: actor) } catch .group(.nameTaken) {}
    }

    /// Creates several groups in one transaction.
    package func createGroups(
        _ groups: [(name: GroupName, title: String?)], by actor: AuditActor
    ) async throws(AccountError) -> [Group] {
        let trail = try newTrail(by: actor)
        return try await store.write { [clock, self] (transaction) throws(AccountError) in
            let now = clock.now()
            var created: [Group] = []
            for (name, title) in groups {
                guard try transaction.group(name) == nil else { throw .group(.nameTaken(name)) }
                created.append(try create(name, title: title, at: now, trail, in: transaction))
            }
            return created
        }
    }

    /// All groups with the numbers of their members, ordered by name.
    public func groups() async throws(AccountError) -> [GroupSummary] {
        try await store.read { (transaction) throws(AccountError) in try transaction.groups }
    }

    /// Finds a group.
    ///
    /// - Throws: ``AccountError/group(_:)`` if there is no such group.
    public func group(_ name: GroupName) async throws(AccountError) -> GroupSummary {
        try await store.read { (transaction) throws(AccountError) in
            let group = try transaction.group(name).orMissing(name)
            return GroupSummary(group, members: try transaction.memberCount(of: name))
        }
    }

    /// Changes the name or the title of a group. Its members stay.
    ///
    /// - Parameters:
    ///   - newName: nil to keep the name.
    ///   - title: nil to keep the title; empty to remove it.
    ///   - force: whether to rename a group that an invitation or a setting names.
    ///   - mayAdminister: whether the operator may change the group of Latchkey's administrators.
    ///   - actor: who does it, for the audit trail.
    ///   - name: the present name.
    /// - Throws: ``AccountError/group(_:)``.
    public func changeGroup(
        _ name: GroupName, to newName: GroupName? = nil, title: String? = nil, force: Bool = false,
        mayAdminister: Bool = true, by actor: AuditActor
    ) async throws(AccountError) -> GroupSummary {
        let trail = try newTrail(by: actor)
        return try await store.write { [clock, self] (transaction) throws(AccountError) in
            var group = try transaction.group(name).orMissing(name)
            try refuseAdministration(of: [name] + (newName.map { [$0] } ?? []), mayAdminister)
            let old = group
            if let newName, newName != name {
                if !force { try refuseIfUsed(name, in: transaction) }
                guard try transaction.group(newName) == nil else { throw .group(.nameTaken(newName)) }
                group.name = newName
            }
            if let title { group.title = title.isEmpty ? nil : title }
            if group != old {
                try transaction.update(group)
                try trail.append(
                    .groupRenamed, about: nil, reason: .renamed(name, to: group.name), at: clock.now(),
                    in: transaction)
            }
            return GroupSummary(group, members: try transaction.memberCount(of: group.name))
        }
    }

    /// Deletes a group with its memberships.
    ///
    /// - Parameters:
    ///   - force: whether to delete a group that an invitation or a setting names.
    ///   - mayAdminister: whether the operator may delete the group of Latchkey's administrators.
    ///   - name: the name of the group.
    ///   - actor: who does it, for the audit trail.
    /// - Throws: ``AccountError/group(_:)``.
    public func deleteGroup(
        _ name: GroupName, force: Bool = false, mayAdminister: Bool = true, by actor: AuditActor
    ) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.writeWithReserve { [clock, self] (transaction) throws(AccountError) in
            _ = try transaction.group(name).orMissing(name)
            try refuseAdministration(of: [name], mayAdminister)
            if !force { try refuseIfUsed(name, in: transaction) }
            guard try transaction.deleteGroup(name) else { throw .group(.missing(name)) }
            try trail.append(.groupDeleted, about: nil, reason: .group(name), at: clock.now(), in: transaction)
        }
    }

    /// Adds an account to a group, or removes it.
    ///
    /// - Parameters:
    ///   - mayAdminister: whether the operator may change the group of Latchkey's administrators.
    ///   - mayLeaveNone: whether the last active administrator may be removed from their group.
    ///   - actor: who does it, for the audit trail.
    ///   - isMember: whether the account becomes a member.
    ///   - lookup: the account.
    ///   - name: the name of the group.
    /// - Returns: whether the membership has changed.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/group(_:)``.
    @discardableResult
    public func setMembership(
        of lookup: AccountLookup, in name: GroupName, to isMember: Bool, mayAdminister: Bool = true,
        mayLeaveNone: Bool = false, by actor: AuditActor
    ) async throws(AccountError) -> Bool {
        try await administer(lookup, by: actor) { [self] (account, now, trail, transaction) throws(AccountError) in
            _ = try transaction.group(name).orMissing(name)
            try refuseAdministration(of: [name], mayAdminister)
            if !isMember, !mayLeaveNone, name == settings.administrators {
                try refuseWithoutAdministrators(but: account, in: transaction)
            }
            let old = try transaction.groups(of: account.id)
            let new = isMember ? old + [name] : old.filter { $0 != name }
            return try setGroups(of: account.id, from: old, to: new, at: now, trail, in: transaction)
        }
    }

    /// The groups of an account, in order.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func groups(of lookup: AccountLookup) async throws(AccountError) -> [GroupName] {
        try await store.read { (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return try transaction.groups(of: account.id)
        }
    }

    /// The groups of several accounts, in order. An account without groups has no entry.
    public func groups(of accounts: [AccountID]) async throws(AccountError) -> [AccountID: [GroupName]] {
        guard !accounts.isEmpty else { return [:] }
        return try await store.read { (transaction) throws(AccountError) in try transaction.groups(of: accounts) }
    }

    /// The session for a token and the groups of its owner, from one look-up (``session(for:)``).
    public func membership(for token: Secret) async throws(AccountError) -> (LiveSession, [GroupName]) {
        guard let digest = digest(of: token) else { throw .noSession }
        return try await membership(of: digest)
    }

    // MARK: Inside a transaction

    /// Creates a group whose name is free.
    ///
    /// - Throws: ``GroupFailure/tooMany``.
    @discardableResult
    package func create(
        _ name: GroupName, title: String?, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any GroupRows & AuditTrail.Rows
    ) throws(AccountError) -> Group {
        guard try transaction.groupCount < Group.maximumCount else { throw .group(.tooMany) }
        let group = Group(id: try newAccountID(), name: name, title: title, createdAt: now)
        try transaction.insert(group)
        try trail.append(.groupCreated, about: nil, reason: .group(name), at: now, in: transaction)
        return group
    }

    /// Replaces the groups of an account and records the difference. Two statements, one of which is a record, are
    /// enough for a new account.
    ///
    /// - Parameter old: the current groups; none for a new account.
    /// - Returns: whether the groups have changed.
    @discardableResult
    package func setGroups(
        of account: AccountID, from old: [GroupName] = [], to new: [GroupName], at now: Timestamp,
        _ trail: AuditTrail, in transaction: any GroupRows & AuditTrail.Rows
    ) throws(AccountError) -> Bool {
        let records = try changeGroups(of: account, from: old, to: new, in: transaction)
        guard !records.isEmpty else { return false }
        try trail.append(records, about: account, at: now, in: transaction)
        return true
    }

    /// Replaces the groups of an account. The caller writes the records in the same transaction.
    ///
    /// - Parameter old: the current groups; none for a new account.
    /// - Returns: the records of the difference; none if there is no difference.
    package func changeGroups(
        of account: AccountID, from old: [GroupName] = [], to new: [GroupName], in transaction: any GroupRows
    ) throws(AccountError) -> [AuditTrail.Entry] {
        let (before, after) = (old.canonical, new.canonical)
        guard before != after else { return [] }
        guard after.count <= max(Group.maximumPerAccount, before.count) else { throw .group(.tooManyOfAccount) }
        let added = before.isEmpty ? after : Set(after).subtracting(before).sorted()
        let removed = before.isEmpty ? [] : Set(before).subtracting(after).sorted()
        if !added.isEmpty { try transaction.add(account, to: added) }
        if !removed.isEmpty { try transaction.remove(account, from: removed) }
        return AuditReason.groups(added).map { (.groupMemberAdded, $0) }
            + AuditReason.groups(removed).map { (.groupMemberRemoved, $0) }
    }

    /// Adds a new account to the groups of its invitation and of the setting `groups.initial`. A group that was deleted
    /// in the meantime is skipped.
    func joinInitialGroups(
        _ account: AccountID, invitedTo groups: [GroupName], at now: Timestamp, _ trail: AuditTrail,
        in transaction: any GroupRows & AuditTrail.Rows
    ) throws(AccountError) {
        var existing: [GroupName] = []
        for name in (groups + settings.initialGroups).canonical where try transaction.group(name) != nil {
            existing.append(name)
        }
        try setGroups(of: account, to: existing, at: now, trail, in: transaction)
    }

    /// Protects the group whose members administer Latchkey from an operator without that power.
    ///
    /// - Throws: ``GroupFailure/adminNeeded``.
    private func refuseAdministration(of names: [GroupName], _ mayAdminister: Bool) throws(AccountError) {
        guard mayAdminister || !names.contains(settings.administrators) else { throw .group(.adminNeeded) }
    }

    /// Refuses to take away the last account that can administer Latchkey. The pages never do, because administrators
    /// cannot change themselves there.
    ///
    /// - Parameter account: the account to disable, delete or demote.
    /// - Throws: ``GroupFailure/lastAdministrator(_:)``.
    func refuseWithoutAdministrators(
        but account: Account, in transaction: any AccountRows & GroupRows
    ) throws(AccountError) {
        let group = settings.administrators
        guard account.state == .active, try transaction.groups(of: account.id).contains(group) else { return }
        let filter = AccountFilter(state: .active, in: group)
        var place: LoginName?
        repeat {
            let page = try transaction.accounts(matching: filter, after: place, limit: 100)
            guard !page.accounts.contains(where: { $0.id != account.id }) else { return }
            place = page.last
        } while place != nil
        throw .group(.lastAdministrator(group))
    }

    private func refuseIfUsed(_ name: GroupName, in transaction: any TokenRows & ClientRows) throws(AccountError) {
        let now = clock.now()
        var uses = try transaction.operatorTokens.filter { $0.groups.contains(name) && !$0.isOver(at: now) }
            .map { GroupUse.invitation(id: $0.id) }
        uses += try transaction.clients.filter { $0.settings.groups.contains(name.text) }
            .map { GroupUse.application(id: $0.id) }
        if settings.initialGroups.contains(name) { uses.append(.initialGroups) }
        if settings.administrators == name { uses.append(.administrators) }
        guard uses.isEmpty else { throw .group(.inUse(uses)) }
    }
}

extension Group? {
    /// - Throws: ``GroupFailure/missing(_:)`` for nil.
    func orMissing(_ name: GroupName) throws(AccountError) -> Group {
        guard let self else { throw .group(.missing(name)) }
        return self
    }
}
