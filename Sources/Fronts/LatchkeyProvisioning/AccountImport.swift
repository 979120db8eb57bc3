package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeySystem

/// The options of an import: the file's format, and the treatment of rows that cannot be created.
package struct ImportOptions: Sendable {
    /// The format of the file.
    package var format: RowFormat
    /// The treatment of a row whose account exists.
    package var onConflict = ConflictChoice.fail
    /// Whether to import the valid rows if other rows are refused.
    package var skipsRefusedRows = false
    /// Returns whether to drop a hash that cannot be verified, so that the owner must use a recovery code. Text that
    /// cannot be a hash is then dropped too. If this is nil, rows with such hashes are refused.
    package var resetsPassword: (@Sendable (PasswordHash) -> Bool)?
    /// The columns of a CSV file that have another program's names.
    package var mappings: [ColumnMapping] = []
    /// The number of threads that check rows, and of passwords hashed in parallel; at least 1.
    package var jobs: Int

    /// Creates options that refuse every row that cannot be created.
    package init(format: RowFormat, jobs: Int) {
        self.format = format
        self.jobs = max(jobs, 1)
    }
}

/// The reason why an import or a plan ended early.
package enum ProvisioningError: Error, Equatable, Sendable {
    /// The input file cannot be read.
    case unreadable(FileError)
    /// A temporary file cannot be written.
    case spool(FileError)
    /// The service, a password hash or the store failed.
    case account(AccountError)
    /// The rows of the file differ from those that were checked.
    case fileChanged
    /// After the check, another process took the ID, username or address of a row.
    case overtaken
    /// The caller requested the work to stop.
    case stopped
}

/// The events of a running import. No event contains values of a row.
package enum ImportEvent: Sendable {
    /// A row cannot be imported. There is one event per row.
    case refused([RowProblem])
    /// The effect that an import of this valid row would have. Only for a dry run.
    case planned(RowConflict, line: Int, hasPassword: Bool)
    /// The verdicts of a durable batch, and whether each row has a password or a hash.
    case written([(line: Int, verdict: ImportVerdict, hasPassword: Bool)])
    /// The number of rows completed in the current phase.
    case progress(Int)
}

/// Imports a file of accounts.
///
/// ``check(with:hasStore:spool:)`` reads the file and checks every row: by itself, against the other rows, and against
/// the accounts in the store. ``write(_:with:by:)`` reads the file again and writes the valid rows, so that no copy of
/// the passwords is needed in between. A dry run calls ``rehearse(_:with:hasStore:)`` instead.
package struct AccountImport {
    let file: RereadableFile
    let options: ImportOptions
    let form: Form
    let report: (ImportEvent) -> Void
    private let goesOn: () -> Bool

    /// The result of checking a file.
    package struct Findings {
        /// The number of rows.
        package fileprivate(set) var rows = 0
        /// The number of rows that can be imported.
        package fileprivate(set) var importable = 0
        /// The lines of rows that are valid by themselves but are refused, in ascending order.
        fileprivate(set) var refusedLines: [Int] = []
    }

    /// - Parameters:
    ///   - form: the sign-up form.
    ///   - report: called in row order.
    ///   - goesOn: called between two pages or batches. If it returns false, the import ends with
    ///     ``ProvisioningError/stopped``.
    package init(
        _ file: RereadableFile, _ options: ImportOptions, _ form: Form, report: @escaping (ImportEvent) -> Void,
        goesOn: @escaping () -> Bool
    ) {
        self.file = file
        self.options = options
        self.form = form
        self.report = report
        self.goesOn = goesOn
    }

    func stopIfAsked() throws(ProvisioningError) {
        guard goesOn() else { throw .stopped }
    }

    // MARK: Checking

    /// Checks all rows without writing.
    ///
    /// - Parameters:
    ///   - hasStore: whether `service` has a store with accounts.
    ///   - spool: creates a temporary file for a search that does not fit into memory.
    package func check(
        with service: AccountService, hasStore: Bool, spool: @escaping () throws(FileError) -> FileDraft
    ) async throws(ProvisioningError) -> Findings {
        var pages = try RowPages(of: file, options, form, service)
        var search = DuplicateSearch(spool: spool)
        var findings = Findings()
        // Rows that are skipped have no conflict. But only an account that exists may have an unsafe name, and only the
        // account that released a username may have it again.
        var comparesAll = options.onConflict != .skip
        if hasStore, !comparesAll {
            do throws(AccountError) {
                comparesAll = try await service.hasReservedNames()
            } catch {
                throw .account(error)
            }
        }
        while let page = try await pages.next() {
            try stopIfAsked()
            findings.rows += page.count
            report(.progress(findings.rows))
            let rows = validRows(page)
            for row in rows {
                do throws(FileError) { try search.add(row.account) } catch { throw .spool(error) }
            }
            findings.importable += rows.count
            let compared =
                comparesAll
                ? rows
                : rows.filter {
                    $0.account.nameFailure != nil || $0.account.groups?.isEmpty == false
                }
            let conflicts = try await conflicts(of: compared, with: service, hasStore)
            for (index, row) in compared.enumerated() {
                guard let failure = conflicts[index]?.failure else { continue }
                findings.importable -= 1
                findings.refusedLines.append(row.line)
                refuse(row, failure)
            }
        }
        let repeated: RepeatedValues
        do throws(FileError) { repeated = try search.repeatedValues() } catch { throw .spool(error) }
        if !repeated.isEmpty { try findDuplicates(repeated, with: service, &findings) }
        return findings
    }

    /// Reports the refused rows of a page and returns the others.
    private func validRows(_ page: [ReadRow]) -> [AccountRow] {
        var rows: [AccountRow] = []
        rows.reserveCapacity(page.count)
        for row in page {
            switch row {
            case .refused(let problems): report(.refused(problems))
            case .valid(let row): rows.append(row)
            }
        }
        return rows
    }

    func refuse(_ row: AccountRow, _ failure: RuleFailure) { report(.refused([row.problem(failure)])) }

    /// The conflicts by the index of their row. A row without a conflict creates an account.
    func conflicts(
        of rows: [AccountRow], with service: AccountService, _ hasStore: Bool = true
    ) async throws(ProvisioningError) -> [Int: RowConflict] {
        guard hasStore else {
            let known = KnownGroups(inStoreWith: [])
            let refused = rows.enumerated().compactMap { index, row -> (Int, RowConflict)? in
                if let failure = row.account.nameFailure { return (index, .unsafeName(failure)) }
                return known.failure(of: row.account.groups).map { (index, .groups($0)) }
            }
            return Dictionary(uniqueKeysWithValues: refused)
        }
        do throws(AccountError) {
            return try await service.conflicts(of: rows.map(\.account), options.onConflict)
        } catch {
            throw .account(error)
        }
    }

    /// Reads the file again to find rows that repeat a value of an earlier row.
    private func findDuplicates(
        _ repeated: consuming RepeatedValues, with service: AccountService, _ findings: inout Findings
    ) throws(ProvisioningError) {
        var repeated = repeated
        var reader = RowReader(file, options, form, service)
        guard try reader.readHeader() == nil else { return }
        var known = RefusedLines(findings)
        var refused: [Int] = []
        while let read = try reader.next() {
            guard case .valid(let row) = read else { continue }
            if known.contains(next: row) {
                refused.append(row.line)
                continue
            }
            let duplicates = repeated.duplicates(in: row.account, line: row.line)
            guard !duplicates.isEmpty else { continue }
            findings.importable -= 1
            refused.append(row.line)
            report(.refused(duplicates.map { row.duplicate(of: $0.field, line: $0.line) }))
        }
        findings.refusedLines = refused
    }

    // MARK: Dry run

    /// Reads the file again and reports the effect that an import of each valid row would have.
    ///
    /// The check cannot report this, because it only knows the duplicates at its end.
    package func rehearse(
        _ findings: Findings, with service: AccountService, hasStore: Bool
    ) async throws(ProvisioningError) {
        var pages = try RowPages(of: file, options, form, service)
        var refused = RefusedLines(findings)
        var done = 0
        while let page = try await pages.next() {
            try stopIfAsked()
            var rows: [AccountRow] = []
            for case .valid(let row) in page where !refused.contains(next: row) { rows.append(row) }
            let conflicts = try await conflicts(of: rows, with: service, hasStore)
            for (index, row) in rows.enumerated() {
                let conflict = conflicts[index] ?? .new
                if let failure = conflict.failure {
                    refuse(row, failure)
                } else {
                    report(.planned(conflict, line: row.line, hasPassword: row.account.hasPassword))
                }
            }
            done += page.count
            report(.progress(done))
        }
    }
}

/// The refused lines of an earlier pass, compared with the rows of the current pass.
struct RefusedLines {
    private var rest: ArraySlice<Int>

    init(_ findings: AccountImport.Findings) { rest = findings.refusedLines[...] }

    /// Whether a row was refused. Call it with the rows in file order.
    mutating func contains(next row: AccountRow) -> Bool {
        guard rest.first == row.line else { return false }
        rest.removeFirst()
        return true
    }
}
