import LatchkeyAccounts
import LatchkeyForms

/// `accounts lookup`: what it takes to find the accounts whose names are the lines of a file.
struct AccountLookups {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let path = try context.batchPath()
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        var lines = try InputLines.of(path, context)
        var (count, found) = (0, 0)
        let stopwatch = Stopwatch()
        repeat {
            var name: AccountLookup?
            while lines.take({ line, bytes in name = Self.name(line, bytes) }) {
                count += 1
                guard let asked = name else { continue }
                let isThere = try await installation.asking { (service) async throws(AccountError) in
                    do throws(AccountError) {
                        _ = try await service.account(asked)
                        return true
                    } catch .noSuchAccount {
                        return false
                    }
                }
                if isThere { found += 1 }
            }
        } while try lines.refill()
        try context.output.figures(count: count, succeeded: found, stopwatch, context.messages)
    }

    /// Nil for what can be nobody's.
    private static func name(_ line: InputLines.Line, _ bytes: Span<UInt8>) -> AccountLookup? {
        guard line == .whole, bytes.count <= AccountLookup.maximumBytes else { return nil }
        let ending = bytes.count > 0 && bytes[bytes.count - 1] == UInt8(ascii: "\r") ? 1 : 0
        guard let text = try? UTF8Span(validating: bytes.extracting(0..<(bytes.count - ending))) else { return nil }
        return AccountLookup(String(copying: text))
    }
}

extension CommandContext {
    /// The file that `--batch` names.
    ///
    /// - Throws: status 64.
    func batchPath() throws(ToolFailure) -> String {
        guard let flag = invocation.value("batch") else { throw .batchMissing }
        guard let path = flag.path else { throw .badPath(name: "--batch") }
        return path
    }
}
