import LatchkeyAccounts
import LatchkeyForms

/// The groups of a store, for comparing them with those of many rows. They are read when the first row names a group.
struct KnownGroups {
    private var names: Set<GroupName>?
    private let added: Set<GroupName>

    /// - Parameter added: the names of groups that will exist too.
    init(adding added: some Sequence<GroupName> = []) { self.added = Set(added) }

    /// The groups of a store that does not exist yet.
    init(inStoreWith added: some Sequence<GroupName>) {
        names = []
        self.added = Set(added)
    }

    /// - Throws: ``GroupFailure/missing(_:)`` for the first group that does not exist.
    mutating func check(_ groups: [GroupName], in transaction: any GroupRows) throws(AccountError) {
        try read(for: groups, transaction)
        if let missing = firstMissing(of: groups) { throw .group(.missing(missing)) }
    }

    /// The reason why a row with these groups cannot be written; nil if it can.
    mutating func failure(
        of groups: [GroupName]?, in transaction: any GroupRows
    ) throws(AccountError) -> RuleFailure? {
        guard let groups else { return nil }
        try read(for: groups, transaction)
        return failure(of: groups)
    }

    /// Like ``failure(of:in:)``, after the groups have been read.
    func failure(of groups: [GroupName]?) -> RuleFailure? {
        guard let groups, !groups.isEmpty else { return nil }
        if groups.count > Group.maximumPerAccount {
            let values = ["maximum": RuleFailure.Value.integer(Group.maximumPerAccount)]
            return RuleFailure(code: .tooManyGroups, values: values, field: .groups)
        }
        return firstMissing(of: groups).map {
            RuleFailure(code: .groupUnknown, values: ["name": .text($0.text)], field: .groups)
        }
    }

    private mutating func read(for groups: [GroupName], _ transaction: any GroupRows) throws(AccountError) {
        if names == nil, !groups.isEmpty { names = Set(try transaction.groupNames) }
    }

    private func firstMissing(of groups: [GroupName]) -> GroupName? {
        groups.first { !added.contains($0) && names?.contains($0) != true }
    }
}
