import LatchkeyAccounts
import LatchkeyForms
import LatchkeyTerminal

extension ImportCheck {
    /// A dry run's second reading: tells of each good row what would become of it. Only now it is known which those are.
    func rehearse(_ findings: Findings) async throws(ToolFailure) {
        var pages = try RowPages(of: file, options, form, service)
        let bar = context.progress("progress.checking", total: findings.rows)
        defer { bar?.finish(saying: nil) }
        var refused = RefusedLines(findings.refused)
        var done = 0
        while let page = try await pages.next() {
            try ToolFailure.throwInterruption { .importInterruptedEarly(report.counts, by: $0) }
            var rows: [CheckedAccount] = []
            var places: [RowPlace] = []
            for case .account(let account, let place) in page where !refused.meets(place.line) {
                rows.append(account)
                places.append(place)
            }
            for (place, standing) in zip(places, try await standings(of: rows)) {
                try report.take(standing, options.choice, at: place)
            }
            done += page.count
            bar?.update(done: done)
        }
    }
}
