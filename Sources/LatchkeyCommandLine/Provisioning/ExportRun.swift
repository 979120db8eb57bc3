import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// `accounts export`: writes every account as an import takes it, a page at a time.
struct ExportRun {
    private static let pageSize = 500

    private let run: Run
    private let path: String
    private let format: RowFormat
    private let withHashes: Bool

    init(_ run: Run) throws(ToolFailure) {
        self.run = run
        guard let path = run.invocation.operands.first?.path, path.utf8.last != UInt8(ascii: "/") else {
            throw ToolFailure(.usage, "bad_path", ["name": .text("FILE")])
        }
        self.path = path
        format = try RowFormat(run.invocation, path: path)
        withHashes = run.invocation.has("with-hashes")
        if path == "-", withHashes, !Self.isPrivate(STDOUT_FILENO) {
            throw ToolFailure(.notAllowed, "export_exposed")
        }
    }

    /// Whether what is written there is read by nobody but this user: a pipe, or a file of theirs alone.
    private static func isPrivate(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFIFO, S_IFSOCK: return true
        case S_IFREG: return status.st_mode & 0o077 == 0
        default: return false
        }
    }

    func perform() async throws(ToolFailure) {
        let installation = try await Installation.open(run, creating: false, checkingKeys: false)
        guard path != "-" else { return try await export(installation, to: nil) }
        let location = try StoreLocation(run.settings)
        // What there is of the file is removed before the end.
        try await run.endingWell { () async throws(ToolFailure) in
            try await export(installation, to: OutputFile(path, sparing: location.needed))
        }
    }

    private func export(_ installation: Installation, to file: OutputFile?) async throws(ToolFailure) {
        var writer = RowWriter(run.forms.form(for: .setup), format, withHashes: withHashes)
        let bar = file == nil ? nil : run.progress("progress.exporting", total: nil)
        defer { bar?.finish(saying: nil) }
        var bytes: [UInt8] = []
        writer.appendHeader(to: &bytes)
        var (count, unproved, unopened) = (0, 0, 0)
        var last: Username?
        while true {
            let page = try await installation.asking { [last] (service) async throws(AccountError) in
                try await service.exportPage(after: last, limit: Self.pageSize, withHashes: withHashes)
            }
            try ToolFailure.throwInterruption("export_interrupted")
            for entry in page.entries { writer.append(entry, to: &bytes) }
            if let file { try file.append(bytes.span) } else { try run.output.result(bytes: bytes.span) }
            bytes.removeAll(keepingCapacity: true)
            count += page.entries.count
            unproved += page.unproved
            unopened += page.unopened
            bar?.update(done: count)
            guard let end = page.last else { break }
            last = end
        }
        try file?.publish()
        bar?.finish(saying: nil)
        for (code, number) in [("tool.export_unproved", unproved), ("tool.export_unopened", unopened)] where number > 0
        {
            run.output.note(run.messages.sentence(code, ["count": .integer(number)]))
        }
        if !writer.unknown.isEmpty {
            let keys = writer.unknown.sorted().joined(separator: ", ")
            run.output.note(run.messages.sentence("tool.export_unknown", ["keys": .text(keys)]))
        }
        guard file != nil else { return }
        if run.output.json { return try run.output.success([("accounts", .integer(count))]) }
        try run.output.done(
            run.messages.sentence("tool.exported", ["count": .integer(count), "path": .text(path)]))
    }
}
