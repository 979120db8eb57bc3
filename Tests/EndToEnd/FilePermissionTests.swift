import Foundation
import Testing

/// Latchkey's files are private, and are not read if others can access them.
@Suite(.programs, .timeLimit(.minutes(60))) struct FilePermissionTests {
    /// The path and mode of everything below a folder.
    private func modes(below folder: URL) throws -> [String: mode_t] {
        var modes: [String: mode_t] = [:]
        let files = try #require(FileManager.default.enumerator(atPath: folder.path))
        for case let name as String in files {
            var status = stat()
            #expect(unsafe lstat(folder.path + "/" + name, &status) == 0)
            modes[name] = status.st_mode
        }
        return modes
    }

    /// S-89.
    @Test(arguments: ["000", "777"])
    func `created files are private under any umask`(mask: String) throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.shell(
            """
            set -e; umask \(mask)
            echo 'correct horse battery' | latchkey setup --username ada --email ada@example.org --password-stdin
            echo 'correct horse battery' | latchkey login --username ada --password-stdin
            latchkey forgot-password --email ada@example.org
            """)
        #expect(ending.status == 0, "\(ending.stderr)")
        let modes = try modes(below: sandbox.folder.appending(path: ".local"))
        #expect(modes.keys.contains("share/latchkey/keys/store.key"))
        #expect(modes.keys.contains("state/latchkey/session"))
        #expect(modes.keys.contains { $0.hasPrefix("share/latchkey/outbox/new/") })
        for (name, mode) in modes {
            #expect(mode & 0o7777 == (mode & S_IFMT == S_IFDIR ? 0o700 : 0o600), "\(name)")
        }
    }

    enum File: String, CaseIterable {
        case store, key, session
    }

    enum Fault: String, CaseIterable {
        case groupReads, othersRead, groupWrites, othersWrite, somebodyElses, link, secondName, pipe, folder, device
        case tooLong

        var needsRoot: Bool { self == .somebodyElses || self == .device }
    }

    /// All faults except oversized files, because a store has no maximum size.
    private static let faults = File.allCases.flatMap { file in
        Fault.allCases.filter { file != .store || $0 != .tooLong }.map { (file, $0) }
    }

    private static let template = Result {
        try StoreTemplate { sandbox in
            try sandbox.setUp("ada")
            try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        }
    }

    /// S-91.
    @Test(arguments: faults)
    func `a file that others can access is refused and not changed`(file: File, fault: Fault) throws {
        if fault.needsRoot && geteuid() != 0 { try Test.cancel("only root gives files away and makes devices") }
        let sandbox = try Sandbox()
        try Self.template.get().copy(to: sandbox)
        #expect(try sandbox.latchkey("whoami").status == 0)
        let path =
            switch file {
            case .store: sandbox.store.path
            case .key: sandbox.data.appending(path: "keys/store.key").path
            case .session: sandbox.session.path
            }
        let away = path + ".away"
        func moveAway() throws { try FileManager.default.moveItem(atPath: path, toPath: away) }
        switch fault {
        case .groupReads: _ = unsafe chmod(path, 0o640)
        case .othersRead: _ = unsafe chmod(path, 0o604)
        case .groupWrites: _ = unsafe chmod(path, 0o620)
        case .othersWrite: _ = unsafe chmod(path, 0o602)
        case .somebodyElses: _ = unsafe chown(path, 4711, 4711)
        case .secondName: try FileManager.default.linkItem(atPath: path, toPath: away)
        case .link:
            try moveAway()
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: away)
        case .pipe:
            try moveAway()
            #expect(unsafe mkfifo(path, 0o600) == 0)
        case .folder:
            try moveAway()
            #expect(unsafe mkdir(path, 0o700) == 0)
        case .device:
            try moveAway()
            // The device number of /dev/zero, which never ends.
            try #require(unsafe mknod(path, S_IFCHR | 0o600, 0x105) == 0)
        case .tooLong:
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(count: 100_000))
            try handle.close()
        }
        let ending = try sandbox.latchkey("whoami", "--json")
        #expect(ending.status == 77, "\(ending.stderr)")
        #expect(ending.stderr.contains(path) || ending.stderr.contains("session"), "\(ending.stderr)")
        var status = stat()
        #expect(unsafe lstat(path, &status) == 0, "it is still there")
        if file == .store { #expect(!FileManager.default.fileExists(atPath: path + "-journal")) }
    }
}
