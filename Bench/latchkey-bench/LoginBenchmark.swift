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

extension CommandSpec {
    static let checkBenchmark = benchmark(
        ["checks"], summary: "Measure checks of a session",
        about:
            "Checks one session again and again, as /verify does: first alone, and then while others log in. Prints the"
            + " median and the 99th percentile of the milliseconds.",
        flags: [
            FlagSpec("accounts", value: "N", "Number of accounts in the store [1000]"),
            FlagSpec("clients", value: "N", "Number of logins at once meanwhile [16]"),
            FlagSpec("count", value: "N", "Number of checks [1000]"),
        ],
        statuses: [.done] + ExitStatus.ofStores, examples: ["latchkey-bench checks --clients 16"]
    ) { (context) async throws(ToolFailure) in
        try await LoginBenchmark(context: context).check()
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
        let service = try await service(accounts: accounts, hashes: given.has("hash"))
        let stopwatch = Stopwatch()
        do throws(AccountError) {
            try await Self.logIn(service, count: count, clients: clients, accounts: accounts)
        } catch {
            throw ToolFailure(error)
        }
        try context.output.figures(count: count, succeeded: count, stopwatch, context.messages)
    }

    func check() async throws(ToolFailure) {
        let given = context.invocation
        let accounts = try given.number("accounts", orElse: 1000, in: 1...10_000_000)
        let clients = try given.number("clients", orElse: 16, in: 1...1000)
        let count = try given.number("count", orElse: 1000, in: 1...1_000_000)
        let service = try await service(accounts: accounts, hashes: false)
        let durations: [(String, [Duration])]
        do throws(AccountError) {
            let token = try await service.authenticate(
                identifier: Self.name(0), password: Self.secret(Self.password)
            ).token
            let alone = try await Self.check(token, with: service, count)
            let logins = Task {
                while !Task.isCancelled {
                    try? await Self.logIn(service, count: clients * 10, clients: clients, accounts: accounts)
                }
            }
            defer { logins.cancel() }
            durations = [("alone", alone), ("meanwhile", try await Self.check(token, with: service, count))]
        } catch {
            throw ToolFailure(error)
        }
        for (name, durations) in durations {
            let sorted = durations.sorted()
            let figures = [("p50", 50), ("p99", 99)].map { (name, percent) in
                let milliseconds = sorted[min(sorted.count * percent / 100, sorted.count - 1)] / .milliseconds(1)
                return "\(name) \((milliseconds * 100).rounded() / 100) ms"
            }
            print("\(name): \(figures.joined(separator: ", "))")
        }
    }

    private static func check(
        _ token: Secret, with service: AccountService, _ count: Int
    ) async throws(AccountError) -> [Duration] {
        var durations: [Duration] = []
        for number in 0..<count + count / 10 {
            let start = ContinuousClock.now
            _ = try await service.membership(for: token)
            // The first ones prepare their statements.
            if number >= count / 10 { durations.append(start.duration(to: .now)) }
        }
        return durations
    }

    private func service(accounts: Int, hashes: Bool) async throws(ToolFailure) -> AccountService {
        let own = try await Installation.open(context, creating: true, checkingKeys: false).service
        let hasher: any PasswordHasher = hashes ? own.hasher : NoHasher()
        do throws(AccountError) {
            let service = try await AccountService(
                store: own.store, hasher: hasher, mailer: NoMailer(), clock: own.clock, random: .system,
                key: try Self.key
            ).withSealingJob()
            try await Self.fill(own.store, with: accounts, hasher: hasher, at: own.clock.now())
            return service
        } catch {
            throw ToolFailure(error)
        }
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

    /// Adds accounts with one session each, so that the indexes have the size that they would have.
    private static func fill(
        _ store: any AccountStore, with count: Int, hasher: any PasswordHasher, at now: Timestamp
    ) async throws(AccountError) {
        let key = try key
        guard try await !store.read({ (store) throws(AccountError) in try store.hasAccounts }) else { return }
        let hash: PasswordHash
        do throws(HashError) { hash = try await hasher.hash(secret(password)) } catch { throw AccountError(error) }
        for start in stride(from: 0, to: count, by: 1000) {
            var (accounts, sessions): ([Account], [Session]) = ([], [])
            for number in start..<min(start + 1000, count) {
                let (name, address) = (name(number), "\(name(number))@example.org")
                let (id, digest): (AccountID, SessionDigest)
                do {
                    id = try AccountID(from: .system)
                    digest = SessionDigest(bytes: try RandomSource.system.bytes(32))
                } catch {
                    throw .noRandomness
                }
                accounts.append(
                    Account(
                        id: id, username: Username(storedAs: name, prepared: name),
                        email: EmailAddress(storedAs: address, folded: address), attributes: [:],
                        createdAt: Timestamp(milliseconds: 0), passwordHash: hash))
                sessions.append(
                    key.tagged(Session(digest: digest, account: id, scope: .full, createdAt: now, lastUsedAt: now)))
            }
            try await store.write { [accounts, sessions] (store) throws(AccountError) in
                _ = try store.insert(accounts)
                for session in sessions { try store.insert(session) }
            }
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
