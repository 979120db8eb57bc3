import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

/// `accounts import`: reads the file once to check every row, and where all are good once more to write them, a transaction
/// for each batch.
struct ImportRun {
    private let context: CommandContext
    private let options: ImportOptions
    private let form: Form

    init(_ context: CommandContext) throws(ToolFailure) {
        self.context = context
        options = try ImportOptions(context)
        form = context.forms.form(for: .setup)
    }

    func perform() async throws(ToolFailure) {
        let location = try StoreLocation(context.settings)
        let given =
            options.path == "-"
            ? try standardInput() : try InputFiles.open(options.path, context.output, context.messages)
        let file: RereadableFile
        do throws(RereadableFile.Failure) {
            file = try RereadableFile(given) { () throws(FileError) in try location.openFolder() }
        } catch {
            switch error {
            case .given(let error): throw .reading(options.name, error)
            case .spool(let error): throw ToolFailure(spooling: error, at: location)
            }
        }
        // From here on there may be files that want to be removed, and soon a batch that wants to be finished.
        try await context.endingWell { () async throws(ToolFailure) in
            let report = try ImportReport(context, options, form, besides: location)
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
        var installation = try await Installation.openIfThere(context, writingMuch: true)
        let service =
            if let installation { installation.service } else { try Installation.serviceWithoutStore(context) }
        let check = ImportCheck(
            context: context, options: options, form: form, file: file, report: report, location: location,
            service: service,
            hasStore: installation != nil)
        let found = try await check.perform()
        if found.rows == 0, report.counts.refused == 0 {
            context.output.note(context.messages.sentence("tool.import_empty", ["name": .text(options.name)]))
        }
        guard report.counts.refused == 0 || options.keepsGoing else {
            throw .importRefused(report.counts, errors: report.errorList)
        }
        if options.isDryRun {
            try await check.rehearse(found)
            guard report.counts.refused == 0 else { throw .importRefusedDry(report.counts, errors: report.errorList) }
            return try finish(report, "tool.import_dry")
        }
        if found.count > 0, installation == nil {
            installation = try await Installation.open(context, creating: true, writingMuch: true)
        }
        if found.count > 0, let installation {
            let writing = ImportWriting(
                context: context, options: options, form: form, file: file, report: report, installation: installation)
            try await writing.perform(found)
            await installation.service.deliverMessages()
        }
        guard report.counts.refused == 0 else { throw .importRefusedSome(report.counts, errors: report.errorList) }
        try finish(report, "tool.imported")
    }

    private func standardInput() throws(ToolFailure) -> GivenFile {
        do throws(FileError) {
            return try GivenFile(inherited: STDIN_FILENO)
        } catch {
            throw .reading(options.name, error)
        }
    }

    private func finish(_ report: ImportReport, _ code: String) throws(ToolFailure) {
        try report.publish()
        guard context.output.json else {
            return try context.output.result(context.messages.sentence(code, report.counts.values))
        }
        try context.output.success(report.counts.members + [("dry_run", .bool(options.isDryRun))])
    }
}
