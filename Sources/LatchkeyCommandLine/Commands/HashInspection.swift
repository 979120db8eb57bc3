import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySecrets
import LatchkeySystem

/// `hash inspect`: what the hash on standard input is. It is never printed: whoever has it can guess at it.
struct HashInspection {
    let context: CommandContext

    func perform() throws(ToolFailure) {
        let hasher = try HashSettings.hasher(context.settings.values)
        guard let hash = PasswordHash(imported: try line()) else { throw .hashUnsupported }
        let traits: HashTraits
        do throws(HashError) {
            traits = try hasher.examine(hash)
        } catch {
            if case .costTooHigh = error, let claim = Argon2Hasher.identify(hash) {
                return try report(claim.scheme, claim.parameters, verified: false, renewed: false, "cost_too_high")
            }
            guard let scheme = UnsupportedScheme(of: hash) else { throw .hashUnsupported }
            return try report(scheme.rawValue, nil, verified: false, renewed: false, "unsupported")
        }
        let isRenewed = traits.status == .otherScheme || traits.status == .otherParameters
        try report(traits.scheme, traits.parameters, verified: true, renewed: isRenewed, traits.status.rawValue)
    }

    private func line() throws(ToolFailure) -> Secret {
        let file: GivenFile
        do throws(FileError) {
            file = try GivenFile(inherited: STDIN_FILENO)
        } catch {
            throw .reading("stdin", error)
        }
        var lines = SecretLines(file, named: "stdin")
        let line = try lines.line(maximumBytes: PasswordHash.maximumByteCount, flag: "stdin")
        try lines.refuseRest()
        return line
    }

    /// - Parameter parameters: nil where nobody reads those of the scheme.
    private func report(
        _ scheme: String, _ parameters: [HashTraits.Parameter]?, verified: Bool, renewed: Bool, _ reason: String
    ) throws(ToolFailure) {
        guard !context.output.json else {
            var members: [(key: String, value: JSONValue)] = [("scheme", .string(scheme))]
            if let parameters {
                members.append(("parameters", .object(parameters.map { ($0.name, .integer($0.value)) })))
            }
            members += [("verified", .bool(verified)), ("renewed", .bool(renewed)), ("reason", .string(reason))]
            return try context.output.success(members)
        }
        let text = HashTraits.text(of: parameters ?? [])
        try context.output.result([scheme, text].filter { !$0.isEmpty }.joined(separator: " "))
        try context.output.result(context.messages.sentence("tool.hash_standing_" + reason))
    }
}
