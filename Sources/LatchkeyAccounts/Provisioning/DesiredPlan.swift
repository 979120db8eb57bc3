public import LatchkeyForms

/// One thing that has to be done so that the store is as a file says.
public struct DesiredChange: Equatable, Sendable {
    public enum Action: String, Sendable {
        case create, update, enable, disable, delete
    }

    public let action: Action
    /// As its owner typed it; of an account that is renamed, the name that it has before.
    public let username: String
    /// What is updated of the set-up form's fields, the password among them; empty for the other actions.
    public let fields: [FieldKey]

    init(_ action: Action, _ username: Username, _ fields: [FieldKey] = []) {
        self.action = action
        self.username = username.typed
        self.fields = fields
    }
}

/// What has to be done so that the store is as a file says, in the order in which it is done: what goes makes room for
/// what comes.
public struct DesiredPlan: Sendable {
    /// One account's share.
    enum Step: Sendable {
        case delete(AccountID)
        case create(CheckedAccount)
        case change(AccountID, CheckedAccount, setsPassword: Bool)
    }

    let steps: [(step: Step, changes: [DesiredChange])]

    public var changes: [DesiredChange] { steps.flatMap(\.changes) }

    public var isEmpty: Bool { steps.isEmpty }

    /// How many accounts go.
    public var deletionCount: Int { changes.count { $0.action == .delete } }

    /// For a store that there is not yet: every row is new.
    public init(making rows: [CheckedAccount]) {
        self.init(rows.map { (.create($0), [DesiredChange(.create, $0.username)]) })
    }

    init(_ steps: [(step: Step, changes: [DesiredChange])]) {
        self.steps = steps.filter { !$0.changes.isEmpty }
    }
}

/// What comes of planning.
public enum DesiredPlanning: Sendable {
    case plan(DesiredPlan)
    /// Values of rows, counted from 0, that accounts have which are not theirs and stay.
    case taken([(row: Int, field: FieldKey)])
    /// Whoever asked for the plan no longer wants it.
    case ended
}
