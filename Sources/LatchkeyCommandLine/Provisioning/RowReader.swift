import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySecrets
import LatchkeySystem

/// Reads accounts out of a file, each checked by the set-up form and by the service.
struct RowReader: ~Copyable {
    enum Row: Sendable {
        case account(CheckedAccount)
        case refused([RowProblem])
    }

    private let format: RowFormat
    private let service: AccountService
    private let resetsWeakHashes: Bool
    private var file: RowFile
    private var cells: RowCells
    private var judge: RowJudge
    private var header: [Int] = []
    private let namingColumns: [Int]

    /// The line on which the last row began, and how many bytes it had.
    var line: Int { file.line }
    private(set) var byteCount = 0

    /// - Parameters:
    ///   - form: the set-up form.
    ///   - resetsWeakHashes: whether a hash that is too weak to be verified means that the owner has to recover the
    ///     account, and is not refused.
    init(
        _ file: RereadableFile, _ options: ImportOptions, _ form: Form, _ service: AccountService
    ) {
        format = options.format
        self.file = RowFile(file, options.format, named: options.name)
        self.service = service
        resetsWeakHashes = options.resetsWeakHashes
        cells = RowCells(columns: RowJudge.columns(of: form))
        namingColumns = RowPlace.columns(of: cells.columns)
        judge = RowJudge(form, options.format, resetsWeakHashes: options.resetsWeakHashes)
    }

    /// Reads what stands before the rows.
    ///
    /// - Returns: what is wrong with it: without it no row can be read.
    mutating func readHeader() throws(ToolFailure) -> RowProblem? {
        guard format == .csv else { return nil }
        guard let row = try file.advance() else {
            return RowProblem(line: 1, column: nil, failure: RuleFailure(code: .csvHeader))
        }
        guard row != .overlong else { return overlong }
        do throws(RowCells.Flaw) {
            header = try file.withRow { (row) throws(RowCells.Flaw) in try cells.header(csv: row) }
            return nil
        } catch {
            return problem(error)
        }
    }

    /// The next row; nil at the end.
    mutating func next() throws(ToolFailure) -> Row? {
        guard let row = try file.advance() else { return nil }
        if row == .overlong { return .refused([overlong]) }
        var flaw = read()
        // A mark that closes in another line than it was opened in, where nothing may be closed, opens one there.
        if flaw?.failure.code == .csvQuote, file.keepFirstLine() { flaw = read() }
        if let flaw { return .refused([problem(flaw)]) }
        if row == .unclosed { return .refused([problem(RowCells.Flaw(.csvOpen, at: 0))]) }
        var (account, problems) = judge.account(cells)
        do throws(AccountError) {
            let checked = try check(&account)
            guard !problems.isEmpty else { return .account(checked) }
        } catch .refused(let failures) {
            problems = judge.problems(failures, beside: problems, cells)
        } catch {
            throw ToolFailure(error)
        }
        return .refused(problems.map { placed($0) })
    }

    /// Goes past a row without judging it; false at the end.
    mutating func skip() throws(ToolFailure) -> Bool {
        guard let row = try file.advance() else { return false }
        // As ``next()`` does, or the two would not agree on what a row is.
        if format == .csv, row != .overlong, read()?.failure.code == .csvQuote { _ = file.keepFirstLine() }
        return true
    }

    private mutating func read() -> RowCells.Flaw? {
        file.withRow { row in
            byteCount = row.count
            return format == .csv ? cells.read(csv: row, under: header) : cells.read(json: row)
        }
    }

    private func check(_ account: inout ProvisionedAccount) throws(AccountError) -> CheckedAccount {
        do throws(AccountError) {
            return try service.check(account)
        } catch .refused(let failures)
            where resetsWeakHashes && failures.contains(where: { $0.code == .hashUnsupported })
        {
            guard let hash = account.passwordHash, UnsupportedScheme.isWeak(hash) else { throw .refused(failures) }
            account.passwordHash = .noPassword
            return try service.check(account)
        }
    }

    // MARK: Places

    /// Where the last row is.
    var place: RowPlace {
        RowPlace(line: file.line, of: cells, namingColumns) { file.place(of: $0) }
    }

    private func placed(_ problem: RowJudge.Problem) -> RowProblem {
        guard let column = problem.column else {
            return RowProblem(line: line, column: nil, failure: problem.failure)
        }
        let place = file.place(of: cells.offsets[column])
        return RowProblem(line: place.line, column: place.column, failure: problem.failure)
    }

    private func problem(_ flaw: RowCells.Flaw) -> RowProblem {
        let place = file.place(of: flaw.offset)
        return RowProblem(line: place.line, column: place.column, failure: flaw.failure)
    }

    private var overlong: RowProblem {
        let values = ["maximum": RuleFailure.Value.integer(RowCells.maximumBytes)]
        return RowProblem(line: line, column: nil, failure: RuleFailure(code: .tooLong, values: values))
    }
}

extension UnsupportedScheme {
    /// Whether a hash is of a scheme that is too weak to be verified, or no hash at all but the password itself.
    static func isWeak(_ hash: PasswordHash) -> Bool {
        switch UnsupportedScheme(of: hash) {
        case nil, .desCrypt, .bsdiCrypt, .md5Crypt, .sunMD5, .sha1Crypt, .nt, .ldap: true
        case .noPassword, .sealed, .bcryptX, .malformed: false
        }
    }
}
