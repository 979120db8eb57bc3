import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

/// What has become of the rows: counted, told on stderr where one is refused, and with `--report` a line each in a file.
/// Neither has any value of a row.
final class ImportReport {
    private let context: CommandContext
    private let name: String
    private let form: Form
    private let file: OutputFile?
    private var waiting: [UInt8] = []

    private(set) var counts = ToolFailure.RowCounts()
    private var errors: [JSONValue] = []

    /// That `--json` has; the rest is in the report and on stderr.
    private static let maximumErrors = 1000
    private static let blockBytes = 65_536

    /// - Throws: status 73, 77 where the report cannot be made.
    init(
        _ context: CommandContext, _ options: ImportOptions, _ form: Form, besides location: StoreLocation
    ) throws(ToolFailure) {
        self.context = context
        self.form = form
        name = options.name
        file =
            if let path = options.report {
                try OutputFile(path, sparing: location.needed + [options.path])
            } else {
                nil
            }
    }

    /// Counts a row that was made or changed, or would have been.
    func take(_ verdict: ImportVerdict, line: Int) throws(ToolFailure) {
        switch verdict {
        case .created(let id): try write("created", id, line, &counts.created)
        case .updated(let id): try write("updated", id, line, &counts.updated)
        case .unchanged(let id): try write("unchanged", id, line, &counts.unchanged)
        case .skipped: try write("skipped", nil, line, &counts.skipped)
        }
    }

    /// Counts a row that would be taken, in a dry run.
    func take(_ standing: Standing, _ choice: ConflictChoice, at place: RowPlace) throws(ToolFailure) {
        switch standing {
        case .new: try write("create", nil, place.line, &counts.created)
        case .existing where choice == .skip: try write("skip", nil, place.line, &counts.skipped)
        case .existing: try write("update", nil, place.line, &counts.updated)
        case .refused(let field): try refuse([place.problem(RuleFailure(code: .taken, field: field))])
        }
    }

    /// - Parameter problems: of one row.
    func refuse(_ problems: [RowProblem]) throws(ToolFailure) {
        counts.refused += 1
        var told: [JSONValue] = []
        for problem in problems {
            let (line, json) = problem.told(of: name, in: form, context.messages)
            context.output.problem(line)
            told.append(json)
        }
        errors += told.prefix(max(Self.maximumErrors - errors.count, 0))
        let line = problems.first?.line ?? 0
        try write(
            .object([("line", .integer(line)), ("verdict", .string("refused")), ("errors", .array(told))]))
    }

    /// Puts the report in its place.
    func publish() throws(ToolFailure) {
        try flush()
        try file?.publish()
    }

    var errorList: JSONValue { .array(errors) }

    private func write(_ verdict: String, _ id: AccountID?, _ line: Int, _ count: inout Int) throws(ToolFailure) {
        count += 1
        guard file != nil else { return }
        var members: [(key: String, value: JSONValue)] = [("line", .integer(line)), ("verdict", .string(verdict))]
        if let id { members.append(("id", .string(id.text))) }
        try write(.object(members))
    }

    private func write(_ object: JSONValue) throws(ToolFailure) {
        guard file != nil else { return }
        waiting += Array(object.encoded.utf8) + [UInt8(ascii: "\n")]
        if waiting.count >= Self.blockBytes { try flush() }
    }

    private func flush() throws(ToolFailure) {
        let bytes = waiting
        try file?.append(bytes.span)
        waiting.removeAll(keepingCapacity: true)
    }
}
