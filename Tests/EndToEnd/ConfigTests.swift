import Foundation
import TestSupport
import Testing

/// `config show`: current settings, their origins, and problems.
@Suite(.programs, .timeLimit(.minutes(60))) struct ConfigTests {
    private func write(_ text: String, _ name: String, _ sandbox: Sandbox) throws -> String {
        let file = sandbox.folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func rows(_ ending: Sandbox.Ending) throws -> [String: [String: Any]] {
        let rows = try #require(ending.json()["settings"] as? [[String: Any]])
        return Dictionary(rows.map { ($0["setting"] as? String ?? "", $0) }, uniquingKeysWith: { one, _ in one })
    }

    @Test func `each setting is shown with its origin`() throws {
        let sandbox = try Sandbox()
        let user = try write(
            #"{"lang": "pt", "hash": {"parallelism": 2, "memory": 99999}, "mailer": ["sendmail", "-t"],"#
                + #" "messages": {"response.taken": "Foi-se"}, "no_input": true}"#,
            ".config/latchkey/config.json", sandbox)
        let ending = try sandbox.latchkey(
            "config", "show", "--json", "--policy", "nist",
            environment: ["LATCHKEY_SENDER": "desk@example.org", "NO_COLOR": "1", "LATCHKEY_HASH_MEMORY": "65536"])
        #expect(ending.status == 0 && ending.stderr.isEmpty, "\(ending.stderr)")
        let rows = try rows(ending)
        func expect(_ key: String, _ value: String, _ source: String, _ name: String?) {
            let row = rows[key]
            #expect("\(row?["value"] ?? "")" == value, "\(key)")
            #expect(row?["source"] as? String == source, "\(key)")
            #expect(row?["name"] as? String == name, "\(key)")
        }
        expect("policy", "nist", "flag", "--policy")
        expect("sender", "desk@example.org", "environment", "LATCHKEY_SENDER")
        expect("no_color", "1", "environment", "NO_COLOR")
        expect("hash.memory", "65536", "environment", "LATCHKEY_HASH_MEMORY")
        expect("hash.iterations", "5", "environment", "LATCHKEY_HASH_ITERATIONS")
        expect("hash.parallelism", "2", "file", user)
        expect("lang", "pt", "file", user)
        expect("no_input", "1", "file", user)
        expect("messages.response.taken", "Foi-se", "file", user)
        expect("audit.days", "365", "default", nil)
        expect("service_name", "Latchkey", "default", nil)
        expect("store", sandbox.store.path, "default", nil)
        expect("forms", "<null>", "default", nil)
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.path), "no store is made")

        let text = try sandbox.latchkey("config", "show", "--lang", "en", "--policy", "nist").stdout
        for line in [
            "policy = nist  (--policy)", "hash.parallelism = 2  (\(user))", #"mailer = ["sendmail","-t"]  (\#(user))"#,
            "audit.size = 100  (default)", "forms = not set  (default)", "lang = en  (--lang)",
        ] { #expect(text.contains(line + "\n"), "\(line)") }
    }

    @Test func `without a setting, the language comes from the locale`() throws {
        let sandbox = try Sandbox()
        let rows = try rows(sandbox.latchkey("config", "show", "--json", environment: ["LC_ALL": "pt_PT.UTF-8"]))
        #expect(rows["lang"]?["value"] as? String == "pt" && rows["lang"]?["name"] as? String == "LC_ALL")
    }

    @Test func `invalid variables and files are reported, and other settings are shown`() throws {
        let sandbox = try Sandbox()
        let user = try write(#"{"policy": "nist", "colour": 1}"#, ".config/latchkey/config.json", sandbox)
        let environment = ["LATCHKEY_HASH_PARALLELISM": "much", "LATCHKEY_LANG": "en", "LATCHKEY_HASH_MEMORY": "1024"]
        let ending = try sandbox.latchkey(["config", "show", "--json"], environment: environment)
        #expect(ending.status == 78)
        let answer = try ending.json()
        #expect(answer["code"] as? String == "settings_refused" && answer["ok"] as? Bool == false)
        let errors = try #require(answer["errors"] as? [[String: Any]])
        #expect(errors.map { $0["field"] as? String } == ["LATCHKEY_HASH_PARALLELISM", user, "hash"])
        #expect(errors.map { $0["code"] as? String } == ["bad_number", "configuration_refused", "hash_cost"])
        #expect((errors[1]["message"] as? String)?.contains("\(user):1:20: unknown key \"colour\"") == true)
        let rows = try rows(ending)
        #expect(rows["policy"]?["value"] as? String == "nist", "the other keys of the file are shown")
        #expect(rows["lang"]?["name"] as? String == "LATCHKEY_LANG")

        let text = try sandbox.latchkey(["config", "show"], environment: environment)
        #expect(text.status == 78)
        #expect(text.stdout.contains("hash.memory = 1024  (LATCHKEY_HASH_MEMORY)\n"))
        #expect(text.stderr.contains("Some settings are not valid"))
        #expect(text.stderr.contains("LATCHKEY_HASH_PARALLELISM needs a whole number"))
        // Other commands stop at the first problem.
        #expect(try sandbox.latchkey(["accounts", "list"], environment: environment).status == 64)
    }

    @Test(arguments: ["/nonexistent/config.json", "/", "/dev/null"])
    func `an unreadable configuration file is reported`(path: String) throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey("config", "show", "--config", path, "--json")
        #expect(ending.status == 78)
        let errors = try #require(ending.json()["errors"] as? [[String: Any]])
        #expect(errors.count == 1 && errors[0]["field"] as? String == path)
    }

    /// S-144.
    @Test func `config check reports every problem with its position`() throws {
        let sandbox = try Sandbox()
        let path = try write(
            """
            { "polcy": "nist",
              "hash": { "memory": "much", "memmory": 1 },
              "audit.days": 0,
              "lang": "en", "sender": "a", "hash.memory": 99999 }
            """, "config.json", sandbox)
        let ending = try sandbox.latchkey("config", "check", "--config", path, environment: ["LATCHKEY_POLICY": "x"])
        #expect(ending.status == 78 && ending.stdout.isEmpty)
        let lines = ending.stderr.split(separator: "\n").map(String.init)
        for problem in [
            "LATCHKEY_POLICY", ":1:3: ", ":2:", #""hash.memory" is set twice"#, "memmory", ":3:",
        ] { #expect(lines.contains { $0.contains(problem) }, "\(problem): \(ending.stderr)") }
        #expect(lines.count >= 6, "\(ending.stderr)")
        // A misspelled policy does not weaken anything: no command opens a store with it.
        let typo = try write(#"{"polcy": "nist"}"#, "typo.json", sandbox)
        for arguments in [["setup", "--username", "ada"], ["accounts", "list"], ["store", "check"], ["whoami"]] {
            let ending = try sandbox.latchkey(arguments + ["--config", typo])
            #expect(ending.status == 78 && ending.stderr.contains(":1:2: "), "\(arguments): \(ending.stderr)")
        }
    }

    @Test func `config check refuses an origin that serve refuses`() throws {
        let sandbox = try Sandbox()
        func status(_ origin: String, _ other: String = "") throws -> Int32 {
            let path = try write(#"{"service": {"origin": "\#(origin)"\#(other)}}"#, "config.json", sandbox)
            let ending = try sandbox.latchkey("config", "check", "--config", path)
            #expect(ending.stderr.isEmpty || ending.stderr.contains("service.insecure_origin"), "\(ending.stderr)")
            return ending.status
        }
        #expect(try status("http://intranet") == 78)
        #expect(try status("http://intranet", #", "insecure_origin": false"#) == 78)
        #expect(try status("http://intranet", #", "insecure_origin": true"#) == 0)
        #expect(try status("http://accounts.localhost:8420") == 0)
        #expect(try status("https://accounts.example.org", #", "trusted_proxies": ["unix"]"#) == 0)
    }

    @Test(arguments: [
        (#""origin": "https://accounts.example.org""#, "service.trusted_proxies"),
        (#""listen": ["127.0.0.1:8499", "127.0.0.1:8499"]"#, "service.listen"),
        (#""listen": ["127.0.0.1:8499"], "metrics_listen": "127.0.0.1:8499""#, "service.metrics_listen"),
    ])
    func `config check and serve refuse the same settings for the same reason`(service: String, key: String) throws {
        let sandbox = try Sandbox()
        let path = try write("{\"service\": {\(service)}}", "config.json", sandbox)
        let check = try sandbox.latchkey("config", "check", "--config", path)
        let serve = try sandbox.latchkey("serve", "--config", path)
        #expect(check.status == 78 && check.stderr.contains(key), "\(check.stderr)")
        let reason = try #require(check.stderr.split(separator: "\n").last).trimmingPrefix("  ")
        #expect(serve.status == 78 && serve.stderr.contains(reason), "\(serve.stderr)")
    }

    @Test func `config check takes the flags with which serve runs`() throws {
        let sandbox = try Sandbox()
        let path = try write(#"{"service": {"origin": "https://accounts.example.org"}}"#, "config.json", sandbox)
        let ending = try sandbox.latchkey("config", "check", "--config", path, "--trusted-proxy", "unix")
        #expect(ending.status == 0 && ending.stdout == "All settings are valid\n", "\(ending.stderr)")
        // The doctor cannot know the flags, so it warns.
        let doctor = try sandbox.latchkey("doctor", "--config", path)
        #expect(doctor.stdout.contains("latchkey serve would not start"), "\(doctor.stdout)\(doctor.stderr)")
    }

    @Test func `the address of a mail server gets the JSON that the setting needs`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey("config", "set", "mailer", "smtps://ada:secret@mail.example.org:465")
        #expect(ending.status == 64 && !ending.stderr.contains("secret"))
        let object = try #require(ending.stderr.split(separator: "'").dropFirst().first)
        #expect(object.contains("smtps://mail.example.org:465"))
        #expect(try sandbox.latchkey("config", "set", "mailer", String(object)).status == 0)
        #expect(try sandbox.latchkey("config", "check").status == 0)
    }

    /// S-144.
    @Test func `the sample configuration is valid, and the guide has the reason for each key`() throws {
        let sandbox = try Sandbox()
        let sample = SourceTree.path(of: "packaging/config.json")
        // The check also finds a folder and a program that this machine lacks.
        let copy = String(decoding: try SourceTree.contents(of: "packaging/config.json"), as: UTF8.self)
            .replacing("/etc/latchkey/forms", with: try sandbox.formsWithOptionalUsername())
            .replacing("\"sendmail\"", with: "\"tee\"")
        try sandbox.write(copy, to: "config.json")
        let ending = try sandbox.latchkey("config", "check", "--config", "config.json")
        #expect(ending.status == 0 && ending.stdout == "All settings are valid\n", "\(ending.stderr)")
        let rows = try rows(
            Program(
                path: Sandbox.binary.path, arguments: ["config", "show", "--json", "--config", sample], input: Data(),
                environment: [:], folder: sandbox.folder
            ).run())
        let named = Set(rows.filter { $0.value["source"] as? String == "file" }.map(\.key))
        #expect(named.isDisjoint(with: ["no_input", "policy", "forms", "mailer"]), "these do not work as they are")
        let guide = String(decoding: try SourceTree.contents(of: "docs/service.md"), as: UTF8.self)
        for key in named {
            let group = String(key.prefix { $0 != "." })
            #expect(
                guide.contains("`\(key)`") || group != "service" && guide.contains("`\(group)`")
                    || key.hasSuffix("_per_day") || key.hasSuffix("_per_hour"), "\(key)")
        }
    }

    /// As the unit does, but with another store and socket.
    @Test func `the service runs with the sample configuration as it is`() throws {
        let sandbox = try Sandbox()
        let running = try RunningBinary(
            sandbox,
            [
                "serve", "--no-input", "--json", "--trusted-proxy", "unix", "--listen", "unix:\(sandbox.folder.path)/s",
                "--store", sandbox.folder.path + "/accounts.sqlite", "--config",
                SourceTree.path(of: "packaging/config.json"),
            ])
        try running.wait { try running.printed().contains("https://accounts.example.org") }
        let page = try sandbox.run(
            "/usr/bin/curl", "-s", "--unix-socket", sandbox.folder.path + "/s", "-H", "Host: accounts.example.org",
            "http://x/login")
        #expect(page.stdout.contains("Example"), "\(page)")
        running.signal(SIGTERM)
        let ending = try running.ending()
        #expect(ending.status == 0)
        for line in ending.stdout.split(separator: "\n") {
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["level"] is String || object?["url"] is String, "\(line)")
        }
    }

    @Test func `a setting is changed and removed in the file, and its other keys and permissions stay`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(#"{ "service.origin": "https://a.example", "service": { "admins": "staff" } }"#, to: "c.json")
        let file = sandbox.folder.appending(path: "c.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        func change(_ words: String...) throws -> Sandbox.Ending {
            try sandbox.latchkey(["config", "--config", "c.json"] + words)
        }
        #expect(
            try change("set", "service.origin", "https://b.example").stdout
                == "service.origin = https://b.example (was https://a.example) in c.json\n")
        #expect(try change("set", "service.trusted_proxies", "unix", "10.0.0.0/8").status == 0)
        #expect(try change("set", "verify_email", "on").status == 0)
        #expect(try change("set", "mailer", "sendmail", "--", "-t").status == 0)
        #expect(try change("unset", "mailer").stdout.hasPrefix(#"Removed mailer (was ["sendmail","-t"])"#))
        #expect(try change("unset", "mailer").stdout.contains("does not have mailer"))
        #expect(
            try String(contentsOf: file, encoding: .utf8) == """
                {
                  "service.origin": "https://b.example",
                  "service": {
                    "admins": "staff",
                    "trusted_proxies": ["unix","10.0.0.0/8"]
                  },
                  "verify_email": true
                }

                """)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(
            try change("show", "service.origin", "service.trusted_proxies").stdout
                == "service.origin = https://b.example  (c.json)\n"
                + #"service.trusted_proxies = ["unix","10.0.0.0/8"]  (c.json)"# + "\n")
    }

    @Test(arguments: [
        (["service.origin", "b.example"], 64, "service.origin needs"), (["hash.memory", "-1"], 64, "-1"),
        (["hash.memory", "1"], 78, "too low"), (["policy", "NIST"], 64, "standard, nist"),
        (["factors", "no"], 64, "optional, required"), (["verify_email", "maybe"], 64, "on, off"),
        (["theme", "dark"], 64, "\"terminal.theme\", \"service.theme\""), (["nothing", "x"], 64, "The settings are: "),
        (["messages.nothing", "x"], 78, "no message"), (["sender", "a", "b"], 64, "Too many"),
        (["sender"], 64, "VALUE"),
        (["lang", "de"], 78, "Known: en, pt"), (["mailer", "{"], 78, "mailer"),
        (["groups.initial", "Staff!"], 64, "groups.initial"),
        (["service.listen", "nonsense"], 64, "service.listen needs"),
        (["service.theme", "/nowhere"], 66, "/nowhere"),
        (["service.trusted_proxies", "x"], 64, "service.trusted_proxies"),
        (["service.socket_group", "no such group"], 64, "no such group"), (["forms", "/nowhere"], 66, "/nowhere"),
        (["languages", "/nowhere"], 66, "/nowhere"),
    ])
    func `a refused value changes nothing in the file`(words: [String], status: Int32, part: String) throws {
        let sandbox = try Sandbox()
        let text = #"{"lang":"en"}"#
        try sandbox.write(text, to: "c.json")
        let ending = try sandbox.latchkey(["config", "set", "--config", "c.json"] + words)
        #expect(ending.status == status && ending.stderr.contains(part), "\(ending)")
        #expect(try String(contentsOf: sandbox.folder.appending(path: "c.json"), encoding: .utf8) == text)
    }

    @Test func `a key of an earlier version can be removed, and wrong JSON is named`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(#"{"theme":"dark","lang":"en"}"#, to: "c.json")
        #expect(try sandbox.latchkey("config", "unset", "theme", "--config", "c.json").status == 0)
        #expect(try sandbox.latchkey("config", "check", "--config", "c.json").status == 0)
        #expect(try sandbox.latchkey("config", "unset", "theme", "--config", "c.json").status == 64)
        try sandbox.write("{ bad", to: "c.json")
        let broken = try sandbox.latchkey("config", "set", "lang", "pt", "--config", "c.json")
        #expect(broken.status == 78 && broken.stderr.contains("c.json:1:3"), "\(broken)")
    }

    @Test func `config set reports what overrides it and what keeps serve from starting`() throws {
        let sandbox = try Sandbox()
        let overridden = try sandbox.shell(
            "LATCHKEY_ORIGIN=https://b.example latchkey config set service.origin https://a.example")
        #expect(overridden.status == 0 && overridden.stderr.contains("LATCHKEY_ORIGIN overrides"), "\(overridden)")
        #expect(try sandbox.latchkey("config", "unset", "service.origin").status == 0)
        let unsafe = try sandbox.latchkey("config", "set", "service.listen", ":8421")
        #expect(unsafe.status == 0 && unsafe.stderr.contains("would not start"), "\(unsafe)")
        #expect(try sandbox.latchkey("config", "check").status == 78)
        #expect(try sandbox.latchkey("doctor").status == 1)
    }

    @Test func `without a home folder there is no default store`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey("config", "show", "--json", environment: ["HOME": "relative"])
        #expect(ending.status == 0)
        #expect(try rows(ending)["store"]?["value"] is NSNull)
    }
}
