import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// The first reading of an import: every row is judged, alone, beside the others of the file, and beside the accounts that
/// there are. Nothing is written.
struct ImportCheck {
    let context: CommandContext
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

    func perform() async throws(ToolFailure) -> Findings {
        var pages = try RowPages(of: file, options, form, service)
        let location = location
        var search = DuplicateSearch { () throws(FileError) in
            try FileDraft(of: "import-spool", in: location.openFolder())
        }
        let bar = context.progress("progress.checking", total: nil)
        defer { bar?.finish(saying: nil) }
        var findings = Findings()
        while let page = try await pages.next() {
            try ToolFailure.throwInterruption { .importInterruptedEarly(report.counts, by: $0) }
            findings.rows += page.count
            // What is wrong is told in lines of its own.
            if report.counts.refused == 0 { bar?.update(done: findings.rows) }
            try await settle(page, &findings, &search)
        }
        let suspects: DuplicateSearch.Suspects
        do throws(FileError) { suspects = try search.suspects() } catch { throw spoolFailure(error) }
        if !suspects.isEmpty { try findDuplicates(suspects, &findings) }
        return findings
    }

    /// Tells what is wrong in a page, and which of its rows are about accounts that there are.
    private func settle(
        _ page: [PageReader.Page.Row], _ findings: inout Findings, _ search: inout DuplicateSearch
    ) async throws(ToolFailure) {
        var rows: [CheckedAccount] = []
        var places: [RowPlace] = []
        for row in page {
            switch row {
            case .refused(let problems): try report.refuse(problems)
            case .account(let account, let place):
                do throws(FileError) { try search.add(account) } catch { throw spoolFailure(error) }
                rows.append(account)
                places.append(place)
            }
        }
        findings.count += rows.count
        // Who is skipped stands in nobody's way.
        guard hasStore, options.choice != .skip else { return }
        for (place, standing) in zip(places, try await standings(of: rows)) {
            guard case .refused = standing else { continue }
            findings.count -= 1
            findings.refused.append(place.line)
            try report.take(standing, options.choice, at: place)
        }
    }

    func standings(of rows: [CheckedAccount]) async throws(ToolFailure) -> [Standing] {
        guard hasStore else { return rows.map { _ in .new } }
        do throws(AccountError) {
            return try await service.standings(of: rows, options.choice)
        } catch {
            throw ToolFailure(error, at: location)
        }
    }

    /// Reads the file once more for rows that have what an earlier one has.
    private func findDuplicates(
        _ suspects: consuming DuplicateSearch.Suspects, _ findings: inout Findings
    ) throws(ToolFailure) {
        var suspects = suspects
        var reader = RowReader(file, options, form, service)
        guard try reader.readHeader() == nil else { return }
        var known = RefusedLines(findings.refused)
        var refused: [Int] = []
        while let row = try reader.next() {
            if known.meets(reader.line) {
                refused.append(reader.line)
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
