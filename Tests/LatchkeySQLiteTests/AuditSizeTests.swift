import Foundation
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts
@testable import LatchkeySQLite

/// S-100, S-101: the disk space that the trail takes.
@Suite(.timeLimit(.minutes(60)))
struct AuditSizeTests {
    private static let sealer = AuditSealer(key: World.key, limits: AuditLimits())

    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    enum Flood: CaseIterable { case oneAccount, manyNames, manyAccounts, codes }

    private static func throttle(_ flood: Flood, _ number: Int, _ accounts: [AccountID]) -> Throttle? {
        switch flood {
        case .oneAccount: .account(accounts[0])
        case .manyNames: .unknownName(row: UInt16(truncatingIfNeeded: number &* 40_503))
        case .manyAccounts: .account(accounts[number % accounts.count])
        case .codes: nil
        }
    }

    /// A million failures, 100 a second; without `LATCHKEY_LONG`, fewer in proportionally less space.
    ///
    /// Bypasses the service, because a million commits would take hours. Each step does what the service does in the
    /// two transactions of one attempt.
    @Test(arguments: Flood.allCases)
    func `a million failures take at most 5 MiB`(flood: Flood) async throws {
        let count = ProcessInfo.processInfo.environment["LATCHKEY_LONG"] == nil ? 20_000 : 1_000_000
        let store = try await SQLiteAccountStore.open(path, create: true)
        let accounts = try (0..<200).map { _ in try AccountID(from: .system) }
        try await store.write { (transaction) throws(AccountError) in
            for (number, id) in accounts.enumerated() {
                try transaction.insert(
                    Account(
                        id: id, username: Username(storedAs: "a\(number)", prepared: "a\(number)"),
                        email: EmailAddress(storedAs: "a\(number)@b.example", folded: "a\(number)@b.example"),
                        attributes: [:], createdAt: Timestamp(milliseconds: 0), mustChangePassword: false,
                        passwordHash: nil))
            }
        }
        let trail = try AuditTrail(
            by: .owner, random: .system,
            origin: AuditOrigin(
                processUser: 1000, bootID: "b0070000-0000-4000-8000-000000000001", version: "0.1.0",
                sinceBoot: { 1 << 40 }
            ))
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        let start: Int64 = 1_767_225_600_000
        for batch in stride(from: 0, to: count, by: 5000) {
            try await store.write { (transaction) throws(AccountError) in
                for number in batch..<batch + 5000 {
                    let now = Timestamp(milliseconds: start + Int64(number) * 10)
                    guard let throttle = Self.throttle(flood, number, accounts) else {
                        try trail.append(.recoveryFailed, about: nil, reason: .unknownCode, at: now, in: transaction)
                        continue
                    }
                    let account: AccountID? = if case .account(let id) = throttle { id } else { nil }
                    let reason = account == nil ? AuditReason.unknown(tag: "0123456789abcdef") : .throttled
                    let entry = try throttle.book(
                        recording: trail, about: account, reason: reason, at: now, key, in: transaction)
                    if case .booked = entry {
                        try trail.append(.loginFailed, about: account, reason: .wrongPassword, at: now, in: transaction)
                    }
                }
                try Self.sealer.finish(transaction)
            }
        }
        let size = try await store.read { (transaction) throws(AccountError) in try transaction.auditSize(from: 1) }
        #expect(size > 0)
        #expect(size <= (5 << 20) * Int64(count) / 1_000_000, "\(size)")
    }

    /// The reported size of a segment is at least the growth of the file, and at most a fifth more.
    @Test func `the reported size of the trail matches the growth of the file`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        let trail = try AuditTrail(
            by: .owner, random: .system,
            origin: AuditOrigin(
                processUser: 1000, bootID: "b0070000-0000-4000-8000-000000000001", version: "0.1.0",
                sinceBoot: { 1 << 40 }
            ))
        let account = try AccountID(from: .system)
        func fill(_ count: Int) async throws {
            try await store.write { (transaction) throws(AccountError) in
                for _ in 0..<count {
                    try trail.acting(as: account).append(
                        .userCreated, about: account, at: Timestamp(milliseconds: 1_767_225_600_000), in: transaction)
                }
                try Self.sealer.finish(transaction)
            }
        }
        try await fill(100)
        let before = (file: try folder.read("accounts.sqlite").count, told: try await told(store))
        try await fill(20_000)
        let file = try folder.read("accounts.sqlite").count - before.file
        let size = Int(try await told(store) - before.told)
        #expect(size >= file && size <= file + file / 5, "reported \(size), on disk \(file)")
    }

    private func told(_ store: SQLiteAccountStore) async throws -> Int64 {
        try await store.read { (transaction) throws(AccountError) in try transaction.auditSize(from: 1) }
    }

    @Test func `a trail at its size limit stops growing, and so does the file`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        let trail = try AuditTrail(by: .owner, random: .system, origin: .unknown)
        let sealer = AuditSealer(key: World.key, limits: AuditLimits(bytes: 1 << 20))
        var sizes: [Int] = []
        for _ in 0..<6 {
            try await store.write { (transaction) throws(AccountError) in
                for _ in 0..<5000 {
                    try trail.append(
                        .userCreated, about: nil, at: Timestamp(milliseconds: 1_767_225_600_000), in: transaction)
                }
                try sealer.finish(transaction)
            }
            sizes.append(try folder.read("accounts.sqlite").count)
        }
        #expect(sizes[5] < 2 << 20, "\(sizes)")
        #expect(sizes[5] - sizes[2] < 1 << 17, "\(sizes)")
        #expect(try await store.isIntact())
    }
}
