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

    /// A desired state: each account stands where it says, inside the text and behind the one before, and is read as a row;
    /// what is refused has a place in the text.
    static let desiredState = FuzzTarget("desired-state", upTo: 4_096) { bytes in
        let text = bytes.span
        guard let form = FuzzForms.builtIn?.form(for: .setup) else { return "no form" }
        let accounts: [DesiredStateText.Account]
        do throws(RowCells.Flaw) {
            accounts = try DesiredStateText.accounts(in: text)
        } catch {
            let place = DesiredStateText.place(of: error.offset, in: text)
            if error.offset > bytes.count || place.line < 1 || place.column < 1 { return "a place outside the text" }
            return told(error.failure)
        }
        // Every JSON reader accepts it, except for strings that hold JSON themselves.
        do throws(JSONReader.Failure) { _ = try JSONReader.read(text) } catch {
            switch error.problem {
            case .duplicateKey, .loneSurrogate: break
            default: return "accounts of what is no JSON"
            }
        }
        var cells = RowCells(columns: RowJudge.columns(of: form) + [RowColumn(.passwordFile)])
        var judge = RowJudge(form, .jsonl)
        var end = 0
        for account in accounts {
            let range = account.range
            if range.lowerBound < end || range.upperBound > bytes.count { return "accounts that overlap" }
            end = account.range.upperBound
            if account.place != DesiredStateText.place(of: account.range.lowerBound, in: text) {
                return "an account that stands elsewhere"
            }
            if let flaw = cells.read(json: text.extracting(account.range)) {
                let offset = account.range.lowerBound + flaw.offset
                if account.place(of: flaw.offset, in: text) != DesiredStateText.place(of: offset, in: text) {
                    return "a flaw that stands elsewhere"
                }
                if let untold = told(flaw.failure) { return untold }
                continue
            }
            let kept = "kept@example.org"
            if let email = form.fields.firstIndex(where: { $0.apiKey == .email }), !cells.has(email) {
                if !cells.complete(email, with: kept.utf8Span.span) { return "no room for what is kept" }
            }
            let (made, problems) = judge.account(cells)
            for problem in problems {
                if let untold = told(problem.failure) { return untold }
            }
            if problems.isEmpty, made.username.isEmpty { return "an account without a name" }
        }
        return nil
    }

    private static func told(_ failure: RuleFailure) -> String? {
        MessageTable.english.has("rule." + failure.code.rawValue) ? nil : "no sentence for \(failure.code.rawValue)"
    }
}
