import Foundation
import LatchkeySystem
import TestSupport
import Testing

/// An attacker swaps files and folders while Latchkey uses them.
@Suite(.timeLimit(.minutes(60)))
struct SwappedFolderTests {
    let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    /// S-90.
    @Test func `a link swapped into the path never leads to an exposed folder`() async throws {
        for name in ["mine", "evil"] {
            try temporary.makeFolder(name)
            try temporary.makeFolder(name + "/keys")
            try temporary.write([name == "mine" ? 1 : 0], to: name + "/keys/key")
        }
        try temporary.setMode(0o777, of: "evil")
        try temporary.link("link", to: "evil")
        let isOver = Locked(false)
        let temporary = temporary
        let swapping = Task.detached {
            while !isOver.withLock({ $0 }) {
                for (from, to) in [("mine", "away"), ("link", "mine"), ("mine", "link"), ("away", "mine")] {
                    _ = unsafe rename(temporary.path(of: from), temporary.path(of: to))
                }
            }
        }
        var outcomes: [String: Int] = [:]
        for _ in 0..<10_000 {
            do {
                let folder = try GuardedFolder(at: temporary.path(of: "mine/keys"))
                outcomes["\(try folder.read("key", limit: 1))", default: 0] += 1
            } catch {
                switch error {
                case .openFolder(let path): outcomes["open " + path, default: 0] += 1
                default: outcomes["\(error)", default: 0] += 1
                }
            }
        }
        isOver.withLock { $0 = true }
        await swapping.value
        let allowed = ["[1]", "symlink", "notFound", "open " + temporary.path(of: "evil")]
        #expect(Set(outcomes.keys).isSubset(of: allowed), "\(outcomes)")
        #expect(outcomes.values.reduce(0, +) == 10_000)
    }

    /// S-91: a device is not opened at all, because opening it may have effects or block.
    @Test(.enabled(if: geteuid() == 0, "only root makes devices"))
    func `a device is refused without being opened`() throws {
        let folder = try GuardedFolder(at: temporary.path)
        // The device number of /dev/tty. Without a terminal, opening it fails. With a terminal, reading it waits.
        try #require(unsafe mknod(temporary.path(of: "key"), S_IFCHR | 0o600, 0x500) == 0)
        #expect(throws: FileError.notRegular) { try folder.read("key", limit: 1) }
        #expect(throws: FileError.notRegular) { try FileLock("key", in: folder, waitingUpTo: .zero) }
        #expect(throws: FileError.notRegular) { try GivenFile(at: temporary.path(of: "key")) }
    }

    /// S-92: the kernel's reports of changes to the names, in order.
    @Test func `a replacement is written under a temporary name and renamed`() throws {
        let folder = try GuardedFolder(at: temporary.path)
        try folder.replace("session", with: [1].span)
        let watch = inotify_init1(Int32(O_NONBLOCK))
        defer { close(watch) }
        let all = UInt32(IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE)
        #expect(unsafe inotify_add_watch(watch, temporary.path, all) >= 0)
        try folder.replace("session", with: [UInt8](repeating: 7, count: 10_000).span)
        try folder.create("key", holding: [1].span)
        var steps: [String] = []
        for (mask, name) in try events(from: watch) {
            let who = name.hasPrefix(".session.") || name.hasPrefix(".key.") ? "temporary" : name
            let what: [(Int32, String)] = [
                (IN_CREATE, "create"), (IN_MODIFY, "modify"), (IN_CLOSE_WRITE, "close"), (IN_MOVED_FROM, "move"),
                (IN_MOVED_TO, "become"), (IN_DELETE, "delete"),
            ]
            let step = (what.first { mask & UInt32($0.0) != 0 }?.1 ?? "?") + " " + who
            if steps.last != step { steps.append(step) }
        }
        func expected(_ name: String) -> [String] {
            ["create temporary", "modify temporary", "close temporary", "move temporary", "become " + name]
        }
        #expect(steps == expected("session") + expected("key"))
    }

    private func events(from watch: Int32) throws -> [(mask: UInt32, name: String)] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(watch, &buffer, buffer.count)
        var events: [(mask: UInt32, name: String)] = []
        var offset = 0
        // struct inotify_event: wd, mask, cookie, len (32 bits each), and then the name, padded with zeros.
        func word(_ index: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(buffer[offset + 4 * index + $1]) << (8 * $1) }
        }
        while offset < count {
            let length = Int(word(3))
            let name = buffer[offset + 16..<offset + 16 + length].prefix { $0 != 0 }
            events.append((word(1), String(decoding: name, as: UTF8.self)))
            offset += 16 + length
        }
        return events
    }
}
