import Foundation
import TestSupport
import Testing

/// `make install` into a folder that represents the root of the target machine.
@Suite(.programs, .timeLimit(.minutes(60))) struct InstallTests {
    private func install(_ action: String, _ sandbox: Sandbox, prefix: String = "/usr/local") throws -> Sandbox.Ending {
        try sandbox.run(
            "/usr/bin/env", "DESTDIR=\(sandbox.folder.path)/root", "PREFIX=\(prefix)",
            "LATCHKEY_POLICY=nonsense", SourceTree.path(of: "scripts/install"), action, Sandbox.binary.path)
    }

    private func files(_ sandbox: Sandbox) throws -> [String] {
        let root = sandbox.folder.appending(path: "root").path
        return try sandbox.run("/usr/bin/find", root, "-type", "f", "-printf", "%P\\n").stdout.split(separator: "\n")
            .map(String.init).sorted()
    }

    /// `make test` runs the script while another process may use apt.
    @Test func `packages are installed after another process has released its lock on apt`() throws {
        let sandbox = try Sandbox()
        for (name, body) in [
            ("dpkg-query", "echo not-installed"), ("sudo", "exec \"$@\""), ("sleep", ":"),
            (
                "apt-get",
                """
                echo "$*" >>"$HOME/calls"
                [ "$(wc -l <"$HOME/calls")" -gt "$BUSY" ] && exit 0
                echo "E: Could not get lock $HOME/lists/lock. It is held by process 1 (apt)" >&2
                exit 100
                """
            ),
        ] { try ExecutableFile.write(body, to: sandbox.folder.appending(path: name)) }
        func run(busy: Int) throws -> Sandbox.Ending {
            try sandbox.shell(
                "rm -f calls; export BUSY=\(busy) PATH=\"$HOME:$PATH\";"
                    + " \"\(SourceTree.path(of: "scripts/install-packages"))\" memory")
        }
        let waited = try run(busy: 3)
        #expect(waited.status == 0 && waited.stderr.contains("Waiting for"), "\(waited)")
        let calls = try sandbox.contents(of: "calls").split(separator: "\n")
        #expect(calls.count == 5 && calls.allSatisfy { $0.contains("DPkg::Lock::Timeout=") })
        #expect(calls.last?.contains("install") == true && calls.last?.hasSuffix("valgrind") == true)
        // Any other failure ends at once.
        try ExecutableFile.write(
            "echo 'E: Unable to locate package' >&2; exit 100", to: sandbox.folder.appending(path: "apt-get"))
        let failed = try run(busy: 0)
        #expect(failed.status == 100 && failed.stderr.contains("Unable to locate"), "\(failed)")
    }

    @Test func `installed files stay below the prefix, work there and can be removed`() throws {
        let sandbox = try Sandbox()
        let done = try install("install", sandbox)
        #expect(done.status == 0 && done.stderr.isEmpty, "\(done.stderr)")
        let files = try files(sandbox)
        #expect(files.allSatisfy { $0.hasPrefix("usr/local/") })
        for file in [
            "bin/latchkey", "share/man/man1/latchkey.1.gz", "share/bash-completion/completions/latchkey",
            "share/zsh/site-functions/_latchkey", "share/fish/vendor_completions.d/latchkey.fish",
            "share/latchkey/forms/form.schema.json", "share/latchkey/forms/setup.json",
            "share/latchkey/schemas/failure.json", "share/doc/latchkey/LICENSE", "share/doc/latchkey/docs/cli.md",
            "share/doc/latchkey/examples/latchkey-maintain.timer", "share/doc/latchkey/examples/config.json",
            "share/doc/latchkey/examples/integrations/latchkey.py", "share/doc/latchkey/examples/web/start",
            "share/doc/latchkey/examples/compose/compose.yaml", "share/doc/latchkey/examples/nginx.conf",
            "share/doc/latchkey/docs/decisions/0025-shells-and-packages.md",
            "share/doc/latchkey/examples/latchkey-maintain.service", "share/doc/latchkey/examples/import/htpasswd",
            "libexec/latchkey/pam", "lib/systemd/system/latchkey.service", "lib/systemd/system/latchkey.socket",
            "lib/sysusers.d/latchkey.conf",
        ] { #expect(files.contains("usr/local/" + file), "\(file)") }
        let prefix = sandbox.folder.path + "/root/usr/local/"
        let version = try sandbox.run(prefix + "bin/latchkey", "--version")
        #expect(version.stdout == (try sandbox.latchkey("--version").stdout))
        // The page is printed without any settings.
        let page = try sandbox.run("/usr/bin/zcat", prefix + "share/man/man1/latchkey.1.gz").stdout
        #expect(page == (try sandbox.latchkey("manual").stdout))
        let check = try sandbox.run(prefix + "bin/latchkey", "forms", "check", prefix + "share/latchkey/forms")
        #expect(check.status == 0, "\(check.stderr)")
        let unit = try String(
            contentsOfFile: prefix + "share/doc/latchkey/examples/latchkey-maintain.service", encoding: .utf8)
        #expect(unit.contains("\nExecStart=/usr/local/bin/latchkey store maintain "))
        let service = try String(contentsOfFile: prefix + "lib/systemd/system/latchkey.service", encoding: .utf8)
        #expect(service.contains("\nExecStart=/usr/local/bin/latchkey serve "))

        // Other files remain.
        let other = URL(filePath: prefix + "share/latchkey/forms/own.json")
        try Data("{}".utf8).write(to: other)
        #expect(try install("uninstall", sandbox).status == 0)
        #expect(try self.files(sandbox) == ["usr/local/share/latchkey/forms/own.json"])
        try FileManager.default.removeItem(at: other)
        #expect(try install("uninstall", sandbox).status == 0)
        #expect(!FileManager.default.fileExists(atPath: prefix + "share/latchkey"))
        #expect(!FileManager.default.fileExists(atPath: prefix + "share/doc/latchkey"))
    }

    @Test func `a relative prefix is refused`() throws {
        let sandbox = try Sandbox()
        #expect(try install("install", sandbox, prefix: "usr").status == 64)
        #expect(try files(sandbox).isEmpty)
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/systemd-analyze"), "there is no systemd"),
        arguments: [("latchkey-maintain", "timer"), ("latchkey", "socket")])
    func `systemd accepts the units`(name: String, trigger: String) throws {
        let sandbox = try Sandbox()
        for kind in ["service", trigger] {
            let text = String(decoding: try SourceTree.contents(of: "packaging/\(name).\(kind)"), as: UTF8.self)
            try Data(text.replacing("@BINDIR@", with: "/bin").replacing("/bin/latchkey", with: "/bin/true").utf8)
                .write(to: sandbox.folder.appending(path: "\(name).\(kind)"))
        }
        for kind in ["service", trigger] {
            let ending = try sandbox.run(
                "/usr/bin/systemd-analyze", "verify", "--man=no", "\(sandbox.folder.path)/\(name).\(kind)")
            #expect(ending.status == 0 && !ending.stderr.contains(name), "\(ending.stderr)")
        }
    }

    /// Without TCP, no other program on the machine can claim to be the proxy.
    @Test func `only the proxy's group can connect to the packaged socket`() throws {
        let socket = String(decoding: try SourceTree.contents(of: "packaging/latchkey.socket"), as: UTF8.self)
        let lines = socket.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("Listen") } == ["ListenStream=/run/latchkey/http"])
        #expect(lines.contains("SocketGroup=www-data") && lines.contains("SocketMode=0660"))
        let service = String(decoding: try SourceTree.contents(of: "packaging/latchkey.service"), as: UTF8.self)
        let proxies = service.split(separator: "\n").filter { $0.hasPrefix("Exec") }
            .flatMap { $0.matches(of: #/--trusted-proxy (\S+)/#).map { String($0.1) } }
        #expect(proxies == ["unix"])
        // The folder must not change its owner after the socket is in it: systemd would change that of the socket too.
        for line in ["User=latchkey", "RuntimeDirectory=latchkey", "RuntimeDirectoryPreserve=yes"] {
            #expect(lines.contains(line[...]) && service.split(separator: "\n").contains(line[...]), "\(line)")
        }
    }

    @Test func `links in installed pages lead to installed files`() throws {
        let sandbox = try Sandbox()
        #expect(try install("install", sandbox).status == 0)
        let root = sandbox.folder.appending(path: "root/usr/local/share/doc/latchkey")
        var count = 0
        for page in ["README.md", "docs/cli.md", "docs/service.md", "docs/container.md", "docs/tutorials/todo.md"] {
            let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
            let folder = root.appending(path: page).deletingLastPathComponent()
            for link in text.matches(of: #/\]\(([^):#\s]+)[)#]/#) {
                count += 1
                let target = folder.appending(path: String(link.output.1)).standardizedFileURL
                #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(link.output.1)")
            }
        }
        #expect(count > 50)
    }

    /// The flags of the unit, in the environment that systemd gives a socket-activated service.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/systemd-socket-activate"), "there is no systemd"))
    func `the unit's service responds on the socket that systemd opens`() throws {
        let sandbox = try Sandbox()
        let unit = String(decoding: try SourceTree.contents(of: "packaging/latchkey.service"), as: UTF8.self)
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        let command = line.replacing("ExecStart=@BINDIR@/latchkey", with: "exec \(Sandbox.binary.path)")
        let socket = sandbox.folder.path + "/s"
        let script = """
            systemd-socket-activate --listen=\(socket) --setenv=HOME=\(sandbox.folder.path) --setenv=LATCHKEY_HASH_MEMORY=7168 \
                --setenv=LATCHKEY_HASH_ITERATIONS=5 sh -c '\(command)' &
            curl --silent --retry 60 --retry-delay 1 --retry-all-errors --unix-socket \(socket) \
                --output /dev/null --write-out '%{http_code}' http://localhost/api/v1/session
            kill $!
            wait
            """
        let ending = try sandbox.run("/bin/sh", "-c", script)
        // The service also prints its address, before or after the response.
        #expect(ending.stdout.contains("401"), "\(ending)")
    }
}
