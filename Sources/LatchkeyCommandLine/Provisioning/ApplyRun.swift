import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySystem
import LatchkeyTerminal

/// `accounts apply`: finds out what the store lacks to be as a file says, and does that.
struct ApplyRun {
    private let run: Run
    private let path: String
    private let name: String
    private let form: Form
    private let prunes: Bool
    private let isDryRun: Bool

    /// In bytes: some 100,000 accounts. A larger file is an import's.
    private static let maximumBytes = 64 << 20

    init(_ run: Run) throws(ToolFailure) {
        self.run = run
        guard let path = run.invocation.operands.first?.path else {
            throw ToolFailure(.usage, "bad_path", ["name": .text("FILE")])
        }
        if path == "-", isatty(STDIN_FILENO) == 1 {
            throw ToolFailure(.usage, "secret_from_terminal", ["flag": .text("FILE")])
        }
        self.path = path
        name = path == "-" ? run.messages.sentence("tool.standard_input") : path
        form = run.forms.form(for: .setup)
        prunes = run.invocation.has("prune")
        isDryRun = run.invocation.has("dry-run")
    }

    func perform() async throws(ToolFailure) {
        let asks = prunes && !isDryRun && !run.invocation.has("yes")
        let terminal = asks ? Terminal(run) : nil
        if asks, terminal == nil { throw ToolFailure(.usage, "yes_needed") }
        let text = try text()
        try await run.endingWell { () async throws(ToolFailure) in try await perform(text, asking: terminal) }
    }

    private func perform(_ text: [UInt8], asking terminal: Terminal?) async throws(ToolFailure) {
        var installation = try await Installation.openIfThere(run)
        let plan = try await plan(text, installation)
        if let terminal, plan.deletionCount > 0 { try await confirm(plan.deletionCount, in: terminal) }
        let total = plan.changes.count
        guard !isDryRun, !plan.isEmpty else {
            try tell(plan.changes)
            return try finish(total)
        }
        if installation == nil { installation = try await Installation.open(run, creating: true) }
        guard let installation else { throw ToolFailure(.software, "internal") }
        try await carryOut(plan, total, installation)
        try finish(total)
    }

    /// Each change is told when it is done; after a signal, none is begun.
    private func carryOut(
        _ plan: DesiredPlan, _ total: Int, _ installation: Installation
    ) async throws(ToolFailure) {
        try ToolFailure.throwInterruption("apply_interrupted_early")
        let bar = run.progress("progress.applying", total: total)
        defer { bar?.finish(saying: nil) }
        var done = 0
        var unwritten: ToolFailure?
        var interruption: ToolFailure?
        var values: [String: RuleFailure.Value] { ["done": .integer(done), "total": .integer(total)] }
        do throws(ToolFailure) {
            try await installation.asking(about: form) { (service) async throws(AccountError) in
                try await service.carryOut(plan, jobs: Argon2Hasher.cores, by: .thisUser) { changes in
                    done += changes.count
                    run.tellAdministered()
                    bar?.makeRoom()
                    do throws(ToolFailure) { try tell(changes) } catch { unwritten = error }
                    bar?.update(done: done)
                    guard done < total else { return true }
                    do throws(ToolFailure) {
                        try ToolFailure.throwInterruption(
                            "apply_interrupted", values, [("changes", .integer(done))])
                        return true
                    } catch {
                        interruption = error
                        return false
                    }
                }
            }
        } catch {
            bar?.finish(saying: nil)
            var failure = error
            if done > 0 { run.output.problem(run.messages.sentence("tool.apply_so_far", values)) }
            failure.isMidway = done > 0
            failure.members.append(("changes", .integer(done)))
            throw failure
        }
        if let failure = interruption ?? unwritten { throw failure }
    }

    private func text() throws(ToolFailure) -> [UInt8] {
        let bytes: [UInt8]
        if path == "-" {
            do throws(FileError) {
                bytes = try GivenFiles.bytes(GivenFile(inherited: STDIN_FILENO), limit: Self.maximumBytes)
            } catch {
                throw ToolFailure(reading: name, error)
            }
        } else {
            let file = try GivenFiles.open(path, run.output, run.messages)
            do throws(FileError) { bytes = try GivenFiles.bytes(file, limit: Self.maximumBytes) } catch {
                throw ToolFailure(reading: name, error)
            }
        }
        guard bytes.count <= Self.maximumBytes else {
            let values: [String: RuleFailure.Value] = [
                "name": .text(name), "maximum": .integer(Self.maximumBytes >> 20),
            ]
            throw ToolFailure(.data, "apply_too_large", values)
        }
        // What some editors put before a text, and what no JSON may have, is passed over as in an import.
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    // MARK: The plan

    private func plan(_ text: [UInt8], _ installation: Installation?) async throws(ToolFailure) -> DesiredPlan {
        let service = if let installation { installation.service } else { try Installation.serviceWithoutStore(run) }
        var desired = DesiredRows(run, form, of: FilePlace(path), service, hasStore: installation != nil)
        try await desired.read(text)
        guard desired.problems.isEmpty else { throw refusal(desired.problems) }
        let rows = desired.rows.map(\.account)
        guard let installation else { return DesiredPlan(making: rows) }
        // A password is verified, which takes its time.
        let bar = run.progress("progress.checking", total: rows.count)
        defer { bar?.finish(saying: nil) }
        let planning = try await installation.asking { (service) async throws(AccountError) in
            try await service.plan(rows, pruning: prunes) { looked in
                bar?.update(done: looked)
                return SignalNotice.received == nil
            }
        }
        try ToolFailure.throwInterruption("apply_interrupted_early")
        switch planning {
        case .plan(let plan): return plan
        case .ended: throw ToolFailure(.software, "internal")
        case .taken(let taken):
            throw refusal(
                taken.map { row, field in
                    [desired.rows[row].place.problem(RuleFailure(code: .taken, field: field))]
                })
        }
    }

    /// That accounts of the file were refused, each of which is told.
    private func refusal(_ problems: [[RowProblem]]) -> ToolFailure {
        let told = problems.joined().map { $0.told(of: name, in: form, run.messages) }
        for problem in told { run.output.problem(problem.line) }
        var failure = ToolFailure(.data, "apply_refused", ["refused": .integer(problems.count)])
        failure.members = [("errors", .array(told.map(\.json)))]
        return failure
    }

    private func confirm(_ count: Int, in terminal: Terminal) async throws(ToolFailure) {
        let title = run.messages.sentence("menu.prune", ["count": .integer(count), "name": .text(name)])
        let options = ["menu.prune_keep", "menu.prune_remove"].map { run.messages.sentence($0) }
        guard await terminal.choose(title, options) == 1 else { throw ToolFailure(.no, "cancelled") }
    }

    // MARK: What is told

    private func tell(_ changes: [DesiredChange]) throws(ToolFailure) {
        for change in changes {
            guard !run.output.json else {
                var members: [(key: String, value: JSONValue)] = [
                    ("change", .string(change.action.rawValue)), ("username", .string(change.username)),
                ]
                if !change.fields.isEmpty {
                    members.append(("fields", .array(change.fields.map { .string($0.rawValue) })))
                }
                try run.output.result(.object(members))
                continue
            }
            let fields = change.fields.map { form.field($0)?.flag ?? $0.rawValue }.joined(separator: ", ")
            let line = change.action.rawValue + " " + change.username
            try run.output.result(fields.isEmpty ? line : line + ": " + fields)
        }
    }

    private func finish(_ count: Int) throws(ToolFailure) {
        if run.output.json {
            try run.output.success([("changes", .integer(count)), ("dry_run", .bool(isDryRun))])
        } else if count == 0 {
            try run.output.result(run.messages.sentence("tool.no_changes"))
        }
    }
}
