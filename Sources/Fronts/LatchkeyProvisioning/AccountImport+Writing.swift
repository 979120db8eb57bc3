package import LatchkeyAccounts
import LatchkeySystem

extension AccountImport {
    /// The number of rows in the first batch. The more accounts the store has, the longer a batch takes to become
    /// durable, so batches only grow while they are quick. An interruption must wait for the current batch.
    private static let firstRows = 1000
    /// The maximum factor by which a batch may be larger than a quick one before it.
    private static let growth = 4
    private static let maximumRows = 48_000
    private static let maximumBytes = 8 << 20
    private static let quick = Duration.milliseconds(400)

    /// Writes the importable rows in batches, each in one transaction. During a write it reads the rows of the next
    /// batch, so that neither the reader nor the database waits for the other.
    ///
    /// - Throws: ``ProvisioningError``. Batches reported as written stay in the store.
    package func write(
        _ findings: Findings, with service: AccountService, by actor: AuditActor
    ) async throws(ProvisioningError) {
        var reader = RowReader(file, options, form, service)
        guard try reader.readHeader() == nil else { throw .fileChanged }
        var refused = RefusedLines(findings)
        let writer = BatchWriter(service: service, options: options, actor: actor)
        var next = try batch(from: &reader, &refused, Self.firstRows) { true }
        var limit = Self.firstRows * Self.growth
        var done = 0
        while !next.isEmpty {
            try stopIfAsked()
            let current = next
            let isWritten = Locked(false)
            async let written = writer.write(current, isWritten)
            let ahead = Result { () throws(ProvisioningError) in
                try batch(from: &reader, &refused, limit) { !isWritten.withLock(\.self) }
            }
            let outcome = await written
            try await settle(current, outcome, writer)
            if outcome.duration < Self.quick { limit = min(limit * Self.growth, Self.maximumRows) }
            done += current.count
            report(.progress(done))
            next = try ahead.get()
        }
    }

    /// The next importable rows; empty at the end.
    ///
    /// - Parameter goesOn: whether to read more than ``firstRows`` rows, up to `limit`.
    private func batch(
        from reader: inout RowReader, _ refused: inout RefusedLines, _ limit: Int, while goesOn: () -> Bool
    ) throws(ProvisioningError) -> [AccountRow] {
        var rows: [AccountRow] = []
        var (bytes, hashes) = (0, 0)
        while rows.count < Self.firstRows || (rows.count < limit && goesOn()), bytes < Self.maximumBytes,
            hashes < options.jobs * AccountService.hashesPerJob,
            let read = try reader.next()
        {
            guard case .valid(let row) = read else {
                // The check has already reported this row. If the check refused no row, another process has changed the
                // file.
                guard options.skipsRefusedRows else { throw .fileChanged }
                continue
            }
            if refused.contains(next: row) { continue }
            rows.append(row)
            bytes += row.byteCount
            if row.account.needsHashing { hashes += 1 }
        }
        return rows
    }

    /// Reports a batch. If another process took a value in the meantime, the batch was rolled back, and is written
    /// again without the rows that have become impossible.
    private func settle(
        _ written: [AccountRow], _ first: BatchWriter.Outcome, _ writer: BatchWriter
    ) async throws(ProvisioningError) {
        var (rows, outcome) = (written, first)
        while true {
            switch outcome.verdicts {
            case .success(let verdicts):
                return report(
                    .written(
                        zip(rows, verdicts).map { (line: $0.line, verdict: $1, hasPassword: $0.account.hasPassword) }))
            case .failure(.taken), .failure(.refused):
                rows = try await withoutConflicts(rows, writer.service)
                outcome = await writer.write(rows)
            case .failure(let error): throw .account(error)
            }
        }
    }

    private func withoutConflicts(
        _ rows: [AccountRow], _ service: AccountService
    ) async throws(ProvisioningError) -> [AccountRow] {
        var rest: [AccountRow] = []
        let conflicts = try await conflicts(of: rows, with: service)
        for (index, row) in rows.enumerated() {
            if let failure = conflicts[index]?.failure {
                refuse(row, failure)
            } else {
                rest.append(row)
            }
        }
        guard options.skipsRefusedRows, rest.count < rows.count else { throw .overtaken }
        return rest
    }
}

/// Writes one batch while the import reads the next.
private struct BatchWriter: Sendable {
    let service: AccountService
    let options: ImportOptions
    let actor: AuditActor

    struct Outcome: Sendable {
        let verdicts: Result<[ImportVerdict], AccountError>
        let duration: Duration
    }

    /// Writes the batch and sets `isWritten` at the end.
    func write(_ rows: [AccountRow], _ isWritten: Locked<Bool> = Locked(false)) async -> Outcome {
        defer { isWritten.withLock { $0 = true } }
        let start = ContinuousClock.now
        do throws(AccountError) {
            let verdicts = try await service.importBatch(
                rows.map(\.account), options.onConflict, jobs: options.jobs, by: actor)
            return Outcome(verdicts: .success(verdicts), duration: start.duration(to: .now))
        } catch {
            return Outcome(verdicts: .failure(error), duration: start.duration(to: .now))
        }
    }
}
