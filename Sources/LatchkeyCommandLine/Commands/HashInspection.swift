import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySecrets
import LatchkeySystem

/// `hash inspect`: what the hash on standard input is. It is never printed: whoever has it can guess at it.
struct HashInspection {
    let run: Run

    func perform() throws(ToolFailure) {
        let hasher = try HashSettings.hasher(run.settings.values)
        guard let hash = PasswordHash(madeElsewhere: try line()) else { throw ToolFailure(.data, "hash_unsupported") }
        let traits: HashTraits
        do throws(HashError) {
            traits = try hasher.examine(hash)
        } catch {
            if case .costTooHigh = error { return try report(scheme: nil, "cost_too_high") }
            guard let scheme = UnverifiedScheme(of: hash) else { throw ToolFailure(.data, "hash_unsupported") }
            return try report(scheme: scheme.rawValue, "unsupported")
        }
        try report(traits)
    }

    private func line() throws(ToolFailure) -> Secret {
        let file: GivenFile
        do throws(FileError) {
            file = try GivenFile(inherited: STDIN_FILENO)
        } catch {
            throw ToolFailure(reading: "stdin", error)
        }
        var lines = SecretLines(file, named: "stdin")
        let line = try lines.line(maximumBytes: PasswordHash.maximumByteCount, flag: "stdin")
        try lines.refuseRest()
        return line
    }

    private func report(_ traits: HashTraits) throws(ToolFailure) {
        let isRenewed = traits.standing == .otherScheme || traits.standing == .otherParameters
        guard !run.output.json else {
            return try run.output.success([
                ("scheme", .string(traits.scheme)),
                ("parameters", .object(traits.parameters.map { ($0.name, .integer($0.value)) })),
                ("verified", .bool(true)), ("renewed", .bool(isRenewed)), ("reason", .string(traits.standing.rawValue)),
            ])
        }
        let reason = run.messages.sentence("tool.hash_standing_" + traits.standing.rawValue)
        try run.output.result([traits.scheme, traits.parameterText].filter { !$0.isEmpty }.joined(separator: " "))
        try run.output.result(reason)
    }

    private func report(scheme: String?, _ reason: String) throws(ToolFailure) {
        guard !run.output.json else {
            return try run.output.success([
                ("scheme", scheme.map { .string($0) } ?? .null), ("verified", .bool(false)), ("renewed", .bool(false)),
                ("reason", .string(reason)),
            ])
        }
        if let scheme { try run.output.result(scheme) }
        try run.output.result(run.messages.sentence("tool.hash_standing_" + reason))
    }
}
