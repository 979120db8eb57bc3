import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

extension CommandSpec {
    static let blocklistImport = CommandSpec(
        words: ["blocklist", "import"], summary: "add a list of passwords that nobody may set",
        about: "Makes a list of refused passwords beside the store, in the place of the one before; the list that comes"
            + " with latchkey stays. FILE has a password a line, or a SHA-1 digest as the Pwned Passwords download has it"
            + " (HASH:COUNT); - is standard input. One bad line, and nothing is changed.",
        operand: Operand(name: "FILE", isRequired: true),
        flags: [FlagSpec("plain", "every line is a password, also one that looks like a digest")],
        statuses: [.done, .usage, .data, .noInput, .system, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey blocklist import passwords.txt", "latchkey blocklist import pwned-passwords.txt --json"]
    ) { (context) async throws(ToolFailure) in
        let count = try context.importBlocklist()
        context.tellAdministered()
        let sentence = context.messages.sentence("tool.blocklist_imported", ["count": .integer(count)])
        if context.output.json {
            try context.output.success([("entries", .integer(count))])
        } else {
            try context.output.done(sentence)
        }
    }
}

extension CommandContext {
    fileprivate func importBlocklist() throws(ToolFailure) -> Int {
        let location = try StoreLocation(settings)
        guard let path = invocation.operands.first?.path else {
            throw .badPath(name: "FILE")
        }
        let name = path == "-" ? messages.sentence("tool.standard_input") : path
        let lines = try InputLines.of(path, self)
        do throws(BlocklistImport.Refusal) {
            return try BlocklistImport(lines, beside: location, isPlain: invocation.has("plain")).perform()
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
