import Foundation
import LatchkeySystem
import Testing

@Suite(.serialized, .timeLimit(.minutes(60)))
struct ProcessGuardTests {
    /// S-83, S-84.
    @Test func `a guarded process creates no core dumps and only private files`()
        throws
    {
        let descriptor = unsafe open("/dev/null", O_RDONLY)
        let maskBefore = umask(0o022)
        var coreBefore = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &coreBefore)
        defer {
            close(descriptor)
            umask(maskBefore)
            makeDumpable()
        }
        #expect(!ProcessGuard.isUndumpable)

        let world = try ProcessGuard.enter()
        #expect(ProcessGuard.isUndumpable)
        #expect(coreLimit().rlim_cur == 0)
        #expect(coreLimit().rlim_max == coreBefore.rlim_max)
        #expect(closesOnExec(descriptor))
        let mask = umask(0o077)
        #expect(mask == 0o077)

        world.restore()
        #expect(coreLimit().rlim_cur == coreBefore.rlim_cur)
        #expect(!closesOnExec(descriptor))
        #expect(umask(0o022) == 0o022)
    }

    @Test func `the clocks of the system advance`() {
        #expect(SystemTime.wallMilliseconds() > 1_767_225_600_000)
        // In nanoseconds, times after 2262 do not fit into 64 bits.
        #expect(SystemTime.milliseconds(seconds: 10_000_000_000, nanoseconds: 999_999_999) == 10_000_000_000_999)
        #expect(SystemTime.milliseconds(seconds: .max, nanoseconds: 999_999_999) == .max)
        #expect(SystemTime.milliseconds(seconds: .min, nanoseconds: 0) == .min)
        let first = SystemTime.monotonicNanoseconds()
        #expect(SystemTime.monotonicNanoseconds() >= first)
    }

    private func coreLimit() -> rlimit {
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        return limit
    }

    private func closesOnExec(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0 }

    /// The other tests of this process may want a backtrace.
    private func makeDumpable() {
        typealias Prctl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = unsafe dlsym(nil, "prctl") else { return }
        _ = unsafe unsafeBitCast(symbol, to: Prctl.self)(4, 1, 0, 0, 0)  // PR_SET_DUMPABLE
    }
}
