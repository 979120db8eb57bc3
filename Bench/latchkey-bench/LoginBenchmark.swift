import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeySecrets

extension CommandSpec {
    static let loginBenchmark = benchmark(
        ["logins"], summary: "Measure logins",
        about:
            "Logs in to random accounts from random sources, several at once: each login is two transactions. A store"
            + " without accounts gets them first. Without --hash, every password counts as right and nothing is hashed.",
        flags: [
            FlagSpec("accounts", value: "N", "Number of accounts in the store [1000]"),
            FlagSpec("clients", value: "N", "Number of logins at once [1]"),
            FlagSpec("count", value: "N", "Number of logins [1000]"),
            FlagSpec("hash", "Verify a hash with each login"),
        ],
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey-bench logins", "latchkey-bench logins --clients 16 --count 5000 --json"]
    ) { (context) async throws(ToolFailure) in
        try await LoginBenchmark(context: context).perform()
        return .printed
    }
}

private struct LoginBenchmark {
    static let password = "correct horse battery staple"

    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let given = context.invocation
        let accounts = try given.number("accounts", orElse: 1000, in: 1...10_000_000)
        let clients = try given.number("clients", orElse: 1, in: 1...1000)
        let count = try given.number("count", orElse: 1000, in: 1...10_000_000)
        let own = try await Installation.open(context, creating: true, checkingKeys: false).service
        let hasher: any PasswordHasher = given.has("hash") ? own.hasher : NoHasher()
        let stopwatch: Stopwatch
        do throws(AccountError) {
            let service = try await AccountService(
                store: own.store, hasher: hasher, mailer: NoMailer(), clock: own.clock, random: .system,
                key: try Self.key
            ).withSealingJob()
            try await Self.fill(own.store, with: accounts, hasher: hasher)
            stopwatch = Stopwatch()
            try await Self.logIn(service, count: count, clients: clients, accounts: accounts)
        } catch {
            throw ToolFailure(error)
        }
        try context.output.figures(count: count, succeeded: count, stopwatch, context.messages)
    }

    /// Not the store's own key, so that the benchmark needs no files.
    private static var key: StoreKey {
        get throws(AccountError) {
            guard let key = StoreKey(secret(String(repeating: "k", count: 32))) else { throw .noRandomness }
            return key
        }
    }

    private static func secret(_ text: String) -> Secret { Secret(copying: text.utf8Span.span) }

    private static func name(_ number: Int) -> String { "person\(number)" }

    private static func fill(
        _ store: any AccountStore, with count: Int, hasher: any PasswordHasher
    ) async throws(AccountError) {
        guard try await !store.read({ (store) throws(AccountError) in try store.hasAccounts }) else { return }
        let hash: PasswordHash
        do throws(HashError) { hash = try await hasher.hash(secret(password)) } catch { throw AccountError(error) }
        for start in stride(from: 0, to: count, by: 1000) {
            var batch: [Account] = []
            for number in start..<min(start + 1000, count) {
                let (name, address) = (name(number), "\(name(number))@example.org")
                let id: AccountID
                do { id = try AccountID(from: .system) } catch { throw .noRandomness }
                batch.append(
                    Account(
                        id: id, username: Username(storedAs: name, prepared: name),
                        email: EmailAddress(storedAs: address, folded: address), attributes: [:],
                        createdAt: Timestamp(milliseconds: 0), passwordHash: hash))
            }
            let accounts = batch
            _ = try await store.write { (store) throws(AccountError) in try store.insert(accounts).count }
        }
    }

    private static func logIn(
        _ service: AccountService, count: Int, clients: Int, accounts: Int
    ) async throws(AccountError) {
        let failure = await withTaskGroup(of: AccountError?.self) { group in
            for client in 0..<clients {
                group.addTask {
                    do throws(AccountError) {
                        for _ in 0..<(count / clients + (client < count % clients ? 1 : 0)) {
                            let bytes = (0..<3).map { _ in UInt8.random(in: 0...255) }
                            let source = "10.\(bytes[0]).\(bytes[1]).\(bytes[2])"
                            let account = Int.random(in: 0..<accounts)
                            _ = try await service.serving(RequestContext(source: RequestSource(source)))
                                .authenticate(identifier: name(account), password: secret(password))
                        }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let failure { throw failure }
    }
}

/// Accepts every password without work.
private struct NoHasher: PasswordHasher {
    let decoy = PasswordHash(phc: "$argon2id$v=19$m=65536,t=3,p=1$bm9uZW5vbmVub25l$bm9uZQ")

    func hash(_ password: Secret) async throws(HashError) -> PasswordHash { decoy }

    func parse(_ stored: PasswordHash) throws(HashError) -> ParsedHash {
        ParsedHash(
            traits: HashTraits(scheme: "argon2id", parameters: [], status: .current, milliseconds: 0)
        ) { (_, _) in 0 }
    }
}

private struct NoMailer: Mailer {
    func deliver(_ message: OutboxMessage) async throws(MailerError) {}
}
