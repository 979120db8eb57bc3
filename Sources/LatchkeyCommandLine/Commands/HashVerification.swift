import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySecrets

/// `hash verify`: whether the password of each line of standard input is the one that its hash was made of, in the same
/// order. No line can stop it.
struct HashVerification {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
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
                await judge(line, by: hasher, to: &answer)
                // A line may take a second: nobody waits for the next one's.
                try context.output.result(lines: answer)
            }
        } while try lines.refill()
    }

    private func judge(_ line: SecretLine?, by hasher: Argon2Hasher, to answer: inout [UInt8]) async {
        guard let line, line.isSensible, let text = line["hash"], let password = line["password"] else {
            return SecretLine.answer(line?.id, error: "bad_request", to: &answer)
        }
        guard let hash = PasswordHash(imported: text) else {
            return SecretLine.answer(line.id, error: "malformed_hash", to: &answer)
        }
        do throws(HashError) {
            SecretLine.answer(line.id, valid: try await hasher.verify(password, against: hash), to: &answer)
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

    /// Of a scheme that is verified, or no hash at all.
    private static func isMalformed(_ hash: PasswordHash) -> Bool {
        switch UnsupportedScheme(of: hash) {
        case .malformed, nil: true
        case .noPassword, .sealed, .desCrypt, .bsdiCrypt, .md5Crypt, .sunMD5, .sha1Crypt, .nt, .bcryptX, .ldap: false
        }
    }
}
