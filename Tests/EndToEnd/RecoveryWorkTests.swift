import Foundation
import Testing

/// The disk operations of a recovery request, observed from outside.
@Suite(.programs, .timeLimit(.minutes(60)))
struct RecoveryWorkTests {
    private static let canTrace =
        (try? Sandbox().run("/usr/bin/strace", "-o", "/dev/null", "true").status) == 0

    private static let traced = [
        "openat", "mkdirat", "fchmod", "pwrite64", "ftruncate", "fsync", "fdatasync", "link", "linkat", "rename",
        "renameat", "renameat2", "unlink", "unlinkat",
    ]

    /// The system calls that change or flush files, in order.
    private func calls(_ sandbox: Sandbox, _ email: String) throws -> [String] {
        let ending = try sandbox.shell(
            """
            strace -f -qq -o calls -e trace=\(Self.traced.joined(separator: ",")) \
                "\(Sandbox.binary.path)" forgot-password --email \(email)
            """)
        try #require(ending.status == 0, "\(ending.stderr)")
        let lines = try String(contentsOf: sandbox.folder.appending(path: "calls"), encoding: .utf8)
        return lines.split(separator: "\n").compactMap { line in
            // After the number of the thread. The second half of a call begins with `<...`.
            guard let match = line.firstMatch(of: /^\d+ +([a-z0-9]+)\(/) else { return nil }
            let name = String(match.1)
            if name == "openat" { return line.contains("O_CREAT") ? "create" : nil }
            return name.hasPrefix("rename") ? "rename" : name
        }
    }

    /// S-145.
    @Test(.enabled(if: canTrace, "strace is not here, or must not trace"))
    func `a request for an unknown address does the same work as one for an account`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        // Creates the folders.
        for name in ["ada", "eve"] { _ = try calls(sandbox, name + "@example.org") }
        let saved = try sandbox.shell("cp -a .local saved")
        try #require(saved.status == 0)
        let known = try calls(sandbox, "ada@example.org")
        #expect(known.count { $0.hasSuffix("sync") } > 10)
        let restored = try sandbox.shell("rm -r .local && mv saved .local")
        try #require(restored.status == 0)
        #expect(try calls(sandbox, "eve@example.org") == known)
    }

    /// S-147.
    @Test func `decoys have a message's size, stay out of the mailbox and are removed`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        for name in ["eve", "ada", "bob", "may"] {
            #expect(try sandbox.latchkey("forgot-password", "--email", name + "@example.org").status == 0)
        }
        let outbox = sandbox.data.appending(path: "outbox")
        let files = try FileManager.default.subpathsOfDirectory(atPath: outbox.path).filter { $0.contains("latchkey") }
        #expect(files.count == 2)
        let decoy = outbox.appending(path: "tmp/decoy.latchkey")
        let message = try #require(files.first { $0.hasPrefix("new/") })
        let size = { (url: URL) in try url.resourceValues(forKeys: [.fileSizeKey]).fileSize }
        #expect(try size(decoy) == size(outbox.appending(path: message)))
        let attributes = try FileManager.default.attributesOfItem(atPath: decoy.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try sandbox.sqlite("SELECT count(*) FROM outbox") == "0")
    }
}
