import Foundation
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct GuardedFolderTests {
    let temporary: TemporaryFolder
    let folder: GuardedFolder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try GuardedFolder(at: temporary.path)
    }

    // MARK: Files

    @Test func `a written file can be read back and is private`() throws {
        try folder.create("key", holding: [1, 2, 3].span)
        #expect(try folder.read("key", limit: 3) == [1, 2, 3])
        #expect(try folder.readSecret("key", limit: 3).withBytes { $0.count == 3 && $0[2] == 3 })
        #expect(temporary.mode(of: "key") == 0o600)
        #expect(try folder.contains("key"))
        #expect(try temporary.names == ["key"])
    }

    /// S-89.
    @Test(arguments: [mode_t(0), 0o777])
    func `modes do not depend on the umask`(mask: mode_t) async throws {
        let (temporary, folder) = (temporary, folder)
        try await withUmask(mask) {
            try folder.create("key", holding: [1].span)
            try folder.replace("session", with: [2].span)
            _ = try GuardedFolder(making: temporary.path(of: "a/b"))
            _ = try FileLock("lock", in: folder)
        }
        #expect(["key", "session", "lock"].map(temporary.mode) == [0o600, 0o600, 0o600])
        #expect(["a", "a/b"].map(temporary.mode) == [0o700, 0o700])
    }

    @Test func `creating an existing file is refused`() throws {
        try folder.create("key", holding: [1].span)
        #expect(throws: FileError.alreadyThere) { try folder.create("key", holding: [2].span) }
        #expect(try folder.read("key", limit: 9) == [1])
        #expect(try temporary.names == ["key"])
    }

    /// S-92.
    @Test func `a replacement is complete and leaves no temporary file behind`() throws {
        try folder.replace("session", with: [1].span)
        try folder.replace("session", with: [UInt8](repeating: 7, count: 100_000).span)
        #expect(try folder.read("session", limit: 100_000) == [UInt8](repeating: 7, count: 100_000))
        #expect(try temporary.names == ["session"])
        #expect(try folder.remove("session"))
        #expect(try folder.remove("session") == false)
        #expect(try folder.contains("session") == false)
    }

    @Test func `a replacement replaces a link, not its target`() throws {
        try temporary.write([1], to: "target")
        try temporary.link("session", to: temporary.path(of: "target"))
        try folder.replace("session", with: [2].span)
        #expect(try temporary.read("target") == Data([1]))
        #expect(try folder.read("session", limit: 1) == [2])
    }

    @Test func `a missing file has its own error`() {
        #expect(throws: FileError.notFound) { try folder.read("nothing", limit: 1) }
    }

    /// S-91.
    @Test(arguments: [mode_t(0o640), 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o666])
    func `a file that other users can read is refused`(mode: mode_t) throws {
        let path = try temporary.write([1], to: "key", mode: mode)
        #expect(throws: FileError.exposed(path: path)) { try folder.read("key", limit: 1) }
        #expect(throws: FileError.exposed(path: path)) { try folder.check("key") }
    }

    /// S-91.
    @Test func `a file with a second hard link is refused`() throws {
        let path = try temporary.write([1], to: "key")
        try FileManager.default.linkItem(atPath: path, toPath: temporary.path(of: "other"))
        #expect(throws: FileError.exposed(path: path)) { try folder.read("key", limit: 1) }
    }

    /// S-91.
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a file of another user is refused`() throws {
        let path = try temporary.write([1], to: "key")
        try temporary.setOwner(4711, of: "key")
        #expect(throws: FileError.otherOwner(path: path, owner: 4711)) { try folder.read("key", limit: 1) }
    }

    /// S-93: the owner of a folder could replace what root creates in it.
    @Test(.enabled(if: geteuid() == 0, "only root meets folders of others"))
    func `root neither reads nor creates files in another user's folder`() throws {
        try temporary.write([1], to: "key")
        try temporary.setOwner(4711, of: ".")
        let refusal = FileError.otherOwner(path: temporary.path, owner: 4711)
        #expect(throws: refusal) { try GuardedFolder(at: temporary.path) }
        #expect(throws: refusal) { try GuardedFolder(at: temporary.path, mayBeShared: true) }
        #expect(throws: refusal) { try GuardedFolder(making: temporary.path(of: "keys/pepper.d")) }
        #expect(try temporary.names == ["key"])
    }

    /// S-93.
    @Test(.enabled(if: geteuid() == 0, "only root meets links of others"))
    func `root neither follows another user's link nor changes the mode of its target`() throws {
        try temporary.makeFolder("store")
        try temporary.makeFolder("victim", mode: 0o755)
        try temporary.link("store/outbox", to: temporary.path(of: "victim"))
        try temporary.setOwner(4711, of: "store/outbox")
        #expect(throws: FileError.otherOwner(path: temporary.path(of: "store/outbox"), owner: 4711)) {
            try GuardedFolder(making: temporary.path(of: "store/outbox/new"))
        }
        #expect(temporary.mode(of: "victim") == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path(of: "victim")) == [])
    }

    /// S-91.
    @Test func `links, folders, pipes and oversized files are refused without waiting`() throws {
        try temporary.write([1, 2, 3], to: "long")
        try temporary.link("link", to: temporary.path(of: "long"))
        try temporary.link("dangling", to: "nowhere")
        try temporary.makeFolder("folder")
        try temporary.makePipe("pipe")
        #expect(throws: FileError.symlink) { try folder.read("link", limit: 9) }
        #expect(throws: FileError.symlink) { try folder.read("dangling", limit: 9) }
        #expect(throws: FileError.notRegular) { try folder.read("folder", limit: 9) }
        #expect(throws: FileError.notRegular) { try folder.read("pipe", limit: 9) }
        #expect(throws: FileError.tooLarge(limit: 2)) { try folder.read("long", limit: 2) }
        #expect(throws: FileError.tooLarge(limit: 2)) { _ = try folder.readSecret("long", limit: 2).count }
    }

    /// S-117.
    @Test(arguments: ["", ".", "..", "a/b", "/etc/passwd", "key\0x"])
    func `a name with a slash, a NUL or only dots is refused`(name: String) throws {
        #expect(throws: FileError.system(code: EINVAL)) { try folder.read(name, limit: 1) }
        #expect(throws: FileError.system(code: EINVAL)) { try folder.replace(name, with: [1].span) }
    }

    /// S-90.
    @Test func `a link that replaces a file is never followed`() async throws {
        try temporary.write([0], to: "evil")
        let (temporary, folder) = (temporary, folder)
        let isOver = Locked(false)
        let swapping = Task.detached {
            while !isOver.withLock({ $0 }) {
                try temporary.link("link", to: "evil")
                _ = unsafe rename(temporary.path(of: "link"), temporary.path(of: "key"))
                try folder.replace("key", with: [1].span)
            }
        }
        var outcomes: Set<String> = []
        for _ in 0..<10_000 {
            do {
                outcomes.insert("\(try folder.read("key", limit: 1))")
            } catch {
                outcomes.insert("\(error)")
            }
        }
        isOver.withLock { $0 = true }
        try await swapping.value
        #expect(outcomes.isSubset(of: ["[1]", "symlink", "notFound"]))
    }

    // MARK: Parent folders

    /// S-90.
    @Test func `the error names the parent folder that other users can write to`() throws {
        try temporary.makeFolder("open")
        try temporary.makeFolder("open/inner")
        for mode in [mode_t(0o720), 0o702, 0o777] {
            try temporary.setMode(mode, of: "open")
            #expect(throws: FileError.openFolder(path: temporary.path(of: "open"))) {
                try GuardedFolder(at: temporary.path(of: "open/inner"))
            }
            #expect(throws: FileError.openFolder(path: temporary.path(of: "open"))) {
                try GuardedFolder(making: temporary.path(of: "open/made"))
            }
        }
        try temporary.setMode(0o1777, of: "open")
        #expect(throws: Never.self) { try GuardedFolder(at: temporary.path(of: "open/inner")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path(of: "open")) == ["inner"])
    }

    /// S-91.
    @Test func `a sticky folder that other users can write to is opened only on request`() throws {
        try temporary.makeFolder("sticky", mode: 0o1777)
        let path = temporary.path(of: "sticky")
        #expect(throws: FileError.openFolder(path: path)) { try GuardedFolder(at: path) }
        #expect(throws: FileError.openFolder(path: path)) { try GuardedFolder(making: path) }
        try GuardedFolder(at: path, mayBeShared: true).create("export", holding: [1].span)
        #expect(try temporary.read("sticky/export") == Data([1]))
        try temporary.setMode(0o777, of: "sticky")
        #expect(throws: FileError.openFolder(path: path)) { try GuardedFolder(at: path, mayBeShared: true) }
    }

    /// S-90.
    @Test func `links that the user owns are followed, and the path is resolved`() throws {
        try temporary.makeFolder("real")
        try temporary.makeFolder("real/inner")
        try temporary.link("relative", to: "real")
        try temporary.link("absolute", to: temporary.path(of: "real/inner"))
        try temporary.link("real/back", to: "inner/../../relative")
        for name in ["real", "relative", "./real//inner/..", "absolute/..", "real/back"] {
            #expect(try GuardedFolder(at: temporary.path(of: name)).path == temporary.path(of: "real"))
        }
    }

    @Test func `a cycle of links is refused`() throws {
        try temporary.link("a", to: "b")
        try temporary.link("b", to: "a")
        #expect(throws: FileError.symlink) { try GuardedFolder(at: temporary.path(of: "a")) }
    }

    /// S-90.
    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `the error names the parent folder or link that another user owns`() throws {
        try temporary.makeFolder("theirs", mode: 0o755)
        try temporary.makeFolder("theirs/ours")
        try temporary.setOwner(4711, of: "theirs")
        #expect(throws: FileError.otherOwner(path: temporary.path(of: "theirs"), owner: 4711)) {
            try GuardedFolder(at: temporary.path(of: "theirs/ours"))
        }
        try temporary.makeFolder("ours")
        try temporary.link("link", to: "ours")
        try temporary.setOwner(4711, of: "link")
        #expect(throws: FileError.otherOwner(path: temporary.path(of: "link"), owner: 4711)) {
            try GuardedFolder(at: temporary.path(of: "link"))
        }
    }

    @Test func `a file in place of a folder counts as missing`() throws {
        try temporary.write([], to: "file")
        for name in ["nothing", "file", "file/x", "nothing/x"] {
            #expect(throws: FileError.notFound) { try GuardedFolder(at: temporary.path(of: name)) }
        }
        #expect(throws: FileError.notFound) { try GuardedFolder(making: temporary.path(of: "file/x")) }
        #expect(throws: FileError.system(code: EINVAL)) { try GuardedFolder(at: "") }
        #expect(throws: FileError.system(code: EINVAL)) { try GuardedFolder(at: temporary.path + "\0x") }
        #expect(try temporary.names == ["file"])
    }

    @Test func `a folder reports whether it is private`() throws {
        #expect(folder.isPrivate)
        try temporary.setMode(0o755, of: ".")
        #expect(try !GuardedFolder(at: temporary.path).isPrivate)
        #expect(!folder.isOnNetwork)
    }
}
