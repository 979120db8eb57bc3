package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeySecrets

/// Reads the accounts of a desired state.
///
/// A row only contains the values that matter to the operator. Missing values are taken from the stored account. The
/// row is then checked like an import row.
package struct DesiredStateReader: ~Copyable {
    private let form: Form
    private let service: AccountService
    private let hasStore: Bool
    private let readPassword: (_ path: String, _ maximumBytes: Int) -> Secret?
    private var cells: RowCells
    private var checker: RowChecker
    private let passwordFileColumn: Int
    private var values = RepeatedValues()

    /// The groups to create.
    package private(set) var groups: [DesiredGroup] = []
    /// The valid rows, in file order.
    package private(set) var rows: [AccountRow] = []
    /// The problems of each refused row.
    package private(set) var problems: [[RowProblem]] = []

    /// - Parameters:
    ///   - form: the sign-up form.
    ///   - hasStore: whether `service` has a store with accounts.
    ///   - readPassword: reads the password from the first line of the file that a row refers to. If it returns nil,
    ///     reading stops.
    package init(
        _ form: Form, _ service: AccountService, hasStore: Bool,
        readPassword: @escaping (_ path: String, _ maximumBytes: Int) -> Secret?
    ) {
        self.form = form
        self.service = service
        self.hasStore = hasStore
        self.readPassword = readPassword
        let columns = RowChecker.columns(of: form)
        passwordFileColumn = columns.count
        cells = RowCells(columns: columns + [RowColumn(.passwordFile)])
        checker = RowChecker(form, .jsonl)
    }

    /// Reads `text` into ``rows`` and ``problems``.
    ///
    /// - Parameter goesOn: called before each row. If it returns false, reading stops.
    /// - Throws: ``ProvisioningError/stopped``; ``ProvisioningError/account(_:)`` if the store fails.
    package mutating func read(_ text: [UInt8], goesOn: () -> Bool) async throws(ProvisioningError) {
        let accounts: [DesiredStateText.Account]
        do throws(RowCells.FormatError) {
            (groups, accounts) = try DesiredStateText.contents(of: text.span)
        } catch {
            let place = DesiredStateText.place(of: error.offset, in: text.span)
            problems.append([RowProblem(error.failure, at: place, line: place.line)])
            return
        }
        for account in accounts {
            guard goesOn() else { throw .stopped }
            switch try await row(text, account) {
            case .valid(let row): take(row)
            case .refused(let found): problems.append(found)
            }
        }
    }

    private mutating func row(
        _ text: [UInt8], _ written: DesiredStateText.Account
    ) async throws(ProvisioningError) -> ReadRow {
        func place(_ offset: Int) -> TextPlace { written.place(of: offset, in: text.span) }
        let (range, line) = (written.range, written.place.line)
        guard range.count <= RowCells.maximumBytes else { return .refused([.tooLong(line: line)]) }
        if let error = cells.read(json: text.span.extracting(range)) {
            return .refused([RowProblem(error.failure, at: place(error.offset), line: line)])
        }
        let failures = try await complete()
        guard failures.isEmpty else {
            return .refused(failures.map { RowChecker.problem($0, line: line, cells, place) })
        }
        do throws(AccountError) {
            return try checker.check(cells, line: line, byteCount: range.count, with: service.check, place: place)
        } catch {
            throw .account(error)
        }
    }

    /// Adds a row, unless an earlier row has the same ID, username or address.
    private mutating func take(_ row: AccountRow) {
        let duplicates = values.duplicates(in: row.account, line: row.line)
        guard duplicates.isEmpty else {
            return problems.append(duplicates.map { row.duplicate(of: $0.field, line: $0.line) })
        }
        rows.append(row)
    }

    // MARK: Missing values

    /// Adds the stored values of the account, and the password from the file that the row refers to.
    private mutating func complete() async throws(ProvisioningError) -> [RuleFailure] {
        let passwordColumn = column(of: .password)
        if let passwordColumn, cells.has(passwordColumn) {
            return [RuleFailure(code: .passwordPlain, field: .password)]
        }
        var failures: [RuleFailure] = []
        let present = try await account()?.present ?? [:]
        for (column, field) in form.fields.enumerated() {
            guard !field.isSecret, let value = present[field.apiKey] else { continue }
            if !cells.complete(column, with: value) {
                let values = ["maximum": RuleFailure.Value.integer(RowCells.maximumBytes)]
                failures.append(RuleFailure(code: .tooLong, values: values, field: field.apiKey))
            }
        }
        guard cells.has(passwordFileColumn), let passwordColumn else { return failures }
        guard let path = cells.string(passwordFileColumn), !path.isEmpty, !path.utf8.contains(0) else {
            return failures + [RuleFailure(code: .notPath, field: .passwordFile)]
        }
        guard let password = readPassword(path, form.fields[passwordColumn].maximumBytes) else { throw .stopped }
        let hasRoom = password.withBytes { cells.complete(passwordColumn, with: $0) }
        return failures + (hasRoom ? [] : [RuleFailure(code: .tooLong, field: .password)])
    }

    /// The stored account that the row describes; nil if there is none.
    private func account() async throws(ProvisioningError) -> Account? {
        guard hasStore, let lookup = cells.lookup else { return nil }
        do throws(AccountError) {
            return try await service.account(lookup)
        } catch .noSuchAccount {
            return nil
        } catch {
            throw .account(error)
        }
    }

    private borrowing func column(of key: FieldKey) -> Int? {
        cells.columns.indices.first { cells.columns[$0].key == key }
    }
}

extension FieldKey {
    /// In a desired state, the path of a file with the password in its first line.
    package static let passwordFile: FieldKey = "password_file"
}
