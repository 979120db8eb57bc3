import Foundation
import TestSupport
import Testing

/// Protection of the process from other processes, and its first actions.
@Suite(.programs, .timeLimit(.minutes(60))) struct ProcessHardeningTests {
    private let canary = Canary(secret: "canary-\(UUID().uuidString)")
    private let login = ["login", "--username", "ada", "--password-stdin"]

    /// A process that has read the canary and waits for the rest of the line.
    private func reading(_ sandbox: Sandbox, _ environment: [String: String] = [:]) throws -> RunningBinary {
        let process = try RunningBinary(sandbox, login, environment: environment)
        try process.send(canary.secret)
        // The umask is the last protection that the process sets.
        try process.wait { try process.status("Umask") == "0077" }
        return process
    }

    /// S-79, S-80.
    @Test func `a typed password is visible neither in the arguments nor in the environment`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let process = try reading(sandbox)
        for name in ["cmdline", "environ", "comm"] { #expect(!canary.isIn(try process.proc(name)), "\(name)") }
        #expect(String(decoding: try process.proc("cmdline"), as: UTF8.self).contains("--password-stdin"))
        try process.send("\n")
        try process.closeInput()
        #expect(try process.ending().status == 1)
    }

    /// S-83: the core limit, the umask and the dumpable flag as the kernel reports them.
    @Test func `a process that reads a password leaves no core dump`() throws {
        let sandbox = try Sandbox()
        let process = try reading(sandbox)
        let limits = String(decoding: try process.proc("limits"), as: UTF8.self).split(separator: "\n")
        let core = try #require(limits.first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").dropFirst(4).first == "0")
        process.signal(SIGABRT)
        #expect(try process.ending().status == 128 + SIGABRT)
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
        #expect(!names.contains { $0.hasPrefix("core") })
        #expect(try canary.files(below: sandbox.folder) == [])
    }

    /// S-83: `/proc/PID` of a process that cannot be dumped belongs to root.
    @Test func `a process that reads a password cannot be traced by its own user`() throws {
        let sandbox = try Sandbox()
        var launcher: [String] = []
        if geteuid() == 0 {
            try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"))
            launcher = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        }
        let copy = sandbox.folder.appending(path: "latchkey-copy")
        try ExecutableFile.copy(Sandbox.binary, to: copy)
        _ = unsafe chmod(sandbox.folder.path, 0o755)
        let process = try RunningBinary(
            sandbox, [],
            through: launcher + ["/bin/sh", "-c", "exec ./latchkey-copy login --username a --password-stdin"])
        try process.wait { try process.status("Umask") == "0077" }
        var status = stat()
        #expect(unsafe stat("/proc/\(process.id)/environ", &status) == 0)
        #expect(status.st_uid == 0)
        #expect(try process.status("Uid")?.hasPrefix("0\t") == false || geteuid() != 0)
        process.murder()
    }

    /// S-83: Swift's crash handlers would print registers and memory.
    @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGQUIT])
    func `a crash prints nothing, even if a backtrace is requested`(signal: Int32) throws {
        let sandbox = try Sandbox()
        let process = try reading(
            sandbox, ["SWIFT_BACKTRACE": "enable=yes,sanitize=no,registers=all,images=all,interactive=no,color=no"])
        process.signal(signal)
        let ending = try process.ending()
        #expect(ending.status == 128 + signal)
        #expect(ending.stdout.isEmpty)
        #expect(try canary.files(below: sandbox.folder) == [])
    }

    /// S-83: a file must not be opened as descriptor 0, 1 or 2, because output would be written to it.
    @Test(arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
    func `with closed descriptors no output is written into the store`(redirection: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try Data("correct horse battery\n".utf8).write(to: sandbox.folder.appending(path: "password"))
        _ = unsafe chmod(sandbox.folder.appending(path: "password").path, 0o600)
        for command in [
            "login --username ada --password-file password", "accounts list --json", "nonsense", "whoami",
            "login --username ada --password-stdin",
        ] {
            _ = try sandbox.shell("latchkey \(command) \(redirection)")
        }
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        let session = try Data(contentsOf: sandbox.session)
        #expect(session.split(separator: 0x0A).count == 2)
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
    }

    /// S-93.
    @Test(.enabled(if: geteuid() == 0, "only root can make a file setuid and somebody else's"))
    func `a setuid binary refuses to run`() throws {
        let sandbox = try Sandbox()
        let copy = sandbox.folder.appending(path: "latchkey-copy")
        try ExecutableFile.copy(Sandbox.binary, to: copy)
        #expect(unsafe chown(copy.path, 4711, 4711) == 0)
        for mode in [mode_t(0o4755), 0o2755] {
            #expect(unsafe chmod(copy.path, mode) == 0)
            let ending = try sandbox.run(
                copy.path, "accounts", "create", "ada", "--email", "ada@example.org", "--no-password")
            #expect(ending.status == 77, "\(ending.stderr)")
            #expect(!FileManager.default.fileExists(atPath: sandbox.data.path))
        }
    }

    /// S-79: every secret field of every form, by itself and as a hash, on the command line and in the environment.
    @Test(arguments: [
        ("setup", ["password"]), ("login", ["password"]), ("reset-password", ["code", "password"]),
        ("change-password", ["current-password", "password"]), ("accounts create ada", ["password"]),
    ])
    func `secrets and hashes on the command line or in the environment are refused`(
        command: String, fields: [String]
    ) throws {
        let sandbox = try Sandbox()
        let words = command.split(separator: " ").map(String.init)
        for flag in fields.flatMap({ [$0, $0 + "-hash"] }) {
            let variable = "LATCHKEY_" + flag.uppercased().replacing("-", with: "_")
            // The hint for a hash never suggests the password flags, because the hash would become the password.
            let way = flag.hasSuffix("-hash") ? "--password-hash-stdin" : "--\(flag)-stdin"
            let endings = [
                try sandbox.latchkey(words + ["--\(flag)", canary.secret]),
                try sandbox.latchkey(words + ["--\(flag)=\(canary.secret)", "--json"]),
                try sandbox.latchkey(words, environment: [variable: canary.secret]),
            ]
            for ending in endings {
                #expect(ending.status == 64, "\(command) \(flag)")
                #expect(!canary.isIn(Data((ending.stdout + ending.stderr).utf8)))
                #expect(ending.stderr.contains(way), "\(ending.stderr)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.path))
    }
}
