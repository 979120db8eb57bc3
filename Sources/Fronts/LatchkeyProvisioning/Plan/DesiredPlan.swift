public import LatchkeyAccounts
public import LatchkeyForms

/// One change that brings the store to a desired state.
public struct DesiredChange: Equatable, Sendable {
    /// The kind of change.
    public enum Action: String, Sendable {
        case create, update, enable, disable, delete
    }

    /// The kind of change.
    public let action: Action
    /// The username or, without one, the e-mail address as typed; the old one if the account is renamed.
    public let name: String
    /// The updated fields of the sign-up form, including the password; empty for the other actions.
    public let fields: [FieldKey]

    init(_ action: Action, _ name: String, _ fields: [FieldKey] = []) {
        self.action = action
        self.name = name
        self.fields = fields
    }
}

/// The changes that bring the store to a desired state, in the order in which they are made. Deletions come first, so
/// that new accounts can have the usernames and addresses of deleted ones.
public struct DesiredPlan: Sendable {
    /// The changes of one account.
    enum Step: Sendable {
        case delete(AccountID)
        case create(CheckedAccount)
        case change(AccountID, CheckedAccount, setsPassword: Bool)
    }

    let steps: [(step: Step, changes: [DesiredChange])]

    /// All changes in order.
    public var changes: [DesiredChange] { steps.flatMap(\.changes) }

    /// Whether the store is in the desired state already.
    public var isEmpty: Bool { steps.isEmpty }

    /// The number of accounts that are deleted.
    public var deletionCount: Int { changes.count { $0.action == .delete } }

    init(_ steps: [(step: Step, changes: [DesiredChange])]) {
        self.steps = steps.filter { !$0.changes.isEmpty }
    }
}

/// The result of planning.
public enum DesiredPlanning: Sendable {
    /// The changes to make; possibly none.
    case plan(DesiredPlan)
    /// Values that belong to other accounts which the plan does not delete, and usernames that no account may get. Rows
    /// are counted from 0.
    case refused([(row: Int, failure: RuleFailure)])
    /// The caller stopped the planning.
    case stopped

    /// Plans for a store that does not exist yet: creates every account.
    public init(creating rows: [CheckedAccount]) {
        let refused = rows.enumerated().compactMap { place, row in row.nameFailure.map { (row: place, failure: $0) } }
        self =
            refused.isEmpty
            ? .plan(DesiredPlan(rows.map { (.create($0), [DesiredChange(.create, $0.name)]) })) : .refused(refused)
    }
}
