import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyProvisioning
import LatchkeySystem
import LatchkeyTerminal

/// `accounts export`: writes all accounts in a format that an import can read.
struct AccountsExportCommand {
    static let spec = CommandSpec(
        words: ["accounts", "export"], summary: "Export every account to a file",
        about:
            "Write the accounts in the order of their usernames or addresses, in the format of accounts import; - is"
            + " standard output. FILE gets mode 0600. If it exists, a terminal asks before it is replaced; elsewhere --yes is"
            + " required. Unverified accounts are left out.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [
            FlagSpec("format", value: "jsonl|csv", "File format, jsonl or csv [from the file's name]"),
            FlagSpec("with-hashes", "Include hashes and the secrets of authenticator apps; only to a file or a pipe"),
            FlagSpec("yes", "Replace FILE without asking"),
        ],
        readsForms: true,
        statuses: [.done, .cannotCreate] + ExitStatus.ofStores,
        examples: ["latchkey accounts export everybody.csv", "latchkey accounts export - --format jsonl"]
    ) { (context) async throws(ToolFailure) in
        try await AccountsExportCommand(context).perform()
    }

    private static let pageSize = 500

    private let context: CommandContext
    private let path: String
    private let format: RowFormat
    private let withHashes: Bool

    init(_ context: CommandContext) throws(ToolFailure) {
        self.context = context
        path = try context.invocation.path()
        guard path.utf8.last != UInt8(ascii: "/") else { throw .badValue("FILE", .path) }
        format = try RowFormat(context.invocation, path: path)
        withHashes = context.invocation.has("with-hashes")
        if path == "-", withHashes, !Self.isPrivate(STDOUT_FILENO) {
            throw .exportExposed
        }
    }

    /// Whether only this user can read the output: a pipe or socket, or a file with mode 0600.
    private static func isPrivate(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFIFO, S_IFSOCK: return true
        case S_IFREG: return status.st_mode & 0o077 == 0
        default: return false
        }
    }

    func perform() async throws(ToolFailure) -> CommandResult {
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        guard path != "-" else { return try await export(installation, to: nil) }
        let location = try context.storeLocation()
        // An incomplete file must be removed before the process ends.
        SignalNotice.watchInterruptions()
        let file = try OutputFile(path, sparing: location.needed)
        try await confirmReplacement()
        return try await export(installation, to: file)
    }

    /// Asks before the file that exists is replaced.
    private func confirmReplacement() async throws(ToolFailure) {
        var status = stat()
        guard !context.invocation.has("yes"), unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return }
        guard let terminal = Terminal(context) else { throw .replacementUnconfirmed(path: path) }
        let messages = context.messages
        let title = messages.sentence("menu.replace_ask", ["path": .text(path)])
        let answers = ["menu.end_not", "menu.replace"].map { messages.sentence($0) }
        guard await terminal.choose(title, answers) == 1 else { throw .cancelled(isShown: true) }
    }

    private func export(_ installation: Installation, to file: OutputFile?) async throws(ToolFailure) -> CommandResult {
        var writer = RowWriter(
            context.forms.form(for: .setup), format, withHashes: withHashes,
            attributes: format == .csv ? try await attributes(installation) : [])
        let bar = file == nil ? nil : context.progress("progress.exporting", total: nil)
        defer { bar?.finish(saying: nil) }
        var bytes: [UInt8] = []
        writer.appendHeader(to: &bytes)
        var (count, unverified, unopened) = (0, 0, 0)
        var last: LoginName?
        while true {
            let page = try await installation.asking { [last] (service) async throws(AccountError) in
                try await service.exportPage(after: last, limit: Self.pageSize, withHashes: withHashes)
            }
            try ToolFailure.throwInterruption { .exportInterrupted(by: $0) }
            for entry in page.entries { writer.append(entry, to: &bytes) }
            if let file { try file.append(bytes.span) } else { try context.output.result(bytes: bytes.span) }
            bytes.removeAll(keepingCapacity: true)
            count += page.entries.count
            unverified += page.unverified
            unopened += page.unopened
            bar?.update(done: count)
            guard let end = page.last else { break }
            last = end
        }
        try file?.publish()
        bar?.finish(saying: nil)
        for (code, number) in [("tool.export_unproved", unverified), ("tool.export_unopened", unopened)]
        where number > 0 {
            context.output.note(context.messages.sentence(code, ["count": .integer(number)]))
        }
        for (code, keys) in [("tool.export_unknown", writer.unknown), ("tool.export_omitted", writer.omitted)]
        where !keys.isEmpty {
            let keys = keys.sorted().joined(separator: ", ")
            context.output.note(context.messages.sentence(code, ["keys": .text(keys)]))
        }
        guard file != nil else { return .printed }
        return .sentence(
            "tool.exported", ["count": .integer(count), "path": .text(path)], json: [("accounts", .integer(count))])
    }

    /// The keys of all stored attributes. A CSV file needs its column names before the first account.
    private func attributes(_ installation: Installation) async throws(ToolFailure) -> Set<String> {
        var keys: Set<String> = []
        var last: LoginName?
        while true {
            let page = try await installation.asking { [last] (service) async throws(AccountError) in
                try await service.exportPage(after: last, limit: Self.pageSize, withHashes: false)
            }
            try ToolFailure.throwInterruption { .exportInterrupted(by: $0) }
            for entry in page.entries { keys.formUnion(RowWriter.keys(of: entry)) }
            guard let end = page.last else { return keys }
            last = end
        }
    }
}
