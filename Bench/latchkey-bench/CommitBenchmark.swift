import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeySecrets
import LatchkeySystem

extension CommandSpec {
    static let commitBenchmark = benchmark(
        ["commits"], summary: "Measure transactions",
        about:
            "Writes what a login writes, a session and an audit record, in one transaction after the other. The store"
            + " must have an account.",
        flags: [
            FlagSpec("clients", value: "N", "Number of transactions at once [1]"),
            FlagSpec("count", value: "N", "Number of transactions [1000]"),
        ],
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey-bench commits", "latchkey-bench commits --clients 4 --count 5000 --json"]
    ) { (context) async throws(ToolFailure) in
        try await CommitBenchmark(context: context).perform()
        return .printed
    }
}

/// Measures transactions that write the rows of a login, without hashing.
private struct CommitBenchmark {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let clients = try context.invocation.number("clients", orElse: 1, in: 1...1000)
        let count = try context.invocation.number("count", orElse: 1000, in: 1...10_000_000)
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let store = installation.service.store
        let account = try await installation.asking { (service) async throws(AccountError) in
            try await service.store.read { (transaction) throws(AccountError) in
                try transaction.accounts(after: nil, limit: 1).first?.id
            }
        }
        guard let account else { throw ToolFailure(AccountError.noSuchAccount) }
        let stopwatch = Stopwatch()
        let failure = await withTaskGroup(of: AccountError?.self) { group in
            for client in 0..<clients {
                group.addTask {
                    do throws(AccountError) {
                        for _ in 0..<(count / clients + (client < count % clients ? 1 : 0)) {
                            try await Self.commit(account, in: store)
                        }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var first: AccountError?
            for await failure in group { first = first ?? failure }
            return first
        }
        if let failure { throw ToolFailure(failure) }
        try context.output.figures(count: count, succeeded: count, stopwatch, context.messages)
    }

    private static func commit(_ account: AccountID, in store: any AccountStore) async throws(AccountError) {
        let digest: [UInt8]
        do { digest = try RandomSource.system.bytes(32) } catch { throw .noRandomness }
        try await store.write { (transaction) throws(AccountError) in
            let now = Timestamp(milliseconds: SystemTime.wallMilliseconds())
            let record = AuditRecord(
                sequence: try transaction.auditHead.map { $0.sequence + 1 } ?? 1, time: now, name: "session_created",
                account: account, actor: .owner, requestID: "", reason: "", context: nil)
            try transaction.append(record, hash: digest)
            try transaction.insert(
                Session(
                    digest: SessionDigest(bytes: digest), account: account, scope: .full, createdAt: now,
                    lastUsedAt: now, authenticatedAt: now))
        }
    }
}
