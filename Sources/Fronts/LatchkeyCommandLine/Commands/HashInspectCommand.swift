import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySecrets
import LatchkeySystem

/// `hash inspect`: describes the hash on standard input. It never prints the hash, because an attacker could guess the
/// password from it.
struct HashInspectCommand {
    static let spec = CommandSpec(
        words: ["hash", "inspect"], summary: "Inspect a password hash",
        about:
            "Read a hash from standard input, one line, and show its scheme, its parameters, and whether the next login"
            + " would rehash the password. Does not print the hash.",
        statuses: [.done, .usage, .data, .noInput, .configuration],
        examples: [
            "printf '%s\\n' \"$HASH\" | latchkey hash inspect",
            "getent shadow ada | cut -d: -f2 | latchkey hash inspect --json",
        ]
    ) { (context) async throws(ToolFailure) in try HashInspectCommand(context: context).run() }

    let context: CommandContext

    private func run() throws(ToolFailure) -> CommandResult {
        let hasher = try HashSettings.hasher(context.settings.values)
        guard
            let hash = PasswordHash(
                imported: try SecretSource.line(maximumBytes: PasswordHash.maximumByteCount, named: "stdin"))
        else { throw .hashUnsupported }
        let traits: HashTraits
        do throws(HashError) {
            traits = try hasher.parse(hash).traits
        } catch {
            if case .costTooHigh = error, let claim = Argon2Hasher.identify(hash) {
                return report(claim.scheme, claim.parameters, verified: false, renewed: false, "cost_too_high")
            }
            guard let scheme = UnsupportedScheme(of: hash) else { throw .hashUnsupported }
            return report(scheme.rawValue, nil, verified: false, renewed: false, "unsupported")
        }
        let isRenewed = traits.status == .otherScheme || traits.status == .otherParameters
        return report(traits.scheme, traits.parameters, verified: true, renewed: isRenewed, traits.status.rawValue)
    }

    /// - Parameter parameters: nil if the scheme's parameters are not parsed.
    private func report(
        _ scheme: String, _ parameters: [HashTraits.Parameter]?, verified: Bool, renewed: Bool, _ reason: String
    ) -> CommandResult {
        var members: CommandResult.Members = [("scheme", .string(scheme))]
        if let parameters {
            members.append(("parameters", .object(parameters.map { ($0.name, .integer($0.value)) })))
        }
        members += [("verified", .bool(verified)), ("renewed", .bool(renewed)), ("reason", .string(reason))]
        let text = HashTraits.text(of: parameters ?? [])
        return .lines(
            [
                [scheme, text].filter { !$0.isEmpty }.joined(separator: " "),
                context.messages.sentence("tool.hash_standing_" + reason),
            ], json: members)
    }
}

/// `hash report`: counts the stored hashes of each kind.
enum HashReportCommand {
    static let spec = CommandSpec(
        words: ["hash", "report"], summary: "Count the stored hashes",
        about: "Count the stored hashes by scheme, parameters and sealing key, the most frequent first; with --json one"
            + " object a line.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey hash report", "latchkey hash report --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let report = try await installation.asking { (service) async throws(AccountError) in
            try await service.hashReport()
        }
        let engine = installation.hasher.engine
        for entry in report.entries {
            // libargon2 computes the other variants, and other libraries the other schemes.
            let computes = entry.scheme == "argon2id" ? engine : nil
            let parameters = entry.parameters.isEmpty ? "-" : entry.parameters
            let key = entry.key?.text ?? "bare"
            try context.output.row(
                "\(entry.count)  \(entry.scheme)  \(parameters)  \(key)  \(entry.state.rawValue)"
                    + (computes.map { "  \($0.rawValue)" } ?? ""),
                json: .object([
                    ("scheme", .string(entry.scheme)), ("parameters", .string(entry.parameters)),
                    ("key", entry.key.map { .string($0.text) } ?? .null),
                    ("state", .string(entry.state.rawValue)), ("count", .integer(entry.count)),
                    ("engine", computes.map { .string($0.rawValue) } ?? .null),
                ]))
        }
        return .printed
    }
}
