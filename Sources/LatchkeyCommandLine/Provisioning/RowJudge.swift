import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// Makes accounts of rows: each value is judged by the set-up form, as every front does, and what a row has beside the
/// form's fields by its own rules. Whether a password is a common one is left to the service, which checks each row.
struct RowJudge: ~Copyable {
    /// What is wrong with one value, and in which column it stands; nil where it stands nowhere.
    struct Problem: Sendable {
        let failure: RuleFailure
        let column: Int?
    }

    private let form: Form
    /// For accounts without a password, or with a hash in its place.
    private let formWithoutPassword: Form
    private let takesWords: Bool
    private let resetsWeakHashes: Bool
    private var values = FormValues()
    private let fieldCount: Int
    private let attributes: [(column: Int, key: FieldKey)]
    private let passwordColumn: Int?

    /// The columns of a table of accounts, in the order in which an export has them: those that every account has, and the
    /// other fields of the set-up form.
    static func columns(of form: Form) -> [RowColumn] {
        form.fields.map { RowColumn($0.apiKey, flag: $0.flag) } + own.map { RowColumn($0) }
    }

    private static let own: [FieldKey] = [.accountID, .passwordHash, .disabled, .requireChange, .createdAt]

    private enum Own: Int { case id, passwordHash, disabled, requireChange, createdAt }

    /// - Parameters:
    ///   - form: the set-up form.
    ///   - format: of the rows: CSV has no truth values, and so has them as words.
    ///   - resetsWeakHashes: whether what can be no hash, and so is a password as it stands, means that the owner has to
    ///     recover the account.
    init(_ form: Form, _ format: RowFormat, resetsWeakHashes: Bool = false) {
        self.form = form.withoutCommonPasswordCheck
        self.resetsWeakHashes = resetsWeakHashes
        formWithoutPassword = form.without(.password)
        takesWords = format == .csv
        fieldCount = form.fields.count
        attributes = form.fields.enumerated().filter(\.element.isAttribute).map { ($0.offset, $0.element.apiKey) }
        passwordColumn = form.fields.firstIndex { $0.apiKey == .password }
    }

    /// The account that a row describes.
    ///
    /// - Parameter cells: of the columns that ``columns(of:)`` gives.
    /// - Returns: nothing else where there are problems.
    mutating func account(_ cells: borrowing RowCells) -> (ProvisionedAccount, [Problem]) {
        var problems: [Problem] = []
        for column in 0..<fieldCount {
            if cells.contents[column] == .other || cells.contents[column].isBool {
                problems.append(refusal(.notText, of: column, cells))
            }
            cells.withText(column) { form.fill(&values, at: column, with: $0) }
        }
        let hasPassword = passwordColumn.map { cells.has($0) } ?? false
        let judging = hasPassword ? form : formWithoutPassword
        for failure in judging.failures(of: values) {
            guard !problems.contains(where: { $0.failure.field == failure.field }) else { continue }
            problems.append(problem(failure, cells))
        }
        var account = ProvisionedAccount(
            username: values.withValue(of: .username) { String(copying: $0) },
            email: values.withValue(of: .email) { String(copying: $0) })
        for (column, key) in attributes where cells.has(column) {
            account.attributes[key.rawValue] = values.withValue(of: key) { String(copying: $0) }
        }
        if hasPassword, let passwordColumn {
            account.password = cells.withText(passwordColumn) { Secret(copying: $0.span) }
        }
        func own<Value>(
            _ column: Own, _ code: RuleFailure.Code, _ read: (borrowing RowCells, Int) -> Value?
        ) -> Value? {
            let column = fieldCount + column.rawValue
            guard cells.has(column) else { return nil }
            if let value = read(cells, column) { return value }
            problems.append(refusal(code, of: column, cells))
            return nil
        }
        account.id = own(.id, .notID) { $0.string($1).flatMap { AccountID($0) } }
        let (takesWords, resetsWeakHashes) = (takesWords, resetsWeakHashes)
        account.passwordHash = own(.passwordHash, .hashUnsupported) { cells, column in
            guard cells.contents[column].isText else { return nil }
            return cells.withText(column) { PasswordHash(imported: $0.span) }
                ?? (resetsWeakHashes ? .noPassword : nil)
        }
        if let isDisabled = own(.disabled, .notBoolean, { $0.truth($1, takesWords: takesWords) }) {
            account.state = isDisabled ? .disabled : .active
        }
        account.mustChangePassword = own(.requireChange, .notBoolean) { $0.truth($1, takesWords: takesWords) }
        account.createdAt = own(.createdAt, .notTime) { $0.string($1).flatMap { Timestamp(rfc3339: $0) } }
        return (account, problems)
    }

    /// What the service has found wrong with a row, beside what is known already.
    func problems(
        _ failures: [RuleFailure], beside known: [Problem], _ cells: borrowing RowCells
    ) -> [Problem] {
        var problems = known
        for failure in failures where !known.contains(where: { $0.failure.field == failure.field }) {
            problems.append(problem(failure, cells))
        }
        return problems
    }

    func problem(_ failure: RuleFailure, _ cells: borrowing RowCells) -> Problem {
        let column = (0..<cells.columns.count).first { cells.columns[$0].key == failure.field }
        return Problem(failure: failure, column: column.flatMap { cells.contents[$0] == .absent ? nil : $0 })
    }

    private func refusal(
        _ code: RuleFailure.Code, of column: Int, _ cells: borrowing RowCells
    ) -> Problem {
        Problem(failure: RuleFailure(code: code, field: cells.columns[column].key), column: column)
    }
}

extension RowCells.Content {
    fileprivate var isBool: Bool { if case .bool = self { true } else { false } }
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

extension RowCells {
    /// Of what is no secret.
    fileprivate borrowing func string(_ column: Int) -> String? {
        guard contents[column].isText else { return nil }
        return withText(column) { String(copying: $0) }
    }

    fileprivate borrowing func truth(_ column: Int, takesWords: Bool) -> Bool? {
        if case .bool(let value) = contents[column] { return value }
        guard takesWords, let word = string(column) else { return nil }
        return switch word {
        case "true": true
        case "false": false
        default: nil
        }
    }
}
