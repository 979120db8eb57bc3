import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeyProvisioning
import LatchkeySecrets
import LatchkeySystem
import LatchkeyTerminal

/// `accounts apply`: brings the store into the state that a file describes.
struct AccountsApplyCommand {
    static let spec = CommandSpec(
        words: ["accounts", "apply"], summary: "Apply a desired state",
        about:
            "Create, update, enable and disable accounts until they are as FILE describes, and print each change, or: no"
            + " changes. FILE is one JSON object, {\"accounts\":[{…}]}; - is standard input. An account is found by id,"
            + " else by username, else by address; fields that are not given stay unchanged. Latchkey checks everything before it writes.",
        more: [
            "Keys are those of accounts import, except password. Credentials are",
            "password_hash, a first password that is left alone once its owner has logged",
            "in, or password_file, the path of a file (relative to FILE's folder) whose",
            "first line is the password, which is set if it is not the current one.",
            "require_change goes with them. groups is an array of the names of all groups of",
            "the account; the groups must exist. A list \"groups\":[{\"name\":…,\"title\":…}]",
            "next to \"accounts\" creates groups. Groups are never deleted.",
        ],
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("dry-run", "Print the changes and write nothing"),
            FlagSpec("prune", "Delete accounts that FILE does not name; asks in a terminal, otherwise needs --yes"),
            FlagSpec("yes", "Do not ask for confirmation"),
        ],
        hashesPasswords: true, readsForms: true,
        statuses: [.done, .no, .data, .temporary, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts apply accounts.json --dry-run", "latchkey accounts apply accounts.json --prune --yes",
        ]
    ) { (context) async throws(ToolFailure) in
        try await AccountsApplyCommand(context).perform()
    }

    private let context: CommandContext
    private let path: String
    private let name: String
    private let form: Form
    private let prunes: Bool
    private let isDryRun: Bool

    /// The maximum size of the file in bytes: about 100,000 accounts. Use `accounts import` for larger files.
    private static let maximumBytes = 64 << 20

    init(_ context: CommandContext) throws(ToolFailure) {
        self.context = context
        (path, name) = try context.rowFile()
        form = context.forms.form(for: .setup)
        prunes = context.invocation.has("prune")
        isDryRun = context.invocation.has("dry-run")
    }

    func perform() async throws(ToolFailure) -> CommandResult {
        let asks = prunes && !isDryRun && !context.invocation.has("yes")
        let terminal = asks ? Terminal(context) : nil
        if asks, terminal == nil { throw .yesNeeded }
        let text = try text()
        SignalNotice.watchInterruptions()
        let total = try await perform(text, asking: terminal)
        return .lines(
            // With `--quiet` it prints nothing, because cron mails every line.
            total == 0 && !context.output.quiet ? [context.messages.sentence("tool.no_changes")] : [],
            json: [("changes", .integer(total)), ("dry_run", .bool(isDryRun))])
    }

    /// - Returns: the number of changes.
    private func perform(_ text: [UInt8], asking terminal: Terminal?) async throws(ToolFailure) -> Int {
        var installation = try await Installation.openIfThere(context)
        let plan = try await plan(text, installation)
        if let terminal, plan.deletionCount > 0 { try await confirm(plan.deletionCount, in: terminal) }
        let total = plan.changes.count
        guard !isDryRun, !plan.isEmpty else {
            try show(plan.changes)
            return total
        }
        if installation == nil { installation = try await Installation.open(context, creating: true) }
        guard let installation else { throw .internal }
        try await carryOut(plan, total, installation)
        return total
    }

    /// Shows each change when it is durable. Stops after a signal.
    private func carryOut(
        _ plan: DesiredPlan, _ total: Int, _ installation: Installation
    ) async throws(ToolFailure) {
        try ToolFailure.throwInterruption { .applyInterruptedEarly(by: $0) }
        let bar = context.progress("progress.applying", total: total)
        bar?.animate { SignalNotice.received != nil }
        defer { bar?.finish(saying: nil) }
        var done = 0
        var unwritten: ToolFailure?
        var interruption: ToolFailure?
        do throws(ToolFailure) {
            try await installation.asking(about: form) { (service) async throws(AccountError) in
                try await service.carryOut(plan, jobs: Argon2Hasher.cores, by: .thisUser) { changes in
                    done += changes.count
                    context.tellAdministered()
                    let write = { do throws(ToolFailure) { try show(changes) } catch { unwritten = error } }
                    if let bar { bar.makeRoom(for: write) } else { write() }
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
        let file = try InputFiles.openOrStandardInput(path, context)
        do throws(FileError) { bytes = try InputFiles.bytes(file, limit: Self.maximumBytes) } catch {
            throw .reading(name, error)
        }
        guard bytes.count <= Self.maximumBytes else {
            throw .applyTooLarge(name: name, maximum: Self.maximumBytes >> 20)
        }
        // Some editors add a byte order mark at the start. An import skips it too.
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    // MARK: The plan

    private func plan(_ text: [UInt8], _ installation: Installation?) async throws(ToolFailure) -> DesiredPlan {
        let service =
            if let installation { installation.service } else { try Installation.serviceWithoutStore(context) }
        let desired = try await desiredRows(text, service, installation)
        switch try await planning(desired.rows.map(\.account), desired.groups, installation) {
        case .plan(let plan): return plan
        case .stopped: throw .internal
        case .refused(let refused): throw refusal(refused.map { row, failure in [desired.rows[row].problem(failure)] })
        }
    }

    private func planning(
        _ rows: [CheckedAccount], _ groups: [DesiredGroup], _ installation: Installation?
    ) async throws(ToolFailure) -> DesiredPlanning {
        guard let installation else { return DesiredPlanning(creating: rows, groups: groups) }
        // Verifying plain passwords takes time.
        let bar = context.progress("progress.checking", total: rows.count)
        defer { bar?.finish(saying: nil) }
        let planning = try await installation.asking { (service) async throws(AccountError) in
            try await service.plan(rows, groups: groups, pruning: prunes) { looked in
                bar?.update(done: looked)
                return SignalNotice.received == nil
            }
        }
        try ToolFailure.throwInterruption { .applyInterruptedEarly(by: $0) }
        return planning
    }

    private func desiredRows(
        _ text: [UInt8], _ service: AccountService, _ installation: Installation?
    ) async throws(ToolFailure) -> (groups: [DesiredGroup], rows: [AccountRow]) {
        // Paths in the file are relative to its folder.
        let place = FilePlace(path)
        var unreadable: ToolFailure?
        var reader = DesiredStateReader(form, service, hasStore: installation != nil) { path, maximumBytes in
            do throws(ToolFailure) {
                let name = place.path(of: path)
                var lines = SecretLines(try InputFiles.open(name, context.output, context.messages), named: name)
                return try lines.line(maximumBytes: maximumBytes, flag: name)
            } catch {
                unreadable = error
                return nil
            }
        }
        do throws(ProvisioningError) {
            try await reader.read(text) { SignalNotice.received == nil }
        } catch {
            if let unreadable { throw unreadable }
            try ToolFailure.throwInterruption { .applyInterruptedEarly(by: $0) }
            if case .account(let error) = error { throw installation?.failure(error) ?? ToolFailure(error) }
            throw .internal
        }
        guard reader.problems.isEmpty else { throw refusal(reader.problems) }
        return (reader.groups, reader.rows)
    }

    /// Shows the refused rows and returns the failure for the file.
    private func refusal(_ problems: [[RowProblem]]) -> ToolFailure {
        let shown = problems.joined().map { $0.shown(for: name, in: form, context.messages, row: "tool.apply_row") }
        for problem in shown { context.output.problem(problem.line) }
        return .applyRefused(refused: problems.count, errors: .array(shown.map(\.json)))
    }

    private func confirm(_ count: Int, in terminal: Terminal) async throws(ToolFailure) {
        let title = context.messages.sentence("menu.prune", ["count": .integer(count), "name": .text(name)])
        let options = ["menu.prune_keep", "menu.prune_remove"].map { context.messages.sentence($0) }
        guard await terminal.choose(title, options) == 1 else { throw .cancelled(isShown: false) }
    }

    // MARK: Output

    private func show(_ changes: [DesiredChange]) throws(ToolFailure) {
        for change in changes {
            var members: CommandResult.Members = [
                ("change", .string(change.action.rawValue)),
                (change.action == .createGroup ? "group" : "username", .string(change.name)),
            ]
            if !change.fields.isEmpty {
                members.append(("fields", .array(change.fields.map { .string($0.rawValue) })))
            }
            let fields = change.fields.map { form.field($0)?.flag ?? $0.rawValue }.joined(separator: ", ")
            let line = change.action.rawValue.replacing("_", with: " ") + " " + change.name
            try context.output.row(fields.isEmpty ? line : line + ": " + fields, json: .object(members))
        }
    }
}
