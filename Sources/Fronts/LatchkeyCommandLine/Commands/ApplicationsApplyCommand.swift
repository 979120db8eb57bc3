import LatchkeyAccounts
import LatchkeyForms

/// `applications apply`: brings the applications into the state that a file describes.
struct ApplicationsApplyCommand {
    static let spec = CommandSpec(
        words: ["applications", "apply"], summary: "Apply a file with applications",
        about:
            "Create and change applications until they are as FILE describes, and print each change, or: no changes. FILE"
            + " is one JSON object, {\"applications\":[{…}]}; - is standard input. A setting that an application does not"
            + " have gets its default. Latchkey checks everything before it writes.",
        more: [
            "Keys are client_id, secret_file, disabled, and the settings that applications",
            "show prints with --json. secret_file is the path of a file (relative to FILE's",
            "folder) with the secret in its first line. A new application needs it, unless",
            "it is public. Without it, an application keeps its secrets. Without disabled,",
            "it keeps its state.",
        ],
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("dry-run", "Print the changes and write nothing"),
            FlagSpec("prune", "Remove applications that FILE does not name; asks in a terminal, otherwise needs --yes"),
            FlagSpec("yes", "Do not ask for confirmation"),
        ], readsForms: true, isOfService: true, statuses: [.done, .no, .data] + ExitStatus.ofStores,
        examples: [
            "latchkey applications apply applications.json --dry-run",
            "latchkey applications apply applications.json --prune --yes",
        ]
    ) { (context) async throws(ToolFailure) in
        try await ApplicationsApplyCommand(context).perform()
    }

    private let context: CommandContext
    private let parts: OpenIDParts
    private let file: ApplicationsFile

    private init(_ context: CommandContext) throws(ToolFailure) {
        self.context = context
        parts = try context.openIDParts()
        file = try ApplicationsFile(context)
    }

    private func perform() async throws(ToolFailure) -> CommandResult {
        let isDryRun = context.invocation.has("dry-run")
        let prunes = context.invocation.has("prune")
        let asks = prunes && !isDryRun && !context.invocation.has("yes")
        let terminal = asks ? Terminal(context) : nil
        if asks, terminal == nil { throw .yesNeeded }
        let installation = try await Installation.open(context, creating: !isDryRun)
        let stored = try await installation.asking { (service) async throws(AccountError) in try await service.clients()
        }
        let desired = try file.applications(over: stored)
        func apply(dryRun: Bool) async throws(ToolFailure) -> [ClientChange] {
            try await installation.asking { (service) async throws(AccountError) in
                try await service.apply(desired, pruning: prunes, isDryRun: dryRun, by: .thisUser)
            }
        }
        if let terminal {
            let removed = try await apply(dryRun: true).filter { $0.action == .remove }.map(\.id)
            if !removed.isEmpty { try await confirm(removed, in: terminal) }
        }
        let changes = try await apply(dryRun: isDryRun)
        for change in changes {
            let line = change.action.rawValue + " " + change.id
            try context.output.row(
                change.keys.isEmpty ? line : line + ": " + change.keys.joined(separator: ", "),
                json: .object([
                    ("change", .string(change.action.rawValue)), ("client_id", .string(change.id)),
                    ("keys", .array(change.keys.map { .string($0) })),
                ]))
        }
        if !changes.isEmpty, !isDryRun { context.tellAdministered() }
        for client in desired { try await installation.noteUnknownGroups(parts.groups(client.settings), of: client.id) }
        return .lines(
            changes.isEmpty && !context.output.quiet ? [context.messages.sentence("tool.no_changes")] : [],
            json: [("changes", .integer(changes.count)), ("dry_run", .bool(isDryRun))])
    }

    private func confirm(_ removed: [String], in terminal: Terminal) async throws(ToolFailure) {
        let title = context.messages.sentence(
            "menu.prune_applications", ["names": .text(removed.joined(separator: ", ")), "file": .text(file.name)])
        let options = ["menu.prune_keep", "menu.prune_remove"].map { context.messages.sentence($0) }
        guard await terminal.choose(title, options) == 1 else { throw .cancelled(isShown: false) }
    }
}
