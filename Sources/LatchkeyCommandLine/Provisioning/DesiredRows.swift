import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// Reads the rows of a desired state: each is completed with what is kept of its account already, and then judged as an
/// import's row is.
struct DesiredRows: ~Copyable {
    private let context: CommandContext
    private let form: Form
    private let service: AccountService
    private let hasStore: Bool
    /// Paths in it start from its folder.
    private let file: FilePlace
    private var cells: RowCells
    private var judge: RowJudge
    private let fileColumn: Int
    private let namingColumns: [Int]

    /// A good row and where it stands.
    struct Row {
        let account: CheckedAccount
        let place: RowPlace
    }

    private(set) var rows: [Row] = []
    private(set) var problems: [[RowProblem]] = []
    private var usernames: [Username: Int] = [:]
    private var emails: [EmailAddress: Int] = [:]
    private var ids: [AccountID: Int] = [:]

    init(_ context: CommandContext, _ form: Form, of file: FilePlace, _ service: AccountService, hasStore: Bool) {
        self.context = context
        self.form = form
        self.file = file
        self.service = service
        self.hasStore = hasStore
        let columns = RowJudge.columns(of: form)
        fileColumn = columns.count
        cells = RowCells(columns: columns + [RowColumn(.passwordFile)])
        namingColumns = RowPlace.columns(of: columns)
        judge = RowJudge(form, .jsonl)
    }

    /// Reads `text`, and sorts what it says into ``rows`` and ``problems``.
    ///
    /// - Throws: what reading a password's file and the store fail with.
    mutating func read(_ text: [UInt8]) async throws(ToolFailure) {
        let accounts: [DesiredStateText.Account]
        do throws(RowCells.Flaw) {
            accounts = try DesiredStateText.accounts(in: text.span)
        } catch {
            let place = DesiredStateText.place(of: error.offset, in: text.span)
            problems.append([RowProblem(line: place.line, column: place.column, failure: error.failure)])
            return
        }
        for account in accounts {
            try ToolFailure.throwInterruption { .applyInterruptedEarly(by: $0) }
            try await read(text, account)
        }
    }

    private mutating func read(_ text: [UInt8], _ written: DesiredStateText.Account) async throws(ToolFailure) {
        func place(_ offset: Int) -> TextPlace { written.place(of: offset, in: text.span) }
        let (range, line) = (written.range, written.place.line)
        guard range.count <= RowCells.maximumBytes else {
            let values = ["maximum": RuleFailure.Value.integer(RowCells.maximumBytes)]
            return problems.append(
                [RowProblem(line: line, column: nil, failure: RuleFailure(code: .tooLong, values: values))])
        }
        if let flaw = cells.read(json: text.span.extracting(range)) {
            let place = place(flaw.offset)
            return problems.append([RowProblem(line: place.line, column: place.column, failure: flaw.failure)])
        }
        var found: [RowJudge.Problem] = []
        if let column = column(of: .password), cells.has(column) {
            found.append(.init(failure: RuleFailure(code: .passwordPlain, field: .password), column: column))
        } else {
            try await complete(&found)
        }
        if found.isEmpty {
            let (account, problems) = judge.account(cells)
            found = problems
            do throws(AccountError) {
                let checked = try service.check(account)
                let whole = RowPlace(line: line, of: cells, namingColumns) { place($0) }
                if found.isEmpty { found = take(checked, at: whole) }
            } catch .refused(let failures) {
                found = judge.problems(failures, beside: found, cells)
            } catch {
                throw ToolFailure(error)
            }
        }
        guard !found.isEmpty else { return }
        problems.append(
            found.map { problem in
                guard let column = problem.column else {
                    return RowProblem(line: line, column: nil, failure: problem.failure)
                }
                let place = place(cells.offsets[column])
                return RowProblem(line: place.line, column: place.column, failure: problem.failure)
            })
    }

    // MARK: What is not in the row

    /// Puts in what is kept of the account, and the password of the file that the row names.
    private mutating func complete(_ found: inout [RowJudge.Problem]) async throws(ToolFailure) {
        let present = try await account()?.present ?? [:]
        for (column, field) in form.fields.enumerated() {
            guard !field.isSecret, let text = present[field.apiKey] else { continue }
            if !cells.complete(column, with: text.utf8Span.span) {
                let values = ["maximum": RuleFailure.Value.integer(RowCells.maximumBytes)]
                found.append(
                    .init(
                        failure: RuleFailure(code: .tooLong, values: values, field: field.apiKey), column: nil))
            }
        }
        guard cells.has(fileColumn), let column = column(of: .password) else { return }
        guard let path = text(fileColumn).flatMap({ Argument($0).path }) else {
            return found.append(
                .init(failure: RuleFailure(code: .notText, field: .passwordFile), column: fileColumn))
        }
        let name = file.path(of: path)
        var lines = SecretLines(try InputFiles.open(name, context.output, context.messages), named: name)
        let password = try lines.line(maximumBytes: form.fields[column].maximumBytes, flag: name)
        let hasRoom = password.withBytes { cells.complete(column, with: $0) }
        if !hasRoom { found.append(.init(failure: RuleFailure(code: .tooLong, field: .password), column: fileColumn)) }
    }

    /// The account that the row is about, where it names one that there is.
    private func account() async throws(ToolFailure) -> Account? {
        let id = text(column(of: .accountID)).flatMap { AccountID($0) }
        let name = text(column(of: .username)).flatMap { try? Username($0) }
        guard hasStore, let lookup = id.map(AccountLookup.id) ?? name.map(AccountLookup.username) else { return nil }
        do throws(AccountError) {
            return try await service.account(lookup)
        } catch .noSuchAccount {
            return nil
        } catch {
            throw ToolFailure(error)
        }
    }

    private borrowing func column(of key: FieldKey) -> Int? {
        cells.columns.indices.first { cells.columns[$0].key == key }
    }

    /// Of what is no secret.
    private borrowing func text(_ column: Int?) -> String? {
        guard let column, case .text = cells.contents[column] else { return nil }
        return cells.withText(column) { String(copying: $0) }
    }

    // MARK: Rows beside each other

    /// Keeps a row, unless an earlier one has its name, address or id.
    private mutating func take(_ account: CheckedAccount, at place: RowPlace) -> [RowJudge.Problem] {
        let earlier: [(FieldKey, Int?)] = [
            (.username, usernames[account.username]), (.email, emails[account.email]),
            (.accountID, account.id.flatMap { ids[$0] }),
        ]
        var problems: [RowJudge.Problem] = []
        for case (let field, let line?) in earlier {
            let failure = RuleFailure(code: .duplicate, values: ["line": .integer(line)], field: field)
            problems.append(judge.problem(failure, cells))
        }
        guard problems.isEmpty else { return problems }
        usernames[account.username] = place.line
        emails[account.email] = place.line
        if let id = account.id { ids[id] = place.line }
        rows.append(Row(account: account, place: place))
        return []
    }
}

extension FieldKey {
    /// Of a desired state: where the password is.
    static let passwordFile: FieldKey = "password_file"
}
