import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

/// `accounts import`: reads the file once to check every row, and where all are good once more to write them, a transaction
/// for each batch.
struct ImportRun {
    private let run: Run
    private let options: ImportOptions
    private let form: Form

    init(_ run: Run) throws(ToolFailure) {
        self.run = run
        options = try ImportOptions(run)
        form = run.forms.form(for: .setup)
    }

    func perform() async throws(ToolFailure) {
        let location = try StoreLocation(run.settings)
        let given =
            options.path == "-" ? try standardInput() : try GivenFiles.open(options.path, run.output, run.messages)
        let file: RereadableFile
        do throws(RereadableFile.Failure) {
            file = try RereadableFile(given) { () throws(FileError) in try location.openFolder() }
        } catch {
            switch error {
            case .given(let error): throw ToolFailure(reading: options.name, error)
            case .spool(let error): throw ToolFailure(spooling: error, at: location)
            }
        }
        // From here on there may be files that want to be removed, and soon a batch that wants to be finished.
        try await run.endingWell { () async throws(ToolFailure) in
            let report = try ImportReport(run, options, form, besides: location)
            do throws(ToolFailure) {
                try await perform(file, report, location)
            } catch {
                try? report.publish()
                throw error
            }
        }
    }

    private func perform(
        _ file: RereadableFile, _ report: ImportReport, _ location: StoreLocation
    ) async throws(ToolFailure) {
        var installation = try await Installation.openIfThere(run, writingMuch: true)
        let service = if let installation { installation.service } else { try Installation.serviceWithoutStore(run) }
        let check = ImportCheck(
            run: run, options: options, form: form, file: file, report: report, location: location, service: service,
            hasStore: installation != nil)
        let found = try await check.perform()
        if found.rows == 0, report.refused == 0 {
            run.output.note(run.messages.sentence("tool.import_empty", ["name": .text(options.name)]))
        }
        guard report.refused == 0 || options.keepsGoing else { throw refusal(report, "import_refused") }
        if options.isDryRun {
            try await check.rehearse(found)
            guard report.refused == 0 else { throw refusal(report, "import_refused_dry") }
            return try finish(report, "tool.import_dry")
        }
        if found.count > 0, installation == nil {
            installation = try await Installation.open(run, creating: true, writingMuch: true)
        }
        if found.count > 0, let installation {
            let writing = ImportWriting(
                run: run, options: options, form: form, file: file, report: report, installation: installation)
            try await writing.perform(found)
            await installation.service.deliverMessages()
        }
        guard report.refused == 0 else { throw refusal(report, "import_refused_some") }
        try finish(report, "tool.imported")
    }

    private func standardInput() throws(ToolFailure) -> GivenFile {
        do throws(FileError) {
            return try GivenFile(inherited: STDIN_FILENO)
        } catch {
            throw ToolFailure(reading: options.name, error)
        }
    }

    private func finish(_ report: ImportReport, _ code: String) throws(ToolFailure) {
        try report.publish()
        guard run.output.json else { return try run.output.result(run.messages.sentence(code, report.values)) }
        try run.output.success(report.members + [("dry_run", .bool(options.isDryRun))])
    }

    /// That rows were refused, which have been told one by one.
    private func refusal(_ report: ImportReport, _ code: String) -> ToolFailure {
        var failure = ToolFailure(.data, code, report.values)
        failure.members = report.members + [report.errorMember]
        return failure
    }
}

extension ToolFailure {
    /// What came through a pipe and cannot be kept until it has been read twice.
    init(spooling error: FileError, at location: StoreLocation) {
        switch error {
        case .notFound: self.init(.noInput, "store_folder_missing", ["path": .text(location.path)])
        default: self.init(.store(StoreError(error, at: location.folder, orElse: .missing)), at: location)
        }
    }
}
