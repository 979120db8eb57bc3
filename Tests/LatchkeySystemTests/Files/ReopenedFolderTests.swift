import Glibc
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ReopenedFolderTests {
    @Test func `an unchanged folder is not opened again`() throws {
        let folder = try TemporaryFolder()
        let reopened = ReopenedFolder(at: folder.path)
        #expect(try reopened.current() === reopened.current())
    }

    @Test func `a missing folder is found once it is created`() throws {
        let folder = try TemporaryFolder()
        let reopened = ReopenedFolder(at: folder.path + "/keys")
        #expect(throws: FileError.notFound) { try reopened.current() }
        let isMade = unsafe mkdir(folder.path + "/keys", 0o700) == 0
        #expect(isMade)
        #expect(try reopened.current().path == folder.path + "/keys")
    }

    @Test func `a replaced folder is opened again`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys"
        let isMade = unsafe mkdir(path, 0o700) == 0
        #expect(isMade)
        let reopened = ReopenedFolder(at: path)
        #expect(try !reopened.current().contains("mark"))
        let isReplaced =
            unsafe rename(path, path + ".old") == 0 && mkdir(path, 0o700) == 0
            && mkdir(path + "/mark", 0o700) == 0
        #expect(isReplaced)
        #expect(try reopened.current().contains("mark"))
    }

    @Test func `a folder that other users can now write to is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys"
        let isMade = unsafe mkdir(path, 0o700) == 0
        #expect(isMade)
        let reopened = ReopenedFolder(at: path)
        _ = try reopened.current()
        let isOpen = unsafe chmod(path, 0o777) == 0
        #expect(isOpen)
        #expect(throws: FileError.openFolder(path: path)) { try reopened.current() }
    }

    @Test func `a removed folder is reported as missing`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/keys"
        let isMade = unsafe mkdir(path, 0o700) == 0
        #expect(isMade)
        let reopened = ReopenedFolder(at: path)
        _ = try reopened.current()
        let isGone = unsafe rmdir(path) == 0
        #expect(isGone)
        #expect(throws: FileError.notFound) { try reopened.current() }
    }
}
