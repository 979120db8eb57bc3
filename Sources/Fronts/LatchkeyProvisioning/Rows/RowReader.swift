package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeySystem

/// Reads accounts from a file in JSON Lines or CSV, and checks each row by itself.
package struct RowReader: ~Copyable {
    private let format: RowFormat
    /// The service's check. It is a closure, because a struct with the service would be copied for each row, and would
    /// retain a dozen objects that the other readers retain at the same time.
    private let checkAccount: @Sendable (AccountDraft) throws(AccountError) -> CheckedAccount
    private var file: RowFile
    private var cells: RowCells
    private var checker: RowChecker
    private var header: [Int?] = []
    private let mappings: [ColumnMapping]

    /// - Parameters:
    ///   - file: the file, read from its start. Several readers may share it.
    ///   - options: the format, and the hashes to drop.
    ///   - form: the sign-up form.
    ///   - service: applies the policy for passwords and the limits for imported hashes.
    package init(_ file: RereadableFile, _ options: ImportOptions, _ form: Form, _ service: AccountService) {
        format = options.format
        mappings = options.mappings
        checkAccount = { (account) throws(AccountError) in try service.check(account) }
        self.file = RowFile(file, options.format)
        cells = RowCells(columns: RowChecker.importColumns(of: form))
        checker = RowChecker(form, options.format, resetsPassword: options.resetsPassword)
    }

    /// Reads the record with the column names of a CSV file. JSON Lines have no such record.
    ///
    /// - Returns: the problem that prevents reading any row; nil if there is none.
    package mutating func readHeader() throws(ProvisioningError) -> RowProblem? {
        guard format == .csv else { return nil }
        guard let cut = try file.advance() else { return RowProblem(RuleFailure(code: .csvHeader), at: nil, line: 1) }
        guard cut != .tooLong else { return .tooLong(line: file.line) }
        do throws(RowCells.FormatError) {
            header = try file.withRow { (row) throws(RowCells.FormatError) in
                try cells.header(csv: row, mappings: mappings)
            }
            return nil
        } catch {
            return problem(error)
        }
    }

    /// Reads and checks the next row; nil at the end.
    package mutating func next() throws(ProvisioningError) -> ReadRow? {
        guard let cut = try file.advance() else { return nil }
        if cut == .tooLong { return .refused([.tooLong(line: file.line)]) }
        var error = readCells()
        // A stray quotation mark can join several lines into one row. In this case, only the first line is refused.
        if error?.failure.code == .csvQuote, file.keepFirstLine() { error = readCells() }
        if error == nil, cut == .unclosed { error = RowCells.FormatError(.csvOpen, at: 0) }
        if let error { return .refused([problem(error)]) }
        let byteCount = file.byteCount
        do throws(AccountError) {
            return try checker.check(cells, line: file.line, byteCount: byteCount, with: checkAccount) {
                file.place(of: $0)
            }
        } catch {
            throw .account(error)
        }
    }

    /// Skips a row without checking it; false at the end.
    package mutating func skip() throws(ProvisioningError) -> Bool {
        guard let cut = try file.advance() else { return false }
        // ``next()`` does the same, so that both find the same end of a row.
        if format == .csv, cut != .tooLong, readCells()?.failure.code == .csvQuote { _ = file.keepFirstLine() }
        return true
    }

    private mutating func readCells() -> RowCells.FormatError? {
        file.withRow { row in format == .csv ? cells.read(csv: row, under: header) : cells.read(json: row) }
    }

    private func problem(_ error: RowCells.FormatError) -> RowProblem {
        RowProblem(error.failure, at: file.place(of: error.offset), line: file.line)
    }
}
