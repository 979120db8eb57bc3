import LatchkeyAccounts
import LatchkeyCommandLine

extension CommandSpec {
    static let lookupBenchmark = benchmark(
        ["lookup"], summary: "Measure account look-ups",
        about:
            "Looks up each line of a file, a username, an e-mail address or an id, one after the other. Prints the number"
            + " of accounts found and the time.",
        flags: [FlagSpec("batch", value: "FILE", "File with a name on each line; - is standard input")],
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey-bench lookup --batch names", "latchkey-bench lookup --batch - --json"]
    ) { (context) async throws(ToolFailure) in
        try await LookupBenchmark(context: context).perform()
        return .printed
    }
}

/// Measures the time to find accounts by the names in a file.
private struct LookupBenchmark {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let path = try context.batchPath()
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        var lines = try InputLines.of(path, context)
        var (count, found) = (0, 0)
        let stopwatch = Stopwatch()
        repeat {
            var names: [AccountLookup] = []
            while lines.take({ line, bytes in
                count += 1
                if let name = Self.name(line, bytes) { names.append(name) }
            }) {}
            found += try await installation.asking { [names] (service) async throws(AccountError) in
                var found = 0
                for name in names {
                    do throws(AccountError) {
                        _ = try await service.account(name)
                        found += 1
                    } catch .noSuchAccount {}
                }
                return found
            }
        } while try lines.refill()
        try context.output.figures(count: count, succeeded: found, stopwatch, context.messages)
    }

    /// The name on a line; nil if it cannot be the name of an account.
    private static func name(_ line: InputLines.Line, _ bytes: Span<UInt8>) -> AccountLookup? {
        guard line == .whole, bytes.count <= AccountLookup.maximumBytes else { return nil }
        let ending = bytes.count > 0 && bytes[bytes.count - 1] == UInt8(ascii: "\r") ? 1 : 0
        guard let text = try? UTF8Span(validating: bytes.extracting(0..<(bytes.count - ending))) else { return nil }
        return AccountLookup(String(copying: text))
    }
}
