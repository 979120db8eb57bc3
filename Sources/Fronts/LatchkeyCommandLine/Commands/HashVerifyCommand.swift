import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeyProvisioning
import LatchkeySecrets

/// `hash verify`: reports whether the password on each line of standard input matches its hash, in the order of the
/// lines. It continues after invalid lines.
struct HashVerifyCommand {
    static let spec = CommandSpec(
        words: ["hash", "verify"], summary: "Verify passwords against hashes",
        about: "Answer each line of standard input with a line, in the same order. Each line has a hash and a password,"
            + " which is compared byte for byte. A malformed line does not stop the command. Does not open the store.",
        flags: [FlagSpec("jsonl", "Read and write JSON Lines")],
        statuses: [.done, .usage, .noInput, .inputOutput, .configuration],
        examples: [
            "latchkey hash verify --jsonl",
            #"printf '%s\n' '{"id":1,"hash":"","password":""}' | latchkey hash verify --jsonl"#,
        ]
    ) { (context) async throws(ToolFailure) in
        try await HashVerifyCommand(context: context).run()
        return .printed
    }

    let context: CommandContext

    private func run() async throws(ToolFailure) {
        guard context.invocation.has("jsonl") else { throw .jsonlMissing }
        let hasher = try HashSettings.hasher(context.settings.values)
        var lines = try InputLines.ofStandardInput(context.messages)
        repeat {
            var asked: [SecretLine?] = []
            while lines.take({ line, bytes in
                switch line {
                case .whole: asked.append(SecretLine(bytes, members: ["hash", "password"]))
                case .overlong: asked.append(nil)
                }
            }) {}
            for line in asked {
                var answer: [UInt8] = []
                await verify(line, with: hasher, to: &answer)
                // A line may take a second, so each verdict is written immediately.
                try context.output.result(lines: answer)
            }
        } while try lines.refill()
    }

    private func verify(_ line: SecretLine?, with hasher: Argon2Hasher, to answer: inout [UInt8]) async {
        guard let line, line.isValid, let text = line["hash"], let password = line["password"] else {
            return SecretLine.answer(line?.id, error: "bad_request", to: &answer)
        }
        guard let hash = PasswordHash(imported: text) else {
            return SecretLine.answer(line.id, error: "malformed_hash", to: &answer)
        }
        do throws(HashError) {
            SecretLine.answer(line.id, valid: try await hasher.parse(hash).matches(password), to: &answer)
        } catch {
            let code =
                switch error {
                case .unsupported: Self.isMalformed(hash) ? "malformed_hash" : "unsupported"
                case .costTooHigh: "cost_too_high"
                case .outOfMemory: "no_memory"
                case .overloaded, .noRandomness, .store: "unavailable"
                }
            SecretLine.answer(line.id, error: code, to: &answer)
        }
    }

    /// Whether the hash is malformed in a supported scheme, or is not a hash.
    private static func isMalformed(_ hash: PasswordHash) -> Bool {
        switch UnsupportedScheme(of: hash) {
        case .malformed, nil: true
        case .noPassword, .sealed, .desCrypt, .bsdiCrypt, .md5Crypt, .sunMD5, .sha1Crypt, .nt, .bcryptX, .ldap,
            .argon2Version10, .other:
            false
        }
    }
}
