import LatchkeyAccounts
import LatchkeyForms
import LatchkeyProvisioning
import LatchkeySystem
import LatchkeyTerminal

/// Counts the rows of an import, shows refused rows on standard error and writes the `--report` file. The file has one
/// line per row and contains no values except usernames.
final class ImportReport {
    private let context: CommandContext
    private let name: String
    private let form: Form
    private let choice: ConflictChoice
    private let file: OutputFile?
    /// The path of `file` as the user gave it.
    private let path: String?
    private var waiting: [UInt8] = []
    /// The progress bar of the current phase.
    var bar: ProgressBar?
    /// The number of shown problems.
    private var shownProblems = 0
    /// The number of problems that were not shown, because the terminal already shows enough.
    private var hiddenProblems = 0

    private(set) var counts = ToolFailure.RowCounts()
    /// The number of rows that were refused because their account already exists.
    private var existing = 0
    /// The failure to write the report file; nil if there was none. After a failure, nothing more is written to it.
    private(set) var failure: ToolFailure?
    private var errors: [JSONValue] = []

    /// The maximum number of problems in `--json`. The report file contains all of them.
    private static let maximumErrors = 1000
    /// The maximum number of problems shown on a terminal. A file or pipe gets all of them.
    private static let maximumShown = 10
    private static let blockBytes = 65_536

    /// - Parameters:
    ///   - name: the name of the imported file in messages.
    ///   - file: the `--report` file, which is moved to `path` when it is complete.
    init(
        _ context: CommandContext, named name: String, _ form: Form, _ choice: ConflictChoice, to file: OutputFile?,
        at path: String?
    ) {
        self.context = context
        self.name = name
        self.form = form
        self.choice = choice
        if choice == .update { counts.choiceToContinue = .update }
        self.file = file
        self.path = path
    }

    /// Counts and shows the events of an import.
    func take(_ event: ImportEvent) {
        switch event {
        case .refused(let problems): refuse(problems)
        case .planned(let conflict, let line, let hasPassword):
            switch conflict {
            case .new:
                write("create", nil, line, &counts.created)
                if !hasPassword { counts.withoutPassword += 1 }
            case .existing where choice == .skip: write("skip", nil, line, &counts.skipped)
            case .existing, .taken, .unsafeName, .groups: write("update", nil, line, &counts.updated)
            }
        case .written(let rows):
            if rows.contains(where: \.verdict.isChange) { context.tellAdministered() }
            for (line, verdict, hasPassword) in rows {
                switch verdict {
                case .created(let id):
                    write("created", id, line, &counts.created)
                    if !hasPassword { counts.withoutPassword += 1 }
                case .updated(let id): write("updated", id, line, &counts.updated)
                case .unchanged(let id): write("unchanged", id, line, &counts.unchanged)
                case .skipped: write("skipped", nil, line, &counts.skipped)
                }
            }
        case .progress(let done): bar?.update(done: done)
        }
    }

    /// - Parameter problems: the problems of one row.
    private func refuse(_ problems: [RowProblem]) {
        counts.refused += 1
        if problems.contains(where: { $0.failure.code == .taken }) { existing += 1 }
        var shown: [JSONValue] = []
        for problem in problems {
            let (line, json) = problem.shown(for: name, in: form, context.messages)
            show(line)
            shown.append(json)
        }
        errors += shown.prefix(max(Self.maximumErrors - errors.count, 0))
        let line = problems.first?.line ?? 0
        write(.object([("line", .integer(line)), ("verdict", .string("refused")), ("errors", .array(shown))]))
    }

    private func show(_ problem: String) {
        guard shownProblems < Self.maximumShown || !context.output.showsProblemsOnTerminal else {
            hiddenProblems += 1
            return
        }
        shownProblems += 1
        guard let bar else { return context.output.problem(problem) }
        bar.makeRoom { context.output.problem(problem) }
    }

    /// Completes the report file and moves it to its path.
    func publish() throws(ToolFailure) {
        flush()
        if let failure { throw failure }
        try file?.publish()
    }

    /// Shows additional advice about accounts without a password, and about repeating an import.
    func showNotes() {
        if hiddenProblems > 0 {
            var values: [String: RuleFailure.Value] = ["count": .integer(hiddenProblems)]
            values["path"] = path.map { .text($0) }
            let code = path == nil ? "tool.import_hidden" : "tool.import_hidden_there"
            context.output.note(context.messages.sentence(code, values))
        }
        guard !context.output.json else { return }
        var notes: [(code: String, count: Int)] = []
        if choice == .fail { notes.append(("tool.import_existing", existing)) }
        notes.append(("tool.import_without_password", counts.withoutPassword))
        for (code, count) in notes where count > 0 {
            context.output.note(context.messages.sentence(code, ["count": .integer(count)]))
        }
    }

    /// The problems of refused rows for `--json`.
    var errorList: JSONValue { .array(errors) }

    private func write(_ verdict: String, _ id: AccountID?, _ line: Int, _ count: inout Int) {
        count += 1
        guard file != nil else { return }
        var members: [(key: String, value: JSONValue)] = [("line", .integer(line)), ("verdict", .string(verdict))]
        if let id { members.append(("id", .string(id.text))) }
        write(.object(members))
    }

    private func write(_ object: JSONValue) {
        guard file != nil, failure == nil else { return }
        waiting += Array(object.encoded.utf8) + [UInt8(ascii: "\n")]
        if waiting.count >= Self.blockBytes { flush() }
    }

    private func flush() {
        guard failure == nil else { return }
        let bytes = waiting
        do throws(ToolFailure) { try file?.append(bytes.span) } catch { failure = error }
        waiting.removeAll(keepingCapacity: true)
    }
}

extension RowProblem {
    /// The problem as a line for people and as an object for `--json`. Both contain no value of the row except the
    /// username.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - row: the code of the words for a whole row.
    func shown(
        for name: String, in form: Form, _ messages: MessageTable, row: String = "tool.import_row"
    ) -> (line: String, json: JSONValue) {
        var sentence = messages.sentence(for: failure, in: form)
        if failure.field == nil {
            var values = failure.values
            values["field"] = .text(messages.sentence(row))
            sentence = messages.sentence("rule." + failure.code.rawValue, values)
        }
        let place = name + ":\(line)" + (column.map { ":\($0)" } ?? "")
        let field = failure.field.map { $0.rawValue + ": " } ?? ""
        return (
            "\(place): \(field)\(failure.code.rawValue): \(sentence)" + (username.map { " (\($0))" } ?? ""),
            .object([
                ("line", .integer(line)), ("column", column.map { .integer($0) } ?? .null),
                ("field", failure.field.map { .string($0.rawValue) } ?? .null),
                ("username", username.map { .string($0) } ?? .null),
                ("code", .string(failure.code.rawValue)), ("message", .string(sentence)),
            ])
        )
    }
}
