import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySystem
import LatchkeyTerminal

/// `accounts apply`: finds out what the store lacks to be as a file says, and does that.
struct ApplyRun {
    private let context: CommandContext
    private let path: String
    private let name: String
    private let form: Form
    private let prunes: Bool
    private let isDryRun: Bool

    /// In bytes: some 100,000 accounts. A larger file is an import's.
    private static let maximumBytes = 64 << 20

    init(_ context: CommandContext) throws(ToolFailure) {
        self.context = context
        guard let path = context.invocation.operands.first?.path else {
            throw .badPath(name: "FILE")
        }
        if path == "-", isatty(STDIN_FILENO) == 1 {
            throw .secretFromTerminal(flag: "FILE")
        }
        self.path = path
        name = path == "-" ? context.messages.sentence("tool.standard_input") : path
        form = context.forms.form(for: .setup)
        prunes = context.invocation.has("prune")
        isDryRun = context.invocation.has("dry-run")
    }

    func perform() async throws(ToolFailure) {
        let asks = prunes && !isDryRun && !context.invocation.has("yes")
        let terminal = asks ? Terminal(context) : nil
        if asks, terminal == nil { throw .yesNeeded }
        let text = try text()
        try await context.endingWell { () async throws(ToolFailure) in try await perform(text, asking: terminal) }
    }

    private func perform(_ text: [UInt8], asking terminal: Terminal?) async throws(ToolFailure) {
        var installation = try await Installation.openIfThere(context)
        let plan = try await plan(text, installation)
        if let terminal, plan.deletionCount > 0 { try await confirm(plan.deletionCount, in: terminal) }
        let total = plan.changes.count
        guard !isDryRun, !plan.isEmpty else {
            try tell(plan.changes)
            return try finish(total)
        }
        if installation == nil { installation = try await Installation.open(context, creating: true) }
        guard let installation else { throw .internal }
        try await carryOut(plan, total, installation)
        try finish(total)
    }

    /// Each change is told when it is done; after a signal, none is begun.
    private func carryOut(
        _ plan: DesiredPlan, _ total: Int, _ installation: Installation
    ) async throws(ToolFailure) {
        try ToolFailure.throwInterruption { .applyInterruptedEarly(by: $0) }
        let bar = context.progress("progress.applying", total: total)
        defer { bar?.finish(saying: nil) }
        var done = 0
        var unwritten: ToolFailure?
        var interruption: ToolFailure?
        do throws(ToolFailure) {
            try await installation.asking(about: form) { (service) async throws(AccountError) in
                try await service.carryOut(plan, jobs: Argon2Hasher.cores, by: .thisUser) { changes in
                    done += changes.count
                    context.tellAdministered()
                    bar?.makeRoom()
                    do throws(ToolFailure) { try tell(changes) } catch { unwritten = error }
                    bar?.update(done: done)
                    guard done < total else { return true }
                    do throws(ToolFailure) {
                        try ToolFailure.throwInterruption { .applyInterrupted(done: done, total: total, by: $0) }
                        return true
                    } catch {
                        interruption = error
                        return false
                    }
                }
            }
        } catch {
            bar?.finish(saying: nil)
            let values: [String: RuleFailure.Value] = ["done": .integer(done), "total": .integer(total)]
            if done > 0 { context.output.problem(context.messages.sentence("tool.apply_so_far", values)) }
            throw .stopped(.changes(done), error)
        }
        if let failure = interruption ?? unwritten { throw failure }
    }

    private func text() throws(ToolFailure) -> [UInt8] {
        let bytes: [UInt8]
        if path == "-" {
            do throws(FileError) {
                bytes = try InputFiles.bytes(GivenFile(inherited: STDIN_FILENO), limit: Self.maximumBytes)
            } catch {
                throw .reading(name, error)
            }
        } else {
            let file = try InputFiles.open(path, context.output, context.messages)
            do throws(FileError) { bytes = try InputFiles.bytes(file, limit: Self.maximumBytes) } catch {
                throw .reading(name, error)
            }
        }
        guard bytes.count <= Self.maximumBytes else {
            throw .applyTooLarge(name: name, maximum: Self.maximumBytes >> 20)
        }
        // What some editors put before a text, and what no JSON may have, is passed over as in an import.
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    // MARK: The plan

    private func plan(_ text: [UInt8], _ installation: Installation?) async throws(ToolFailure) -> DesiredPlan {
        let service =
            if let installation { installation.service } else { try Installation.serviceWithoutStore(context) }
        var desired = DesiredRows(context, form, of: FilePlace(path), service, hasStore: installation != nil)
        try await desired.read(text)
        guard desired.problems.isEmpty else { throw refusal(desired.problems) }
        let rows = desired.rows.map(\.account)
        guard let installation else { return DesiredPlan(making: rows) }
        // A password is verified, which takes its time.
        let bar = context.progress("progress.checking", total: rows.count)
        defer { bar?.finish(saying: nil) }
        let planning = try await installation.asking { (service) async throws(AccountError) in
            try await service.plan(rows, pruning: prunes) { looked in
                bar?.update(done: looked)
                return SignalNotice.received == nil
            }
        }
        try ToolFailure.throwInterruption { .applyInterruptedEarly(by: $0) }
        switch planning {
        case .plan(let plan): return plan
        case .ended: throw .internal
        case .taken(let taken):
            throw refusal(
                taken.map { row, field in
                    [desired.rows[row].place.problem(RuleFailure(code: .taken, field: field))]
                })
        }
    }

    /// That accounts of the file were refused, each of which is told.
    private func refusal(_ problems: [[RowProblem]]) -> ToolFailure {
        let told = problems.joined().map { $0.told(of: name, in: form, context.messages) }
        for problem in told { context.output.problem(problem.line) }
        return .applyRefused(refused: problems.count, errors: .array(told.map(\.json)))
    }

    private func confirm(_ count: Int, in terminal: Terminal) async throws(ToolFailure) {
        let title = context.messages.sentence("menu.prune", ["count": .integer(count), "name": .text(name)])
        let options = ["menu.prune_keep", "menu.prune_remove"].map { context.messages.sentence($0) }
        guard await terminal.choose(title, options) == 1 else { throw .cancelled(isShown: false) }
    }

    // MARK: What is told

    private func tell(_ changes: [DesiredChange]) throws(ToolFailure) {
        for change in changes {
            guard !context.output.json else {
                var members: [(key: String, value: JSONValue)] = [
                    ("change", .string(change.action.rawValue)), ("username", .string(change.username)),
                ]
                if !change.fields.isEmpty {
                    members.append(("fields", .array(change.fields.map { .string($0.rawValue) })))
                }
                try context.output.result(.object(members))
                continue
            }
            let fields = change.fields.map { form.field($0)?.flag ?? $0.rawValue }.joined(separator: ", ")
            let line = change.action.rawValue + " " + change.username
            try context.output.result(fields.isEmpty ? line : line + ": " + fields)
        }
    }

    private func finish(_ count: Int) throws(ToolFailure) {
        if context.output.json {
            try context.output.success([("changes", .integer(count)), ("dry_run", .bool(isDryRun))])
        } else if count == 0 {
            try context.output.result(context.messages.sentence("tool.no_changes"))
        }
    }
}
