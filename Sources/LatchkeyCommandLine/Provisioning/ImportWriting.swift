import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySystem
import LatchkeyTerminal

/// The second reading of an import: writes the good rows, a transaction for each batch. While one is written, the next is
/// read.
struct ImportWriting {
    let context: CommandContext
    let options: ImportOptions
    let form: Form
    let file: RereadableFile
    let report: ImportReport
    let installation: Installation

    /// Rows of the first batch. A batch takes longer to become durable the more rows there are in the store already, so
    /// that batches grow as long as they are quick; and one that has begun holds up whoever interrupts.
    private static let firstRows = 1000
    private static let maximumRows = 24_000
    private static let maximumBytes = 4 << 20
    private static let quick = Duration.milliseconds(400)
    /// Hashes in a batch, for each that is computed at once.
    private static let hashesPerJob = 8
    private static let jobs = Argon2Hasher.cores

    private struct Batch: Sendable {
        var rows: [CheckedAccount] = []
        var places: [RowPlace] = []
        var bytes = 0
        var hashes = 0
    }

    private struct Outcome: Sendable {
        let verdicts: Result<[ImportVerdict], AccountError>
        let duration: Duration
    }

    private var writer: Writer { Writer(service: installation.service, choice: options.choice) }

    private struct Writer: Sendable {
        let service: AccountService
        let choice: ConflictChoice

        func write(_ rows: [CheckedAccount]) async -> Outcome {
            let start = ContinuousClock.now
            do throws(AccountError) {
                let verdicts = try await service.importBatch(rows, choice, jobs: ImportWriting.jobs, by: .thisUser)
                return Outcome(verdicts: .success(verdicts), duration: start.duration(to: .now))
            } catch {
                return Outcome(verdicts: .failure(error), duration: start.duration(to: .now))
            }
        }
    }

    func perform(_ findings: ImportCheck.Findings) async throws(ToolFailure) {
        let bar = context.progress("progress.importing", total: findings.count)
        defer { bar?.finish(saying: nil) }
        var reader = RowReader(file, options, form, installation.service)
        guard try reader.readHeader() == nil else { throw changed }
        var skipping = RefusedLines(findings.refused)
        let writer = writer
        var limit = Self.firstRows
        var done = 0
        var next = try batch(from: &reader, &skipping, limit)
        while let current = next {
            try ToolFailure.throwInterruption { .importInterrupted(report.counts, by: $0) }
            async let written = writer.write(current.rows)
            let ahead = Result { () throws(ToolFailure) in try batch(from: &reader, &skipping, limit) }
            let outcome = await written
            try await settle(current, outcome)
            if outcome.duration < Self.quick { limit = min(limit * 2, Self.maximumRows) }
            done += current.rows.count
            bar?.update(done: done)
            next = try ahead.get()
        }
    }

    /// The next good rows; nil at the end.
    private func batch(
        from reader: inout RowReader, _ skipping: inout RefusedLines, _ limit: Int
    ) throws(ToolFailure) -> Batch? {
        var batch = Batch()
        while batch.rows.count < limit, batch.bytes < Self.maximumBytes, batch.hashes < Self.jobs * Self.hashesPerJob,
            let row = try reader.next()
        {
            if skipping.meets(reader.line) { continue }
            guard case .account(let account) = row else {
                // Told by the first reading; where that found nothing wrong, somebody has changed the file.
                guard options.keepsGoing else { throw changed }
                continue
            }
            batch.rows.append(account)
            batch.places.append(reader.place)
            batch.bytes += reader.byteCount
            if account.needsHashing { batch.hashes += 1 }
        }
        return batch.rows.isEmpty ? nil : batch
    }

    /// Takes note of what has become of a batch. One that another process has come in the way of is written again without
    /// the rows that it has made impossible.
    private func settle(_ written: Batch, _ first: Outcome) async throws(ToolFailure) {
        var (batch, outcome) = (written, first)
        while true {
            switch outcome.verdicts {
            case .success(let verdicts):
                if verdicts.contains(where: \.isChange) { context.tellAdministered() }
                for (verdict, place) in zip(verdicts, batch.places) { try report.take(verdict, line: place.line) }
                return
            case .failure(.taken):
                batch = try await withoutConflicts(batch)
                outcome = await writer.write(batch.rows)
            case .failure(let error): throw stopped(installation.failure(error))
            }
        }
    }

    private func withoutConflicts(_ batch: Batch) async throws(ToolFailure) -> Batch {
        let standings = try await installation.asking { (service) async throws(AccountError) in
            try await service.standings(of: batch.rows, options.choice)
        }
        var rest = Batch()
        for (row, standing) in standings.enumerated() {
            let place = batch.places[row]
            guard case .refused(let field) = standing else {
                rest.rows.append(batch.rows[row])
                rest.places.append(place)
                continue
            }
            try report.refuse([place.problem(RuleFailure(code: .taken, field: field))])
        }
        guard options.keepsGoing, rest.rows.count < batch.rows.count else {
            throw stopped(.importOvertaken(report.counts))
        }
        return rest
    }

    private var changed: ToolFailure { stopped(.importChanged(name: options.name)) }

    /// The end before the end: what is done stays done, and is told.
    private func stopped(_ failure: ToolFailure) -> ToolFailure {
        let counts = report.counts
        if !counts.isEmpty {
            context.output.problem(context.messages.sentence("tool.import_so_far", counts.values))
        }
        return .stopped(.rows(counts), failure)
    }
}
