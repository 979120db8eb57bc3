package import LatchkeyAccounts
package import LatchkeyForms

/// One change that brings the store closer to a desired state.
package struct DesiredChange: Equatable, Sendable {
    /// The kind of change.
    package enum Action: String, Sendable {
        case create, update, enable, disable, delete
        case createGroup = "create_group"
    }

    /// The kind of change.
    package let action: Action
    /// The username or, if there is none, the e-mail address, as typed. For a renamed account, this is the old name. For
    /// a new group, its name.
    package let name: String
    /// The updated fields of the sign-up form, including the password, and `groups`. Empty for
    /// other actions.
    package let fields: [FieldKey]

    init(_ action: Action, _ name: String, _ fields: [FieldKey] = []) {
        self.action = action
        self.name = name
        self.fields = fields
    }
}

/// The changes that bring the store into a desired state, in the order of execution. New groups come first. Deletions of
/// accounts come next, so that new accounts can use the usernames and addresses of deleted ones.
package struct DesiredPlan: Sendable {
    /// The changes of one account.
    enum Step: Sendable {
        case createGroup(DesiredGroup)
        case delete(AccountID)
        case create(CheckedAccount)
        case change(AccountID, CheckedAccount, setsPassword: Bool)
    }

    let steps: [(step: Step, changes: [DesiredChange])]

    /// All changes, in order.
    package var changes: [DesiredChange] { steps.flatMap(\.changes) }

    /// Whether the store is already in the desired state.
    package var isEmpty: Bool { steps.isEmpty }

    /// The number of accounts to delete.
    package var deletionCount: Int { changes.count { $0.action == .delete } }

    /// The steps that create groups.
    static func steps(creating groups: [DesiredGroup]) -> [(step: Step, changes: [DesiredChange])] {
        groups.map { (.createGroup($0), [DesiredChange(.createGroup, $0.name.text)]) }
    }

    init(_ steps: [(step: Step, changes: [DesiredChange])]) {
        self.steps = steps.filter { !$0.changes.isEmpty }
    }
}

/// The result of planning.
package enum DesiredPlanning: Sendable {
    /// The changes to make. There may be none.
    case plan(DesiredPlan)
    /// The rows that were refused, counted from 0. Their values belong to accounts that the plan does not delete, or
    /// their usernames are not allowed.
    case refused([(row: Int, failure: RuleFailure)])
    /// The caller stopped the planning.
    case stopped

    /// A plan for a store that does not exist yet, which creates all groups and accounts.
    package init(creating rows: [CheckedAccount], groups: [DesiredGroup] = []) {
        let known = KnownGroups(inStoreWith: groups.map(\.name))
        let refused = rows.enumerated().compactMap { place, row in
            (row.nameFailure ?? known.failure(of: row.groups)).map { (row: place, failure: $0) }
        }
        self =
            refused.isEmpty
            ? .plan(
                DesiredPlan(
                    DesiredPlan.steps(creating: groups)
                        + rows.map { (.create($0), [DesiredChange(.create, $0.name)]) })) : .refused(refused)
    }
}
