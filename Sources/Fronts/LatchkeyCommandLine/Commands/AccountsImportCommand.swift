import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeyProvisioning
import LatchkeySystem
import LatchkeyTerminal

/// `accounts import`: runs an ``AccountImport`` and shows its progress and result.
struct AccountsImportCommand {
    static let spec = CommandSpec(
        words: ["accounts", "import"], summary: "Import accounts from a file",
        about:
            "Create an account from each row of FILE: JSON Lines, or CSV with a header; - is standard input. Latchkey"
            + " checks every row first; one invalid row, and nothing is written. It then writes batches, each whole or not"
            + " at all: after an interruption, run it again with --on-conflict skip, or with update if it updates accounts.",
        more: [
            "Columns are the fields of the sign-up form, by key or flag, and id, password,",
            "password_hash, totp_secret, disabled, require_change, created_at, groups. Null and",
            "empty cells count as not given.",
        ],
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("format", value: "jsonl|csv", "File format, jsonl or csv [from the file's name]"),
            FlagSpec(
                "map", value: "COLUMN=FIELD",
                "Read FIELD from COLUMN of a CSV file, or ignore it (COLUMN=); repeatable",
                isRepeatable: true),
            FlagSpec(
                "on-conflict", value: "fail|skip|update", "For rows whose account exists: fail, skip or update [fail]"),
            FlagSpec("keep-going", "Import the valid rows even if others are invalid"),
            FlagSpec("dry-run", "Check everything and write nothing"),
            FlagSpec(
                "report", value: "FILE", "Write each row's outcome to FILE as JSON Lines, with no value but its name"),
            FlagSpec(
                "weak-as-reset", "Import rows with a hash too weak to use (DES, MD5, NT, {SSHA}) without a password"),
        ],
        hashesPasswords: true, readsForms: true,
        statuses: [.done, .data, .cannotCreate, .temporary, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts import people.csv --dry-run",
            "latchkey accounts import staff.csv --map Login=username --map E-mail=email --map Phone=",
            "latchkey accounts import people.jsonl --on-conflict skip --report verdicts.jsonl",
        ]
    ) { (context) async throws(ToolFailure) in
        try await AccountsImportCommand(context).perform()
    }

    private let context: CommandContext
    private let path: String
    /// The name of the file, for messages.
    private let name: String
    private let options: ImportOptions
    private let form: Form
    private let isDryRun: Bool
    private let reportPath: String?

    init(_ context: CommandContext) throws(ToolFailure) {
        self.context = context
        (path, name) = try context.rowFile()
        let invocation = context.invocation
        var options = ImportOptions(format: try RowFormat(invocation, path: path), jobs: Argon2Hasher.cores)
        if let flag = invocation.value("on-conflict") {
            guard let choice = flag.text.flatMap(ConflictChoice.init) else {
                let known = ConflictChoice.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badValue("--on-conflict", .choice(known: known))
            }
            options.onConflict = choice
        }
        options.skipsRefusedRows = invocation.has("keep-going")
        if invocation.has("weak-as-reset") { options.resetsPassword = UnsupportedScheme.isWeak }
        form = context.forms.form(for: .setup)
        options.mappings = try Self.mappings(invocation, options.format, form)
        self.options = options
        isDryRun = invocation.has("dry-run")
        if let flag = invocation.value("report") {
            guard let path = flag.path else { throw .badValue("--report", .path) }
            reportPath = path
        } else {
            reportPath = nil
        }
    }

    /// The columns that `--map` assigns to fields.
    ///
    /// - Throws: status 64 for an unknown field, a column that is mapped twice, or a file that is not CSV.
    private static func mappings(
        _ invocation: Invocation, _ format: RowFormat, _ form: Form
    ) throws(ToolFailure) -> [ColumnMapping] {
        var mappings: [ColumnMapping] = []
        for value in invocation.values("map") {
            guard format == .csv else { throw .mapOnlyCsv }
            guard let mapping = value.text.flatMap({ ColumnMapping($0, form) }),
                !mappings.contains(where: { $0.name == mapping.name })
            else { throw .badValue("--map", .mapping(known: ColumnMapping.known(form))) }
            mappings.append(mapping)
        }
        return mappings
    }

    func perform() async throws(ToolFailure) -> CommandResult {
        let location = try context.storeLocation(mayBeMissing: true)
        let file = try rereadable(InputFiles.openOrStandardInput(path, context), location)
        // Before the process exits, a temporary file must be removed and a batch must be completed.
        SignalNotice.watchInterruptions()
        let draft: OutputFile? =
            if let reportPath { try OutputFile(reportPath, sparing: location.needed + [path]) } else { nil }
        let report = ImportReport(context, named: name, form, options.onConflict, to: draft, at: reportPath)
        let sentence: String
        do throws(ToolFailure) {
            sentence = try await perform(file, report, location)
        } catch {
            report.showNotes()
            try? report.publish()
            throw error
        }
        report.showNotes()
        try report.publish()
        return .sentence(sentence, report.counts.values, json: report.counts.members + [("dry_run", .bool(isDryRun))])
    }

    /// - Returns: the code of the sentence with the counts.
    private func perform(
        _ file: RereadableFile, _ report: ImportReport, _ location: StoreLocation
    ) async throws(ToolFailure) -> String {
        var installation = try await Installation.openIfThere(context, writingMuch: true)
        let service =
            if let installation { installation.service } else { try Installation.serviceWithoutStore(context) }
        let hasStore = installation != nil
        let work = AccountImport(file, options, form, report: report.take) {
            SignalNotice.received == nil && report.failure == nil
        }
        let spool = { () throws(FileError) in try FileDraft(of: "import-spool", in: location.openFolder()) }
        let found = try await phase("progress.checking", total: nil, report, location) {
            () async throws(ProvisioningError) in
            try await work.check(with: service, hasStore: hasStore, spool: spool)
        }
        if found.rows == 0, report.counts.refused == 0 {
            context.output.note(context.messages.sentence("tool.import_empty", ["name": .text(name)]))
        }
        guard report.counts.refused == 0 || options.skipsRefusedRows else {
            throw .importRefused(report.counts, errors: report.errorList)
        }
        if isDryRun {
            try await phase("progress.checking", total: found.rows, report, location) {
                () async throws(ProvisioningError) in
                try await work.rehearse(found, with: service, hasStore: hasStore)
            }
            guard report.counts.refused == 0 else { throw .importRefusedDry(report.counts, errors: report.errorList) }
            return "tool.import_dry"
        }
        if found.importable > 0, installation == nil {
            installation = try await Installation.open(context, creating: true, writingMuch: true)
        }
        if found.importable > 0, let installation {
            try await phase("progress.importing", total: found.importable, report, location, isWriting: true) {
                () async throws(ProvisioningError) in
                try await work.write(found, with: installation.service, by: .thisUser)
            }
            await installation.service.deliverMessages()
        }
        guard report.counts.refused == 0 else { throw .importRefusedSome(report.counts, errors: report.errorList) }
        return "tool.imported"
    }

    /// Runs one phase of the import with a progress bar.
    private func phase<Result>(
        _ label: String, total: Int?, _ report: ImportReport, _ location: StoreLocation, isWriting: Bool = false,
        _ body: () async throws(ProvisioningError) -> Result
    ) async throws(ToolFailure) -> Result {
        let bar = context.progress(label, total: total)
        bar?.animate { SignalNotice.received != nil }
        report.bar = bar
        defer {
            bar?.finish(saying: nil)
            report.bar = nil
        }
        do throws(ProvisioningError) {
            return try await body()
        } catch .stopped {
            if let failure = report.failure { throw failure }
            try ToolFailure.throwInterruption { signal in
                isWriting
                    ? .importInterrupted(report.counts, by: signal)
                    : .importInterruptedEarly(report.counts, by: signal)
            }
            throw .internal
        } catch {
            let failure = failure(error, report, location)
            throw isWriting ? partial(failure, report) : failure
        }
    }

    private func failure(
        _ error: ProvisioningError, _ report: ImportReport, _ location: StoreLocation
    ) -> ToolFailure {
        switch error {
        case .fileChanged: .importChanged(name: name)
        case .overtaken: .importOvertaken(report.counts)
        case .unreadable(let error): .reading(name, error)
        case .spool(let error): ToolFailure(spooling: error, at: location)
        case .account(let error): ToolFailure(error, at: location)
        case .stopped: .internal
        }
    }

    /// The failure of an import after some batches were written. Shows the work that was completed.
    private func partial(_ failure: ToolFailure, _ report: ImportReport) -> ToolFailure {
        let counts = report.counts
        if !counts.isEmpty {
            context.output.problem(context.messages.sentence("tool.import_so_far", counts.values))
        }
        return .stopped(.rows(counts), failure)
    }

    private func rereadable(_ file: GivenFile, _ location: StoreLocation) throws(ToolFailure) -> RereadableFile {
        do throws(RereadableFile.Failure) {
            return try RereadableFile(file) { () throws(FileError) in try location.openFolder() }
        } catch {
            switch error {
            case .given(let error): throw .reading(name, error)
            case .spool(let error): throw ToolFailure(spooling: error, at: location)
            }
        }
    }
}

extension UnsupportedScheme {
    /// Whether a hash is too weak to use, or is a plain-text password.
    @Sendable static func isWeak(_ hash: PasswordHash) -> Bool {
        switch UnsupportedScheme(of: hash) {
        case nil, .desCrypt, .bsdiCrypt, .md5Crypt, .sunMD5, .sha1Crypt, .nt, .ldap, .other: true
        case .noPassword, .sealed, .bcryptX, .argon2Version10, .malformed: false
        }
    }
}
