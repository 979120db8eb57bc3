import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

/// `blocklist import`: creates the operator's list of refused passwords.
enum BlocklistImportCommand {
    static let spec = CommandSpec(
        words: ["blocklist", "import"], summary: "Import a list of refused passwords",
        about:
            "Create a list of refused passwords next to the store and replace the previous one; the built-in list stays."
            + " FILE has a password a line, or SHA-1 digests as in the Pwned Passwords download (HASH:COUNT); - is standard"
            + " input. An invalid line changes nothing.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [FlagSpec("plain", "Treat every line as a password, even if it looks like a digest")],
        readsLists: true,
        statuses: [.done, .usage, .data, .noInput, .unavailable, .system, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey blocklist import passwords.txt", "latchkey blocklist import pwned-passwords.txt --json"]
    ) { (context) async throws(ToolFailure) in
        let count = try context.importBlocklist()
        context.tellAdministered()
        return .sentence(
            "tool.blocklist_imported", ["count": .integer(count)], json: [("entries", .integer(count))])
    }
}

extension CommandContext {
    fileprivate func importBlocklist() throws(ToolFailure) -> Int {
        let location = try storeLocation()
        let path = try invocation.path()
        let name = path == "-" ? messages.sentence("tool.standard_input") : path
        let lines = try InputLines.of(path, self)
        do throws(BlocklistImport.Refusal) {
            return try BlocklistImport(lines, nextTo: location, isPlain: invocation.has("plain")).perform()
        } catch {
            switch error {
            case .input(let failure): throw failure
            case .badLine(let number):
                throw .blocklistLine(name: name, line: number)
            case .file(.notFound): throw .storeFolderMissing(path: location.path)
            case .file(let error):
                throw ToolFailure(.store(StoreError(error, at: location.folder, orElse: .missing)), at: location)
            }
        }
    }
}
