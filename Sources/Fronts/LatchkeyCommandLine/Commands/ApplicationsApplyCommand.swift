import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// `applications apply`: brings the applications into the state that a file describes.
struct ApplicationsApplyCommand {
    static let spec = CommandSpec(
        words: ["applications", "apply"], summary: "Apply a file with applications",
        about:
            "Create and change applications until they are as FILE describes, and print each change, or: no changes. FILE"
            + " is one JSON object, {\"applications\":[{…}]}; - is standard input. A setting that an application does not"
            + " have gets its default. Latchkey checks everything before it writes.",
        more: [
            "Keys are client_id, secret_file, and the settings that applications show",
            "prints with --json. secret_file is the path of a file (relative to FILE's",
            "folder) with the secret in its first line. A new application needs it, unless",
            "it is public. Without it, an application keeps its secrets.",
        ],
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("dry-run", "Print the changes and write nothing"),
            FlagSpec("prune", "Remove applications that FILE does not name; asks in a terminal, otherwise needs --yes"),
            FlagSpec("yes", "Do not ask for confirmation"),
        ], isOfService: true, statuses: [.done, .no, .data] + ExitStatus.ofStores,
        examples: [
            "latchkey applications apply applications.json --dry-run",
            "latchkey applications apply applications.json --prune --yes",
        ]
    ) { (context) async throws(ToolFailure) in
        try await ApplicationsApplyCommand(context).perform()
    }

    private let context: CommandContext
    private let parts: OpenIDParts
    private let path: String
    private let name: String

    /// The maximum size of the file in bytes.
    private static let maximumBytes = 4 << 20

    private init(_ context: CommandContext) throws(ToolFailure) {
        self.context = context
        parts = try context.openIDParts()
        (path, name) = try context.rowFile()
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
        let desired = try read(stored)
        func apply(dryRun: Bool) async throws(ToolFailure) -> [ClientChange] {
            try await installation.asking { (service) async throws(AccountError) in
                try await service.apply(desired, pruning: prunes, isDryRun: dryRun, by: .thisUser)
            }
        }
        if let terminal {
            let count = try await apply(dryRun: true).count { $0.action == .remove }
            if count > 0 { try await confirm(count, in: terminal) }
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
        return .lines(
            changes.isEmpty && !context.output.quiet ? [context.messages.sentence("tool.no_changes")] : [],
            json: [("changes", .integer(changes.count)), ("dry_run", .bool(isDryRun))])
    }

    private func confirm(_ count: Int, in terminal: Terminal) async throws(ToolFailure) {
        let title = context.messages.sentence(
            "menu.prune_applications", ["count": .integer(count), "name": .text(name)])
        let options = ["menu.prune_keep", "menu.prune_remove"].map { context.messages.sentence($0) }
        guard await terminal.choose(title, options) == 1 else { throw .cancelled(isShown: false) }
    }

    // MARK: The file

    /// Reads the applications, and reports every problem with its place.
    private func read(_ stored: [Client]) throws(ToolFailure) -> [DesiredClient] {
        let bytes = try text()
        let root: JSONNode
        do throws(JSONReader.Failure) { root = try JSONReader.read(bytes) } catch {
            let problem = FormDescriptionError.Problem.notJSON(error.problem)
            report(context.messages.sentence(problem.code, problem.values), at: error.place)
            throw .application(.fileRefused(count: 1))
        }
        guard case .object(let members) = root.content, members.count == 1, members[0].key == "applications",
            case .array(let nodes) = members[0].value.content
        else { throw .application(.badSetting(name: name, problem: "must be {\"applications\": […]}")) }
        var desired: [DesiredClient] = []
        var problems = 0
        for node in nodes {
            do throws(ToolFailure) {
                let client = try read(node, stored)
                guard !desired.contains(where: { $0.id.utf8.elementsEqual(client.id.utf8) }) else {
                    throw .application(.badSetting(name: "client_id", problem: "\(client.id) occurs twice"))
                }
                desired.append(client)
            } catch {
                problems += 1
                report(error.sentence(context.messages), at: node.place)
            }
        }
        guard problems == 0 else { throw .application(.fileRefused(count: problems)) }
        return desired
    }

    private func read(_ node: JSONNode, _ stored: [Client]) throws(ToolFailure) -> DesiredClient {
        guard case .object(let members) = node.value else {
            throw .application(.badSetting(name: "applications", problem: "must contain objects"))
        }
        let value = JSONValue.object(members)
        guard let id = value["client_id"]?.string, Client.isID(id) else {
            throw .application(.badID(id: value["client_id"]?.string ?? ""))
        }
        var settings = ClientSettings(name: String(id.prefix(64)))
        let own = members.filter { $0.key != "client_id" && $0.key != "secret_file" }
        try settings.change(by: .object(own), parts) { $0 }
        var secret: Secret?
        if let file = value["secret_file"] {
            guard let relative = file.string, !settings.isPublic else {
                throw .application(
                    .badSetting(name: "secret_file", problem: "must be a path, and not of a public application"))
            }
            let place = FilePlace(path).path(of: relative)
            var lines = SecretLines(try InputFiles.open(place, context.output, context.messages), named: place)
            let line = try lines.line(maximumBytes: 1024, flag: place)
            guard 16...1024 ~= line.count else { throw .badValue(place, .secret(minimum: 16, maximum: 1024)) }
            secret = line
        } else if !settings.isPublic,
            !stored.contains(where: { $0.id.utf8.elementsEqual(id.utf8) && $0.secretCount > 0 })
        {
            throw .application(
                .badSetting(name: "secret_file", problem: "is missing for \(id), which has no secret yet"))
        }
        return DesiredClient(id: id, settings: settings, secret: secret)
    }

    private func report(_ problem: String, at place: TextPlace) {
        context.output.problem("\(name):\(place.line):\(place.column): \(problem)")
    }

    private func text() throws(ToolFailure) -> [UInt8] {
        let file = try InputFiles.openOrStandardInput(path, context)
        let bytes: [UInt8]
        do throws(FileError) { bytes = try InputFiles.bytes(file, limit: Self.maximumBytes) } catch {
            throw .reading(name, error)
        }
        guard bytes.count <= Self.maximumBytes else {
            throw .application(.badSetting(name: name, problem: "is longer than \(Self.maximumBytes >> 20) MiB"))
        }
        return bytes
    }
}
