import Glibc
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SharedBudgetTests {
    private static func soon() -> ContinuousClock.Instant { .now + .milliseconds(20) }
    private static func later() -> ContinuousClock.Instant { .now + .seconds(600) }

    /// S-27.
    @Test func `the shares of all holders never exceed the budget`() throws {
        let folder = try TemporaryFolder()
        let budget = SharedBudget(folder: folder.path + "/slots", holders: 4, total: 100)
        let first = try budget.take(60, until: Self.later())
        let second = try budget.take(40, until: Self.later())
        #expect(throws: FileError.busy) { try budget.take(1, until: Self.soon()) }
        second.release()
        let third = try budget.take(39, until: Self.later())
        #expect(throws: FileError.busy) { try budget.take(2, until: Self.soon()) }
        first.release()
        third.release()
    }

    /// S-27.
    @Test func `the number of holders is limited, however small their shares are`() throws {
        let folder = try TemporaryFolder()
        let budget = SharedBudget(folder: folder.path + "/slots", holders: 2, total: 100)
        let shares = [try budget.take(1, until: Self.later()), try budget.take(1, until: Self.later())]
        #expect(throws: FileError.busy) { try budget.take(1, until: Self.soon()) }
        for share in shares { share.release() }
        try budget.take(1, until: Self.soon()).release()
    }

    /// S-27: otherwise a hash that costs more than the budget could never run.
    @Test func `a share that exceeds the budget is granted while there is no other holder`() throws {
        let folder = try TemporaryFolder()
        let budget = SharedBudget(folder: folder.path + "/slots", holders: 2, total: 100)
        let large = try budget.take(1000, until: Self.later())
        #expect(throws: FileError.busy) { try budget.take(1, until: Self.soon()) }
        large.release()
        let small = try budget.take(1, until: Self.soon())
        #expect(throws: FileError.busy) { try budget.take(1000, until: Self.soon()) }
        small.release()
    }

    /// S-27: two stores that share a folder, and any number of processes.
    @Test func `two budgets with the same folder share it`() throws {
        let folder = try TemporaryFolder()
        let (one, other) = (
            SharedBudget(folder: folder.path + "/slots", holders: 2, total: 100),
            SharedBudget(folder: folder.path + "/slots", holders: 2, total: 100)
        )
        let share = try one.take(70, until: Self.later())
        #expect(throws: FileError.busy) { try other.take(70, until: Self.soon()) }
        share.release()
        try other.take(70, until: Self.soon()).release()
    }

    /// S-27: the kernel releases the lock of a killed process.
    @Test func `a killed process releases its share`() throws {
        let folder = try TemporaryFolder()
        let budget = SharedBudget(folder: folder.path + "/slots", holders: 1, total: 100)
        try budget.take(100, until: Self.later()).release()
        let file = folder.path + "/slots/0"
        // The child locks the inherited descriptor, reports that, and waits.
        let script = "exec 9<>'\(file)'; flock 9; echo; exec sleep 3600"
        guard let holder = unsafe popen("echo $$; " + script, "r") else {
            Issue.record("no shell")
            return
        }
        var line = [CChar](repeating: 0, count: 32)
        let hasStarted = unsafe fgets(&line, 32, holder) != nil
        let digits = line.prefix { $0 > 0x20 }.map { UInt8(bitPattern: $0) }
        let process = try #require(pid_t(String(decoding: digits, as: UTF8.self)))
        let isHolding = unsafe fgets(&line, 32, holder) != nil
        #expect(hasStarted && isHolding)
        #expect(throws: FileError.busy) { try budget.take(100, until: Self.soon()) }
        kill(process, SIGKILL)
        _ = unsafe pclose(holder)
        try budget.take(100, until: Self.later()).release()
    }

    @Test func `a lock file that was replaced is opened again`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/slots"
        let budget = SharedBudget(folder: path, holders: 1, total: 1)
        try budget.take(1, until: Self.later()).release()
        let isReplaced = unsafe unlink(path + "/0") == 0 && unlink(path + "/gate") == 0
        #expect(isReplaced)
        let share = try budget.take(1, until: Self.soon())
        let other = SharedBudget(folder: path, holders: 1, total: 1)
        #expect(throws: FileError.busy) { try other.take(1, until: Self.soon()) }
        share.release()
    }

    @Test func `an open file that other users can now read is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/slots"
        let budget = SharedBudget(folder: path, holders: 1, total: 1)
        try budget.take(1, until: Self.later()).release()
        let isExposed = unsafe chmod(path + "/0", 0o644) == 0
        #expect(isExposed)
        #expect(throws: FileError.exposed(path: path + "/0")) { try budget.take(1, until: Self.soon()) }
    }

    @Test func `a share is returned when it goes out of scope`() throws {
        let folder = try TemporaryFolder()
        let budget = SharedBudget(folder: folder.path + "/slots", holders: 1, total: 1)
        do { _ = try budget.take(1, until: Self.later()) }
        try budget.take(1, until: Self.soon()).release()
    }

    @Test func `a folder that other users can write to is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/slots"
        let isOpen = unsafe mkdir(path, 0o700) == 0 && chmod(path, 0o777) == 0
        #expect(isOpen)
        let budget = SharedBudget(folder: path, holders: 1, total: 1)
        #expect(throws: FileError.openFolder(path: path)) { try budget.take(1, until: Self.soon()) }
    }
}
