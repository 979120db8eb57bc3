import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// The first reading of an import: every row is judged, alone, beside the others of the file, and beside the accounts that
/// there are. Nothing is written.
struct ImportCheck {
    let run: Run
    let options: ImportOptions
    let form: Form
    let file: RereadableFile
    let report: ImportReport
    let location: StoreLocation
    let service: AccountService
    let hasStore: Bool

    /// What was found.
    struct Findings {
        /// Of all rows, and of those that are good.
        var rows = 0
        var count = 0
        /// The lines of rows that are good by themselves and still refused, ascending.
        var refused: [Int] = []
    }

    private static let pageSize = 1000
    /// Rows between two looks at the bar: one with a password takes some milliseconds.
    private static let barStep = 16

    func perform() async throws(ToolFailure) -> Findings {
        var reader = RowReader(file, options, form, service)
        if let problem = try reader.readHeader() {
            try report.refuse([problem])
            return Findings()
        }
        let location = location
        var search = DuplicateSearch { () throws(FileError) in
            try FileDraft(of: "import-spool", in: location.openFolder())
        }
        let bar = run.progress("progress.checking", total: nil)
        defer { bar?.finish(saying: nil) }
        var findings = Findings()
        var page = Page()
        while let row = try reader.next() {
            findings.rows += 1
            // What is wrong is told in lines of its own.
            if findings.rows % Self.barStep == 0, report.refused == 0 { bar?.update(done: findings.rows) }
            try ToolFailure.throwInterruption("import_interrupted_early", [:], report.members)
            switch row {
            case .refused(let problems): try report.refuse(problems)
            case .account(let account):
                findings.count += 1
                do throws(FileError) { try search.add(account) } catch { throw spoolFailure(error) }
                page.add(account, at: reader.place)
                if page.rows.count == Self.pageSize { try await settle(&page, &findings) }
            }
        }
        try await settle(&page, &findings)
        let suspects: DuplicateSearch.Suspects
        do throws(FileError) { suspects = try search.suspects() } catch { throw spoolFailure(error) }
        if !suspects.isEmpty { try findDuplicates(suspects, &findings) }
        return findings
    }

    private struct Page {
        var rows: [CheckedAccount] = []
        var places: [RowPlace] = []

        mutating func add(_ row: CheckedAccount, at place: RowPlace) {
            rows.append(row)
            places.append(place)
        }
    }

    /// Looks which rows of a page are about accounts that there are.
    private func settle(_ page: inout Page, _ findings: inout Findings) async throws(ToolFailure) {
        defer { page = Page() }
        // Whom to leave alone, and what to change, is only of interest to those who ask what would happen.
        guard options.isDryRun || (hasStore && options.choice != .skip) else { return }
        var standings = page.rows.map { _ in Standing.new }
        if hasStore {
            do throws(AccountError) {
                standings = try await service.standings(of: page.rows, options.choice)
            } catch {
                throw ToolFailure(error, at: location)
            }
        }
        for (place, standing) in zip(page.places, standings) {
            if case .refused = standing {
                findings.count -= 1
                findings.refused.append(place.line)
            } else if !options.isDryRun {
                continue
            }
            try report.take(standing, options.choice, at: place)
        }
    }

    /// Reads the file once more for rows that have what an earlier one has.
    private func findDuplicates(
        _ suspects: consuming DuplicateSearch.Suspects, _ findings: inout Findings
    ) throws(ToolFailure) {
        var suspects = suspects
        var reader = RowReader(file, options, form, service)
        guard try reader.readHeader() == nil else { return }
        var known = findings.refused[...]
        var refused: [Int] = []
        while let row = try reader.next() {
            if known.first == reader.line {
                refused.append(reader.line)
                known.removeFirst()
                continue
            }
            guard case .account(let account) = row else { continue }
            let duplicates = suspects.duplicates(in: account, line: reader.line)
            guard !duplicates.isEmpty else { continue }
            findings.count -= 1
            refused.append(reader.line)
            let place = reader.place
            try report.refuse(
                duplicates.map { field, line in
                    place.problem(RuleFailure(code: .duplicate, values: ["line": .integer(line)], field: field))
                })
        }
        findings.refused = refused
    }

    private func spoolFailure(_ error: FileError) -> ToolFailure { ToolFailure(spooling: error, at: location) }
}
