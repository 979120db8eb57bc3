import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

@testable import LatchkeyCommandLine

extension FuzzTarget {
    /// A file of accounts in either format, the first byte says which: each row is an account or is refused with a place
    /// and a sentence.
    static let rows = FuzzTarget("rows", upTo: 4_096) { bytes in
        let format: RowFormat = bytes.first.map { $0 & 1 == 0 } ?? true ? .jsonl : .csv
        guard let folder = FuzzFolder.shared, let form = FuzzForms.builtIn?.form(for: .setup),
            folder.write(Array(bytes.dropFirst()), to: "rows"),
            let given = try? GivenFile(at: folder.path + "/rows"),
            let file = try? RereadableFile(given, spoolingIn: { () throws(FileError) in throw .notFound })
        else { return "no file to read from" }
        do throws(ToolFailure) {
            var source = RowFile(file, format, named: "rows")
            var cells = RowCells(columns: RowJudge.columns(of: form))
            var judge = RowJudge(form, format)
            var header: [Int]?
            var line = 0
            while let row = try source.advance() {
                if source.line <= line { return "line \(source.line) after line \(line)" }
                line = source.line
                if row == .overlong { return "a row of \(bytes.count) bytes is too long" }
                if format == .csv, header == nil {
                    do throws(RowCells.Flaw) {
                        header = try source.withRow { (row) throws(RowCells.Flaw) in try cells.header(csv: row) }
                        continue
                    } catch {
                        return told(error.failure)
                    }
                }
                let flaw = source.withRow { row in
                    format == .csv ? cells.read(csv: row, under: header ?? []) : cells.read(json: row)
                }
                if let flaw {
                    let place = source.place(of: flaw.offset)
                    if place.line < line { return "a place before its row" }
                    if let problem = told(flaw.failure) { return problem }
                    _ = flaw.failure.code == .csvQuote && source.keepFirstLine()
                    continue
                }
                let (account, problems) = judge.account(cells)
                for problem in problems {
                    if let untold = told(problem.failure) { return untold }
                    if let column = problem.column, cells.contents[column] == .absent { return "a place of nothing" }
                }
                guard problems.isEmpty else { continue }
                if account.username.isEmpty || account.email.isEmpty { return "an account without a name" }
                if account.password != nil, (account.password?.count ?? 0) < 9 { return "a password that is too short" }
            }
            return nil
        } catch {
            return "\(error.code)"
        }
    }

    private static func told(_ failure: RuleFailure) -> String? {
        MessageTable.english.has("rule." + failure.code.rawValue) ? nil : "no sentence for \(failure.code.rawValue)"
    }
}
