import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

@testable import LatchkeyProvisioning

extension FuzzTarget {
    /// A file of accounts in either format, chosen by the first byte. Every row is an account, or is refused with a
    /// position and a sentence.
    static let rows = FuzzTarget("rows", upTo: 4_096) { bytes in
        let format: RowFormat = bytes.first.map { $0 & 1 == 0 } ?? true ? .jsonl : .csv
        guard let folder = FuzzFolder.shared, let form = FuzzForms.builtIn?.form(for: .setup),
            folder.write(Array(bytes.dropFirst()), to: "rows"),
            let given = try? GivenFile(at: folder.path + "/rows"),
            let file = try? RereadableFile(given, spoolingIn: { () throws(FileError) in throw .notFound })
        else { return "no file to read from" }
        do throws(ProvisioningError) {
            var source = RowFile(file, format)
            var cells = RowCells(columns: RowChecker.importColumns(of: form))
            var checker = RowChecker(form, format)
            var header: [Int?]?
            var line = 0
            while let row = try source.advance() {
                if source.line <= line { return "line \(source.line) after line \(line)" }
                line = source.line
                if row == .tooLong { return "a row of \(bytes.count) bytes is too long" }
                if format == .csv, header == nil {
                    do throws(RowCells.FormatError) {
                        header = try source.withRow { (row) throws(RowCells.FormatError) in try cells.header(csv: row) }
                        continue
                    } catch {
                        return missingSentence(error.failure)
                    }
                }
                let error = source.withRow { row in
                    format == .csv ? cells.read(csv: row, under: header ?? []) : cells.read(json: row)
                }
                if let error {
                    let place = source.place(of: error.offset)
                    if place.line < line { return "a place before its row" }
                    if let missing = missingSentence(error.failure) { return missing }
                    _ = error.failure.code == .csvQuote && source.keepFirstLine()
                    continue
                }
                var failures: [RuleFailure] = []
                let account = checker.account(cells, &failures)
                for failure in failures {
                    if let missing = missingSentence(failure) { return missing }
                    let problem = RowChecker.problem(failure, line: line, cells) { source.place(of: $0) }
                    if problem.line < line { return "a problem before its row" }
                }
                guard failures.isEmpty else { continue }
                if account.username?.isEmpty ?? true || account.email.isEmpty { return "an account without a name" }
                if account.password != nil, (account.password?.count ?? 0) < 9 { return "a password that is too short" }
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// A desired state. Every account has a position inside the text, after the previous one, and is parsed as a row. A
    /// refusal has a position in the text.
    static let desiredState = FuzzTarget("desired-state", upTo: 4_096) { bytes in
        let text = bytes.span
        guard let form = FuzzForms.builtIn?.form(for: .setup) else { return "no form" }
        let accounts: [DesiredStateText.Account]
        do throws(RowCells.FormatError) {
            accounts = try DesiredStateText.contents(of: text).accounts
        } catch {
            let place = DesiredStateText.place(of: error.offset, in: text)
            if error.offset > bytes.count || place.line < 1 || place.column < 1 { return "a place outside the text" }
            return missingSentence(error.failure)
        }
        // Every JSON reader accepts it, except for strings that contain JSON.
        do throws(JSONReader.Failure) { _ = try JSONReader.read(text) } catch {
            switch error.problem {
            case .duplicateKey, .loneSurrogate: break
            default: return "accounts in a text that is not JSON"
            }
        }
        var cells = RowCells(columns: RowChecker.columns(of: form) + [RowColumn(.passwordFile)])
        var checker = RowChecker(form, .jsonl)
        var end = 0
        for account in accounts {
            let range = account.range
            if range.lowerBound < end || range.upperBound > bytes.count { return "accounts that overlap" }
            end = account.range.upperBound
            if account.place != DesiredStateText.place(of: account.range.lowerBound, in: text) {
                return "an account at another place"
            }
            if let error = cells.read(json: text.extracting(account.range)) {
                let offset = account.range.lowerBound + error.offset
                if account.place(of: error.offset, in: text) != DesiredStateText.place(of: offset, in: text) {
                    return "an error at another place"
                }
                if let missing = missingSentence(error.failure) { return missing }
                continue
            }
            let stored = "stored@example.org"
            if let email = form.fields.firstIndex(where: { $0.apiKey == .email }), !cells.has(email) {
                if !cells.complete(email, with: stored.utf8Span.span) { return "no room for a stored value" }
            }
            var failures: [RuleFailure] = []
            let made = checker.account(cells, &failures)
            for failure in failures {
                if let missing = missingSentence(failure) { return missing }
            }
            if failures.isEmpty, made.username?.isEmpty ?? true { return "an account without a name" }
        }
        return nil
    }

    private static func missingSentence(_ failure: RuleFailure) -> String? {
        MessageTable.english.completed(by: .provisioning).has("rule." + failure.code.rawValue)
            ? nil : "no sentence for \(failure.code.rawValue)"
    }
}
