import Foundation
import TestSupport
import Testing

/// `latchkey serve`, run as an operator would.
@Suite(.programs, .timeLimit(.minutes(60))) struct ServiceTests {
    /// The blocks of code of one language in docs/service.md.
    private static func blocks(_ language: String) throws -> [String] {
        let text = try String(contentsOf: URL(filePath: SourceTree.path(of: "docs/service.md")), encoding: .utf8)
        return text.components(separatedBy: "\n```").filter { $0.hasPrefix(language + "\n") }.map {
            String($0.dropFirst(language.count + 1)) + "\n"
        }
    }

    @Test func `the documented examples log in from curl, Python, Node and PHP`() throws {
        let sandbox = try Sandbox()
        let service = try RunningService(in: sandbox)
        let shell = try Self.blocks("sh").filter { $0.contains("curl") }.joined()
        let curl = try service.run("set -eu\n" + shell, "/bin/bash")
        #expect(curl.status == 0 && curl.stdout.contains(#""username":"ada""#), "\(curl.stdout)\(curl.stderr)")
        #expect(curl.stdout.contains(#""session":{"id""#), "\(curl.stdout)")
        for (language, program, arguments) in [
            ("python", "/usr/bin/python3", []), ("js", "/usr/bin/node", ["--input-type=module"]),
            ("php", "/usr/bin/php", []),
        ] {
            guard FileManager.default.isExecutableFile(atPath: program) else { continue }
            let blocks = try Self.blocks(language)
            #expect(blocks.count == 1)
            let ending = try service.run(blocks.joined(), program, arguments)
            #expect(
                ending.status == 0 && ending.stdout == "Hello, ada\n", "\(language): \(ending.stdout)\(ending.stderr)")
        }
        service.running.signal(SIGTERM)
        #expect(try service.running.ending().status == 0)
    }

    @Test func `commands work on the store of a running service, but a second service does not start`() throws {
        let sandbox = try Sandbox()
        let service = try RunningService(in: sandbox)
        try sandbox.setUp("ada")
        let login = try service.run(
            """
            curl -s http://localhost:8421/api/v1/flows/login -H 'Content-Type: application/json' \
                -d '{"values":{"username":"ada","password":"\(Sandbox.password)"}}'
            """, "/bin/bash")
        let token = try #require(login.stdout.firstMatch(of: #/"token":"([^"]+)"/#).map { String($0.1) })
        #expect(try sandbox.latchkey("sessions", "verify", input: token + "\n").stdout == "ada\n")
        #expect(try sandbox.latchkey("accounts", "disable", "ada").status == 0)
        let refused = try service.run(
            "curl -s http://localhost:8421/api/v1/session -H 'Authorization: Bearer \(token)'", "/bin/bash")
        #expect(refused.stdout.contains(#""code":"no_session""#))
        let second = try sandbox.latchkey("serve", "--listen", "127.0.0.1:0")
        #expect(second.status == 69)
        #expect(second.stderr.contains("Another latchkey serve"))
        service.running.signal(SIGINT)
        #expect(try service.running.ending().status == 0)
    }

    @Test func `a recovery message is in the outbox immediately`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let service = try RunningService(in: sandbox)
        let asked = try service.run(
            """
            curl -s http://localhost:8421/api/v1/flows/forgotPassword -H 'Content-Type: application/json' \
                -d '{"values":{"email_field":"ada@example.org"}}'
            """, "/bin/bash")
        #expect(asked.stdout == #"{"ok":true,"status":200,"code":"success"}"#)
        let outbox = sandbox.data.appending(path: "outbox/new").path
        try service.running.wait { (try? FileManager.default.contentsOfDirectory(atPath: outbox))?.isEmpty == false }
        service.running.signal(SIGTERM)
        #expect(try service.running.ending().status == 0)
    }

    @Test func `the service of the settings answers whether it is ready, and a second one cannot listen`() throws {
        let sandbox = try Sandbox()
        let service = try RunningService(["--port", "0", "--store", sandbox.folder.path + "/a.sqlite"], in: sandbox)
        let ready = try sandbox.latchkey("health", "--server", service.url)
        #expect(ready.status == 0 && ready.stdout.hasSuffix(" is ready: ok\n"), "\(ready)")
        let port = try #require(service.url.split(separator: ":").last.map(String.init))
        #expect(try sandbox.latchkey("config", "set", "service.port", port).status == 0)
        #expect(try sandbox.latchkey("health").stdout == "127.0.0.1:\(port) is ready: ok\n")
        let second = try sandbox.latchkey("serve", "--store", sandbox.folder.path + "/b.sqlite")
        #expect(second.status == 69 && second.stderr.contains("another program uses it"), "\(second)")
        service.running.signal(SIGTERM)
        #expect(try service.running.ending().status == 0)
        let gone = try sandbox.latchkey("health")
        #expect(gone.status == 69 && gone.stderr.contains("is not ready: unreachable"), "\(gone)")
    }

    @Test func `the monitoring pages are served only on a separate listener`() throws {
        let sandbox = try Sandbox()
        let socket = sandbox.folder.path + "/metrics"
        let service = try RunningService(["--metrics-listen", "unix:" + socket], in: sandbox)
        let ending = try service.run(
            """
            curl -s -o /dev/null http://localhost:8421/login
            for page in healthz readyz metrics; do curl -s --unix-socket \(socket) http://monitoring/$page; done
            curl -s -o /dev/null -w '%{http_code}\\n' http://localhost:8421/metrics
            """, "/bin/bash")
        #expect(ending.stdout.hasPrefix("ok\nok\n"))
        #expect(
            ending.stdout.contains(#"latchkey_http_responses_total{route="/login",status="200"} 1"#), "\(ending.stdout)"
        )
        #expect(ending.stdout.contains(#"latchkey_accounts{state="active"} 0"#))
        #expect(ending.stdout.contains("\nlatchkey_hash_queue_length 0\n"))
        #expect(ending.stdout.contains("\nlatchkey_hash_queue_refusals_total 0\n"))
        #expect(ending.stdout.hasSuffix("404\n"), "the service itself does not show them")
        service.running.signal(SIGTERM)
        #expect(try service.running.ending().status == 0)
    }

    @Test(
        arguments: [
            (["--listen", "0.0.0.0:0"], 78, "--origin"), (["--origin", "https://a.example"], 78, "--trusted-proxy"),
            (["--origin", "http://intranet"], 78, "--insecure-origin"),
            (["--origin", "http://localhost.example", "--trusted-proxy", "unix"], 78, "--insecure-origin"),
            (["--origin", "a.example"], 64, "--origin"), (["--listen", "a"], 64, "--listen"),
            (["--trusted-proxy", "x"], 64, "--trusted-proxy"), (["--return-origin", "/"], 64, "--return-origin"),
            (["--registration", "maybe"], 64, "--registration"), (["--proxy-header", "X"], 64, "--proxy-header"),
            (["--listen", "unix:/nowhere/at/all"], 69, "the folder of the socket does not exist"),
            (["--listen", "unix:/etc/passwd"], 69, "a file that is not a socket"),
            (["--listen", "unix:/" + String(repeating: "a", count: 107)], 64, "at most 107 bytes"),
            (
                ["--listen", "192.0.2.1:0", "--origin", "http://localhost"], 69,
                "this machine does not have the address"
            ),
            (["--listen", "unix:/proc/socket"], 69, "Cannot listen on unix:/proc/socket"),
            (["--port", "x"], 64, "--port"),
            (["--host", "0.0.0.0"], 78, "--origin"),
            (["--metrics-listen", "x"], 64, "--metrics-listen"),
            (["--socket-group", "no such group"], 64, "no such group"),
            (["--cookie-domain", "example.org"], 64, "--cookie-domain"),
            (["--theme", "/nowhere/at/all"], 66, "/nowhere/at/all"), (["--theme", "/proc/self/fd"], 66, "theme.css"),
            (["--theme", ""], 64, "--theme"),
        ] as [([String], Int32, String)])
    func `invalid or unsafe combinations of flags are refused`(flags: [String], status: Int32, name: String) throws {
        let ending = try Sandbox().latchkey(["serve"] + flags)
        #expect(ending.status == status, "\(ending.stderr)")
        #expect(ending.stderr.contains(name), "\(ending.stderr)")
    }

    @Test(arguments: [
        ["--origin", "http://notes.example.localhost"], ["--origin", "http://intranet", "--insecure-origin"],
    ])
    func `an http origin is served on this machine, or if the operator accepts it`(flags: [String]) throws {
        let sandbox = try Sandbox()
        let running = try RunningBinary(sandbox, ["serve", "--listen", "127.0.0.1:0", "--quiet"] + flags)
        try running.wait { try running.printed().contains("Serving " + flags[1]) }
        running.signal(SIGTERM)
        #expect(try running.ending().status == 0)
    }

    @Test func `an invalid theme stops the service at its start`() throws {
        let sandbox = try Sandbox()
        let folder = sandbox.folder.appending(path: "theme")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        func refusal(_ name: String, _ content: String, mode: Int = 0o644) throws -> Sandbox.Ending {
            let file = folder.appending(path: name).path
            #expect(
                FileManager.default.createFile(
                    atPath: file, contents: Data(content.utf8), attributes: [.posixPermissions: mode]))
            defer { try? FileManager.default.removeItem(atPath: file) }
            return try sandbox.latchkey("serve", "--listen", "127.0.0.1:0", "--theme", folder.path)
        }
        for (name, content, mode, status) in [
            ("themes.css", "", 0o644, 66), ("theme.css", String(repeating: " ", count: 65_537), 0o644, 65),
            ("logo.svg", "no picture", 0o644, 65), ("logo.png", "<svg/>", 0o644, 65),
            ("theme.css", "main {}", 0o666, 77),
        ] as [(String, String, Int, Int32)] {
            let ending = try refusal(name, content, mode: mode)
            #expect(ending.status == status, "\(name): \(ending.stderr)")
            #expect(ending.stderr.contains(folder.path), "\(ending.stderr)")
        }
    }

    @Test func `only the group can connect to a Unix socket`() throws {
        let sandbox = try Sandbox()
        let path = sandbox.folder.path + "/http"
        // Only root can assign a socket to any group.
        let group = getuid() == 0 ? 1 : getgid()
        let name = try #require(unsafe getgrgid(group).map { unsafe String(cString: $0.pointee.gr_name) })
        let running = try RunningBinary(
            sandbox, ["serve", "--listen", "unix:" + path, "--socket-group", name, "--quiet"])
        try running.wait { try running.printed().contains("\n") }
        var status = stat()
        #expect(unsafe lstat(path, &status) == 0)
        #expect(status.st_gid == group)
        #expect(status.st_mode & 0o777 == 0o660)
        running.signal(SIGTERM)
        #expect(try running.ending().status == 0)
    }

    @Test func `the service notifies its manager when it is ready, active and stopping`() throws {
        let sandbox = try Sandbox()
        let path = sandbox.folder.path + "/notify"
        let listener = """
            import socket, sys
            inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            inbox.bind(sys.argv[1])
            print("bound", flush=True)
            while True:
                print(inbox.recv(256).decode(), flush=True)
            """
        let manager = try RunningBinary(sandbox, [], through: ["/usr/bin/python3", "-c", listener, path])
        try manager.wait { try manager.printed().contains("bound") }
        let running = try RunningBinary(
            sandbox, ["serve", "--listen", "127.0.0.1:0", "--quiet"],
            environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000"])
        try manager.wait { try manager.printed().components(separatedBy: "WATCHDOG=1").count > 3 }
        running.signal(SIGTERM)
        #expect(try running.ending().status == 0)
        try manager.wait { try manager.printed().contains("STOPPING=1") }
        #expect(try manager.printed().contains("READY=1\n"))
        manager.signal(SIGKILL)
    }

    /// S-163.
    @Test func `the log has a line for each request without private data`() throws {
        let sandbox = try Sandbox()
        let running = try RunningBinary(sandbox, ["serve", "--listen", "127.0.0.1:0"])
        var printed = ""
        try running.wait { () throws in
            printed = try running.printed()
            return printed.contains("\n")
        }
        let url = try #require(printed.firstMatch(of: #/Serving (\S+)/#).map { String($0.1) })
        _ = try Program(
            path: "/usr/bin/curl",
            arguments: [
                "-s", url + "/login?return=/canary", "-H", "Cookie: latchkey=canary", "-H",
                "Authorization: Bearer canary",
            ],
            input: Data(), environment: sandbox.environment, folder: sandbox.folder
        ).run()
        try running.wait { try running.printed().contains(#""route":"/login""#) }
        running.signal(SIGTERM)
        let output = try running.ending().stdout
        #expect(!output.contains("canary"))
        let line = try #require(output.split(separator: "\n").first { $0.contains("route") })
        let entry = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(Set(entry.keys) == ["time", "level", "request", "method", "route", "status", "ms", "peer", "client"])
        #expect(entry["client"] as? String == "127.0.0.1" && entry["level"] as? String == "info")
        // No sentence stands between the lines, except for the address, which is the result of the command.
        for line in output.split(separator: "\n") where !line.hasPrefix("Serving ") {
            let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(entry?["level"] is String && entry?["time"] is String, "\(line)")
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fail2ban-regex"), "fail2ban is not installed"))
    func `fail2ban finds the clients of failed logins behind a proxy`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let running = try RunningBinary(
            sandbox, ["serve", "--listen", "unix:\(sandbox.folder.path)/s", "--trusted-proxy", "unix"])
        try running.wait { try running.printed().contains("Serving") }
        func ask(_ client: String, _ arguments: [String]) throws {
            let curl = ["-s", "-o", "/dev/null", "--unix-socket", sandbox.folder.path + "/s"]
            let ending = try Program(
                path: "/usr/bin/curl",
                arguments: curl + ["-H", "X-Forwarded-For: \(client)", "-H", "Sec-Fetch-Site: same-origin"] + arguments,
                input: Data(), environment: sandbox.environment, folder: sandbox.folder
            ).run()
            #expect(ending.status == 0)
        }
        let page = ["http://localhost/login", "-d", "username=ada", "-d"]
        let json = ["http://localhost/api/v1/flows/login", "-H", "Content-Type: application/json", "-d"]
        try ask("192.0.2.1", page + ["password=wrong"])
        try ask("2001:db8::1", json + [#"{"values":{"username":"ada","password":"wrong"}}"#])
        try ask("192.0.2.2", page + ["password=correct+horse+battery"])
        try ask("192.0.2.3", ["http://localhost/login"])
        try ask("192.0.2.4", ["http://localhost/\"client\":\"192.0.2.5\"", "-A", #"","client":"192.0.2.6","#])
        running.signal(SIGTERM)
        let log = sandbox.folder.appending(path: "log")
        try Data(try running.ending().stdout.utf8).write(to: log)
        let found = try sandbox.run(
            "/usr/bin/fail2ban-regex", "-o", "<ip>", log.path, SourceTree.path(of: "Examples/fail2ban/latchkey.conf"))
        #expect(found.stdout.split(separator: "\n") == ["192.0.2.1", "2001:db8::1"], "\(found)")
    }

    @Test func `without a sealing key all failed logins get the same response, and the log has the reason`() throws {
        let sandbox = try Sandbox()
        let service = try RunningService(in: sandbox)
        try sandbox.setUp("bo")
        #expect(try sandbox.latchkey("pepper", "add").status == 0)
        try sandbox.setUp("ada")
        let folder = sandbox.store.deletingLastPathComponent().appending(path: "keys/pepper.d")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let (key, elsewhere) = (folder.appending(path: name), sandbox.folder.appending(path: name))
        func status(_ username: String, _ password: String) throws -> String {
            try service.run(
                """
                curl -s -o /dev/null -w '%{http_code}' http://localhost:8421/api/v1/flows/login \
                    -H 'Content-Type: application/json' \
                    -d '{"values":{"username":"\(username)","password":"\(password)"}}'
                """, "/bin/bash"
            ).stdout
        }
        try FileManager.default.moveItem(at: key, to: elsewhere)
        for (username, password) in [
            ("ada", Sandbox.password), ("bo", "not the password"), ("nobody", "not the password"),
        ] {
            #expect(try status(username, password) == "503")
        }
        try service.running.wait { try service.running.printed().contains("are missing from keys/pepper.d") }
        try FileManager.default.moveItem(at: elsewhere, to: key)
        #expect(try status("ada", Sandbox.password) == "200")
        #expect(try status("nobody", "not the password") == "401")
        service.running.signal(SIGTERM)
        #expect(try service.running.ending().status == 0)
    }
}
