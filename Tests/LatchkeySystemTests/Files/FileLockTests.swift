import Foundation
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FileLockTests {
    let temporary: TemporaryFolder
    let folder: GuardedFolder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try GuardedFolder(at: temporary.path)
    }

    @Test func `a second process gets the lock once the first has released it`() throws {
        let first = try FileLock("lock", in: folder)
        #expect(throws: FileError.busy) { try FileLock("lock", in: folder, waitingUpTo: .zero) }
        #expect(throws: FileError.busy) {
            try FileLock("lock", in: folder, mode: .shared, waitingUpTo: .milliseconds(20))
        }
        first.release()
        let second = try FileLock("lock", in: folder, waitingUpTo: .zero)
        #expect(throws: FileError.busy) { try FileLock("lock", in: folder, waitingUpTo: .zero) }
        second.release()
        #expect(try temporary.names == ["lock"])
    }

    @Test func `several processes share a shared lock`() throws {
        let first = try FileLock("lock", in: folder, mode: .shared)
        let second = try FileLock("lock", in: folder, mode: .shared, waitingUpTo: .zero)
        #expect(throws: FileError.busy) { try FileLock("lock", in: folder, waitingUpTo: .zero) }
        first.release()
        second.release()
        #expect(throws: Never.self) { try FileLock("lock", in: folder, waitingUpTo: .zero) }
    }

    @Test func `waiting processes get the lock one after another`() async throws {
        let inside = Locked((now: 0, most: 0, total: 0))
        let folder = folder
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<10 {
                        let lock = try? FileLock("lock", in: folder, waitingUpTo: .seconds(600))
                        inside.withLock {
                            $0.now += 1
                            $0.most = max($0.most, $0.now)
                            $0.total += 1
                        }
                        inside.withLock { $0.now -= 1 }
                        lock?.release()
                    }
                }
            }
        }
        #expect(inside.withLock { $0.most } == 1)
        #expect(inside.withLock { $0.total } == 40)
    }

    @Test func `a lock file that other users can open is refused`() throws {
        let path = try temporary.write([], to: "lock", mode: 0o666)
        #expect(throws: FileError.exposed(path: path)) { try FileLock("lock", in: folder) }
        try temporary.link("link", to: "lock")
        #expect(throws: FileError.symlink) { try FileLock("link", in: folder) }
    }
}
