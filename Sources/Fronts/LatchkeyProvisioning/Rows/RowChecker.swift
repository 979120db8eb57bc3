package import LatchkeyAccounts
package import LatchkeyForms
import LatchkeySecrets

/// Converts the cells of a row into a checked account, for both imports and desired states.
///
/// The sign-up form's rules check the values of its fields. Columns that every account has are checked here. The
/// service then applies its policy, including the list of common passwords.
package struct RowChecker: ~Copyable {
    private let form: Form
    /// The form for accounts without a password, or with a hash instead.
    private let formWithoutPassword: Form
    private let acceptsWords: Bool
    private let resetsPassword: (@Sendable (PasswordHash) -> Bool)?
    private var values = FormValues()
    private let fieldCount: Int
    private let fields: [Field]
    private let passwordColumn: Int?
    /// The index of the form's username column; nil if the form has no username, so that the column is one of ``own``.
    private let usernameColumn: Int?
    private let uniqueColumns: [Int]
    /// The index of the column with an authenticator app's secret, if the file may contain one.
    private let totpColumn: Int

    /// The columns of an import file. A desired state has no second factors, because they belong to the owners.
    package static func importColumns(of form: Form) -> [RowColumn] { columns(of: form) + [RowColumn(.totpSecret)] }

    /// The columns of an accounts file: the fields of the sign-up form, then those that every account has. They always
    /// include the username, because accounts created with an earlier form may have one.
    package static func columns(of form: Form) -> [RowColumn] {
        let username: [FieldKey] = form.field(.username) == nil ? [.username] : []
        return form.fields.map { RowColumn($0.apiKey, flag: $0.flag, isSecret: $0.isSecret) }
            + (own + username).map { RowColumn($0) }
    }

    private static let own: [FieldKey] = [
        .accountID, .passwordHash, .disabled, .requireChange, .createdAt, .groups,
    ]

    private enum Own: Int { case id, passwordHash, disabled, requireChange, createdAt, groups, username }

    /// - Parameters:
    ///   - form: the sign-up form.
    ///   - format: CSV has no Booleans, so `true` and `false` are accepted as words. Spreadsheets write them in capitals.
    ///   - resetsPassword: see ``ImportOptions/resetsPassword``.
    package init(
        _ form: Form, _ format: RowFormat, resetsPassword: (@Sendable (PasswordHash) -> Bool)? = nil
    ) {
        self.form = form.withoutServiceChecks
        self.resetsPassword = resetsPassword
        formWithoutPassword = form.without(.password).withoutServiceChecks
        acceptsWords = format == .csv
        fieldCount = form.fields.count
        fields = form.fields.map(Field.init)
        passwordColumn = form.fields.firstIndex { $0.apiKey == .password }
        let columns = Self.columns(of: form)
        totpColumn = columns.count
        usernameColumn = form.fields.firstIndex { $0.apiKey == .username }
        uniqueColumns = columns.indices.filter { [.username, .email, .accountID, .groups].contains(columns[$0].key) }
    }

    /// Checks one row.
    ///
    /// - Parameters:
    ///   - cells: the cells. They begin with the columns of ``columns(of:)`` or ``importColumns(of:)``.
    ///   - line: the line on which the row begins.
    ///   - byteCount: the length of the row.
    ///   - checkAccount: ``LatchkeyAccounts/AccountService/check(_:)``, which applies the policy for passwords and the
    ///     limits for imported hashes.
    ///   - place: converts an offset from the row's first byte into a position.
    /// - Throws: the errors of ``LatchkeyAccounts/AccountService/check(_:)``, except refusals.
    package mutating func check(
        _ cells: borrowing RowCells, line: Int, byteCount: Int,
        with checkAccount: (AccountDraft) throws(AccountError) -> CheckedAccount, place: (Int) -> TextPlace
    ) throws(AccountError) -> ReadRow {
        var failures: [RuleFailure] = []
        let account = account(cells, &failures)
        do throws(AccountError) {
            let checked = try check(account, with: checkAccount)
            if failures.isEmpty {
                return .valid(
                    AccountRow(checked, line: line, byteCount: byteCount, of: cells, uniqueColumns, place: place))
            }
        } catch .refused(let refused) {
            let known = failures.map(\.field)
            failures += refused.filter { !known.contains($0.field) }
        }
        return .refused(failures.map { Self.problem($0, line: line, cells, place) })
    }

    /// A problem at the value of the failed field, or on the row's first line if the row has no such value.
    static func problem(
        _ failure: RuleFailure, line: Int, _ cells: borrowing RowCells, _ place: (Int) -> TextPlace
    ) -> RowProblem {
        let username = cells.username?.typed
        for column in cells.columns.indices
        where cells.columns[column].key == failure.field && cells.contents[column] != .absent {
            return RowProblem(failure, at: place(cells.offsets[column]), line: line, username: username)
        }
        return RowProblem(failure, at: nil, line: line, username: username)
    }

    private func check(
        _ account: AccountDraft,
        with checkAccount: (AccountDraft) throws(AccountError) -> CheckedAccount
    ) throws(AccountError) -> CheckedAccount {
        do throws(AccountError) {
            return try checkAccount(account)
        } catch .refused(let failures) where failures.contains(where: { $0.code == .hashUnsupported }) {
            guard let hash = account.passwordHash, resetsPassword?(hash) == true else { throw .refused(failures) }
            var account = account
            account.passwordHash = .noPassword
            return try checkAccount(account)
        }
    }

    /// The properties of a field that this type needs.
    private struct Field {
        let key: FieldKey
        let isAttribute: Bool
        /// Whether the field's value in JSON is not a string.
        let isTyped: Bool
        /// The default for a new account if the row does not have the column.
        let defaultValue: FieldValue?
        /// The column of the field in the condition; nil if there is none.
        let condition: FieldKey?

        init(_ field: any FormField) {
            key = field.apiKey
            isAttribute = field.isAttribute
            isTyped = field.kind == .boolean || field.kind == .choices
            defaultValue = field.defaultValue ?? (field.kind == .boolean ? .boolean(false) : nil)
            condition = field.condition?.field
        }
    }

    /// Sets a field to the value in its column, or to its default if the row does not have the column.
    private mutating func fill(_ column: Int, from cells: borrowing RowCells) {
        switch cells.contents[column] {
        case .text where fields[column].isTyped && !acceptsWords: form.fill(&values, at: column, with: .text(""))
        case .text, .null: cells.withText(column) { form.fill(&values, at: column, with: $0) }
        case .bool(let isTrue): form.fill(&values, at: column, with: .boolean(isTrue))
        case .list(let texts): form.fill(&values, at: column, with: .list(texts))
        case .other: form.refuse(&values, at: column)
        case .absent:
            guard let value = fields[column].defaultValue else {
                return form.fill(&values, at: column, with: "".utf8Span)
            }
            form.fill(&values, at: column, with: value)
        }
    }

    /// Sets the attributes in the row, removes those of hidden fields, and adds the defaults of a new account.
    private func setAttributes(
        _ attributes: inout [String: FieldValue], _ defaults: inout [String: FieldValue], _ cells: borrowing RowCells
    ) {
        let hidden = form.hiddenFields(values)
        for column in 0..<fieldCount where fields[column].isAttribute {
            let field = fields[column]
            if !hidden.isEmpty, hidden.contains(field.key) {
                // If the row does not have the column that hides the field, it does not affect the field.
                guard let place = fields.firstIndex(where: { $0.key == field.condition }), cells.has(place) else {
                    continue
                }
                attributes[field.key.rawValue] = .text("")
            } else if cells.has(column) {
                attributes[field.key.rawValue] = values.value(of: field.key) ?? .text("")
            } else if cells.contents[column] == .absent, let value = field.defaultValue {
                defaults[field.key.rawValue] = value
            }
        }
    }

    /// The account that a row describes. The result is only valid if no failure was added.
    mutating func account(
        _ cells: borrowing RowCells, _ failures: inout [RuleFailure]
    ) -> AccountDraft {
        for column in 0..<fieldCount { fill(column, from: cells) }
        let hasPassword = passwordColumn.map { cells.has($0) } ?? false
        // A conditional expression `(hasPassword ? form : formWithoutPassword)` would copy a form for each row.
        let found = hasPassword ? form.failures(of: values) : formWithoutPassword.failures(of: values)
        for failure in found where !failures.contains(where: { $0.field == failure.field }) {
            failures.append(failure)
        }
        func own<Value>(
            _ column: Own, _ code: RuleFailure.Code, _ read: (borrowing RowCells, Int) -> Value?
        ) -> Value? {
            value(at: fieldCount + column.rawValue, code, read)
        }
        func value<Value>(
            at column: Int, _ code: RuleFailure.Code, _ read: (borrowing RowCells, Int) -> Value?
        ) -> Value? {
            guard cells.has(column) else { return nil }
            if let value = read(cells, column) { return value }
            failures.append(RuleFailure(code: code, field: cells.columns[column].key))
            return nil
        }
        let username =
            if let usernameColumn {
                cells.has(usernameColumn) ? values.withValue(of: .username) { String(copying: $0) } : nil
            } else {
                own(.username, .notText) { $0.string($1) }
            }
        let (acceptsWords, resetsText) = (acceptsWords, resetsPassword != nil)
        let id = own(.id, .notID) { $0.string($1).flatMap { AccountID($0) } }
        // Text that cannot be a hash may be a plain-text password, as stored by some programs.
        let passwordHash: PasswordHash? = own(.passwordHash, .hashUnsupported) { cells, column in
            guard cells.contents[column].isText else { return nil }
            return cells.withText(column) { PasswordHash(imported: $0.span) } ?? (resetsText ? .noPassword : nil)
        }
        let isDisabled = own(.disabled, .notBoolean) { $0.truth($1, acceptsWords: acceptsWords) }
        let mustChangePassword = own(.requireChange, .notBoolean) { $0.truth($1, acceptsWords: acceptsWords) }
        var totpSecret: Secret?
        if cells.columns.indices.contains(totpColumn), cells.columns[totpColumn].key == .totpSecret {
            totpSecret = value(at: totpColumn, .notTOTPSecret) { cells, column in
                guard cells.contents[column].isText else { return nil }
                return cells.withText(column) { TOTP(imported: $0.span)?.secret }
            }
        }
        let createdAt = own(.createdAt, .notTime) { $0.string($1).flatMap { Timestamp(rfc3339: $0) } }
        let groups = own(.groups, .notGroups) { $0.groups($1, inText: acceptsWords) }
        var (attributes, defaults): ([String: FieldValue], [String: FieldValue]) = ([:], [:])
        setAttributes(&attributes, &defaults, cells)
        let password: Secret? =
            if hasPassword, let passwordColumn {
                cells.withText(passwordColumn) { Secret(copying: $0.span) }
            } else {
                nil
            }
        // All properties are set together, because setting them one after another would copy the draft each time.
        return AccountDraft(
            id: id, username: username, email: values.withValue(of: .email) { String(copying: $0) },
            attributes: attributes, defaults: defaults, password: password, passwordHash: passwordHash,
            totpSecret: totpSecret, state: isDisabled.map { $0 ? .disabled : .active },
            mustChangePassword: mustChangePassword, groups: groups, createdAt: createdAt)
    }
}

extension RowCells.Content {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

extension RowCells {
    /// The row's username; nil if it is missing or invalid.
    var username: Username? {
        for column in columns.indices where columns[column].key == .username {
            return string(column).flatMap { try? Username($0) }
        }
        return nil
    }

    /// The account that the row describes, identified by its ID, otherwise its username, otherwise its address; nil if
    /// none of them is valid.
    var lookup: AccountLookup? {
        func text(_ key: FieldKey) -> String? {
            columns.firstIndex { $0.key == key }.flatMap { string($0) }
        }
        if let id = text(.accountID).flatMap({ AccountID($0) }) { return .id(id) }
        if let username = text(.username), !username.isEmpty { return (try? Username(username)).map { .username($0) } }
        return text(.email).flatMap { try? EmailAddress($0, international: true) }.map { .email($0) }
    }

    /// The text of a column that is not secret; nil if the value is of another kind.
    borrowing func string(_ column: Int) -> String? {
        guard contents[column].isText else { return nil }
        return withText(column) { String(copying: $0) }
    }

    /// The names of groups: an array in JSON, or in CSV a text with spaces between them; nil if one is invalid.
    fileprivate borrowing func groups(_ column: Int, inText: Bool) -> [GroupName]? {
        if case .list(let texts) = contents[column] {
            let names = texts.compactMap { GroupName($0) }
            return names.count == texts.count ? names.canonical : nil
        }
        guard inText, let line = string(column) else { return nil }
        return [GroupName](line: line)?.canonical
    }

    fileprivate borrowing func truth(_ column: Int, acceptsWords: Bool) -> Bool? {
        if case .bool(let value) = contents[column] { return value }
        guard acceptsWords, let word = string(column) else { return nil }
        return switch word.lowercased() {
        case "true": true
        case "false": false
        default: nil
        }
    }
}
