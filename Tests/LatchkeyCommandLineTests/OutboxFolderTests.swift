import Foundation
import LatchkeyAccounts
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60)))
struct OutboxFolderTests {
    private let temporary: TemporaryFolder
    private let outbox: OutboxFolder
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    init() throws {
        temporary = try TemporaryFolder()
        outbox = OutboxFolder(path: temporary.path(of: "outbox"))
    }

    private func name(_ id: String, before age: Duration) -> String {
        OutboxFolder.name(
            of: OutboxMessage(
                id: id, recipient: nil, subject: "", body: "", createdAt: now.advanced(by: .zero - age), expiresAt: nil)
        )
    }

    private var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: outbox.new)) }
    }

    /// S-148.
    @Test func `the names of messages sort by time`() {
        let ages = [
            Duration.seconds(3), .milliseconds(2001), .seconds(2), .milliseconds(999), .milliseconds(90), .zero,
        ]
        let names = zip("fedcba", ages).map { name(String($0), before: $1) }
        #expect(names == names.sorted())
        #expect(names.last == "1800000000.M000000_a.latchkey")
    }

    /// S-149.
    @Test func `a message is deleted after a week, and files of other programs remain`() throws {
        #expect(try outbox.prune(at: now) == 0, "there is no folder yet")
        let (old, recent) = (name("a", before: .seconds(7 * 86_400 + 1)), name("b", before: .seconds(7 * 86_400)))
        let others = ["1.other", "x.latchkey", "99999999999999999999.a.latchkey"]
        for name in [old, recent] + others { try outbox.add("text", as: name) }
        #expect(try outbox.prune(at: now) == 1)
        #expect(try names == Set([recent] + others))
        #expect(try outbox.prune(at: now) == 0)
    }

    /// S-149.
    @Test func `beyond the limit, the oldest messages are deleted`() throws {
        let all = (0..<5).map { name(String($0), before: .seconds(Int64($0))) }
        for name in all { try outbox.add("text", as: name) }
        #expect(try outbox.prune(at: now, keeping: 2) == 3)
        #expect(try names == Set(all.prefix(2)))
    }
}
