import Foundation
import Testing

/// `hash …` and `pepper …`, with the real binary.
@Suite(.programs, .timeLimit(.minutes(60))) struct HashCommandTests {
    private static let bcrypt = "$2b$04$KXWpk83FAOfFCqBqShdbTeah3VbADtD9I1nQGQnmX2L.9x1Fkr98W"

    /// S-35.
    @Test func `a hash is described by its scheme and never printed`() throws {
        let sandbox = try Sandbox()
        let rows: [(String, [String: String])] = [
            (Self.bcrypt, ["scheme": "bcrypt", "verified": "true", "renewed": "true", "reason": "scheme"]),
            (
                "$6$S8.llrUKJawEWqbk$5TMjzIKi0La9WztfZ3TkMr5yQbrQdG4Ooy8L2KOre9vYS6oWTdaVBaoheEUgV5wONS1ojqrKUMo1cuYU6aDxt1",
                ["scheme": "sha512-crypt", "verified": "true", "renewed": "true", "reason": "scheme"]
            ),
            (
                "$argon2id$v=19$m=19456,t=2,p=1$hcjeiNKIZr8IaAkLOWEWKw$513rQsuY1SQDsLvQFitVepijtMco5Xy49BSyUgm7v7Y",
                ["scheme": "argon2id", "verified": "true", "renewed": "false", "reason": "current"]
            ),
            (
                "$argon2id$v=19$m=65536,t=3,p=1$8P+jQzXvl5/PeaIAh0dJ2g$4azC0Hb8a5rqdgZNXQNkOt+ytLdpVBgH3tSsEsF1CyY",
                ["scheme": "argon2id", "renewed": "false", "reason": "stronger"]
            ),
            (
                "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/",
                ["scheme": "md5-crypt", "verified": "false", "reason": "unsupported"]
            ),
            (
                "$2b$31$KXWpk83FAOfFCqBqShdbTeah3VbADtD9I1nQGQnmX2L.9x1Fkr98W",
                ["scheme": "bcrypt", "verified": "false", "renewed": "false", "reason": "cost_too_high"]
            ),
        ]
        for (hash, expected) in rows {
            let ending = try sandbox.latchkey(
                ["hash", "inspect", "--json"], input: Data((hash + "\n").utf8),
                environment: ["LATCHKEY_HASH_MEMORY": "19456", "LATCHKEY_HASH_ITERATIONS": "2"])
            #expect(ending.status == 0, "\(hash)")
            let answer = try ending.json()
            for (key, value) in expected {
                let found = (answer[key] as? Bool).map { "\($0)" } ?? answer[key] as? String
                #expect(found == value, "\(hash) \(key)")
            }
            let digest = String(hash.suffix(10))
            #expect(!(ending.stdout + ending.stderr).contains(digest))
        }
        let dear = try sandbox.latchkey(
            ["hash", "inspect"], input: Data((Self.bcrypt.replacing("$04$", with: "$31$") + "\n").utf8))
        #expect(dear.stdout.hasPrefix("bcrypt cost=31\n"), "what it asks for is why it is refused")
        let plain = try sandbox.latchkey(["hash", "inspect"], input: Data("hunter2 hunter2\n".utf8))
        #expect(plain.status == 65)
        #expect(!plain.stderr.contains("hunter2"))
    }

    /// S-157.
    @Test func `each hash engine verifies hashes of the others, and commands show the engine`() throws {
        let engines = try ["reference", "baseline", "avx2", "avx512"].filter { engine in
            try Sandbox().latchkey("config", "show", environment: ["LATCHKEY_ARGON2": engine]).status == 0
        }
        #expect(engines.starts(with: ["reference", "baseline"]))
        let sandbox = try Sandbox()
        for engine in engines {
            let environment = ["LATCHKEY_ARGON2": engine]
            let created = try sandbox.latchkey(
                "setup", "--username", engine, "--email", "\(engine)@example.org", "--password-stdin",
                input: Sandbox.password + "\n", environment: environment)
            try #require(created.status == 0, "\(created.stderr)")
            let settings = try sandbox.latchkey("config", "show", environment: environment).stdout
            #expect(settings.contains("hash.engine = \(engine)  (LATCHKEY_ARGON2)\n"))
            let report = try sandbox.latchkey("hash", "report", "--json", environment: environment).json()
            #expect(report["engine"] as? String == engine)
        }
        for (account, engine) in zip(engines, engines.dropFirst() + engines.prefix(1)) {
            let ending = try sandbox.latchkey(
                "login", "--username", account, "--password-stdin", input: Sandbox.password + "\n",
                environment: ["LATCHKEY_ARGON2": engine])
            #expect(ending.status == 0, "\(account) with \(engine)")
        }
    }

    @Test func `an unknown engine is refused with a list of known ones`() throws {
        let sandbox = try Sandbox()
        let variable = try sandbox.latchkey("config", "show", environment: ["LATCHKEY_ARGON2": "sse9"])
        #expect(variable.status == 78 && variable.stderr.contains("reference, baseline, avx2, avx512"))
        let file = sandbox.folder.appending(path: "config.json")
        try Data(#"{"hash.engine": "sse9"}"#.utf8).write(to: file)
        let member = try sandbox.latchkey("config", "show", "--config", file.path)
        #expect(member.status == 78 && member.stderr.contains("reference, baseline, avx2, avx512"))
    }

    /// S-23, S-24, S-29.
    @Test func `hash verify prints a verdict for every line`() throws {
        let sandbox = try Sandbox()
        let x72 = String(repeating: "x", count: 72)
        let rows: [(String, String)] = [
            (#"{"id":1,"hash":"\#(Self.bcrypt)","password":"\#(x72)"}"#, #"{"id":1,"valid":true}"#),
            (#"{"id":2,"hash":"\#(Self.bcrypt)","password":"y"}"#, #"{"id":2,"valid":false}"#),
            (
                #"{"id":3,"password":"\u0078\#(x72.dropFirst())","hash":"\#(Self.bcrypt)","more":[{}]}"#,
                #"{"id":3,"valid":true}"#
            ),
            (
                #"{"id":4,"hash":"$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/","password":"x"}"#,
                #"{"id":4,"error":"unsupported"}"#
            ),
            (
                #"{"id":5,"hash":"$argon2id$m=8,t=1,p=1$AAAA$AAAA","password":"x"}"#,
                #"{"id":5,"error":"malformed_hash"}"#
            ),
            (#"{"id":6,"hash":"plain text","password":"x"}"#, #"{"id":6,"error":"malformed_hash"}"#),
            (
                #"{"id":7,"hash":"\#(Self.bcrypt.replacing("$04$", with: "$31$"))","password":"x"}"#,
                #"{"id":7,"error":"cost_too_high"}"#
            ),
            (#"{"id":8,"hash":"x"}"#, #"{"id":8,"error":"bad_request"}"#),
            (#"{"id":9,"hash":"x","password":"\ud800"}"#, #"{"id":9,"error":"bad_request"}"#),
            (#"{"hash":"x","password":"x"}"#, #"{"id":null,"error":"bad_request"}"#),
            ("nonsense", #"{"id":null,"error":"bad_request"}"#),
        ]
        let ending = try sandbox.latchkey(
            "hash", "verify", "--jsonl", input: rows.map { $0.0 + "\n" }.joined())
        #expect(ending.status == 0)
        #expect(ending.stdout.split(separator: "\n").map(String.init) == rows.map(\.1))
        for command in [["hash", "verify"], ["validate"]] {
            let unsaid = try sandbox.latchkey(command)
            #expect(unsaid.status == 64 && unsaid.stderr.contains("--jsonl") && !unsaid.stderr.contains("validate"))
        }
    }

    /// S-28, S-29, S-35.
    @Test func `the report counts accounts with outdated hashes`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.setUp("grace")
        try sandbox.setPasswordHash(Self.bcrypt, ofAll: "grace")
        let baseline = ["LATCHKEY_ARGON2": "baseline"]
        let report = try sandbox.latchkey("hash", "report", environment: baseline)
        #expect(
            report.stdout
                == "1  argon2id  m=7168,t=5,p=1  bare  current  baseline\n1  bcrypt  cost=4  bare  outdated\n")
        let login = try sandbox.latchkey(
            "login", "--username", "grace", "--password-stdin", input: String(repeating: "x", count: 72) + "\n")
        #expect(login.status == 0, "\(login.stderr)")
        let after = try sandbox.latchkey("hash", "report", "--json", environment: baseline)
        #expect(
            after.stdout == """
                {"scheme":"argon2id","parameters":"m=7168,t=5,p=1","key":null,"state":"current","count":2,\
                "engine":"baseline"}

                """)
    }

    /// S-28.
    @Test func `rehashing at login can be turned off`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let dearer = ["LATCHKEY_HASH_MEMORY": "7168", "LATCHKEY_HASH_ITERATIONS": "6"]
        let login = ["login", "--username", "ada", "--password-stdin"]
        let password = Data("correct horse battery\n".utf8)
        func parameters() throws -> String {
            String(try sandbox.passwordHash().split(separator: "$")[2])
        }
        #expect(try sandbox.latchkey(login + ["--no-rehash"], input: password, environment: dearer).status == 0)
        #expect(try parameters() == "m=7168,t=5,p=1")
        #expect(try sandbox.latchkey(login, input: password, environment: dearer).status == 0)
        #expect(try parameters() == "m=7168,t=6,p=1")
        #expect(try sandbox.latchkey(login, input: password).status == 0)
        #expect(try parameters() == "m=7168,t=6,p=1")
        #expect(try sandbox.latchkey(login + ["--allow-downgrade"], input: password).status == 0)
        #expect(try parameters() == "m=7168,t=5,p=1")
    }

    /// S-26: calibrates under a limit of the address space, and then uses the proposal under it.
    @Test func `parameters proposed under a memory limit work under that limit`() throws {
        let sandbox = try Sandbox()
        let little = try sandbox.shell("ulimit -v 1048576; latchkey hash calibrate --target-ms 50 --json --apply")
        try #require(little.status == 0, "\(little.stderr)")
        let answer = try little.json()
        #expect(answer["applied"] as? Bool == true)
        let configuration = sandbox.folder.appending(path: ".config/latchkey/config.json")
        let written = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: configuration)) as? [String: [String: Int]])
        #expect(written["hash"]?["memory"] == answer["memory"] as? Int)
        #expect(written["hash"]?["iterations"] == answer["iterations"] as? Int)
        let setup = try sandbox.shell(
            """
            unset LATCHKEY_HASH_MEMORY LATCHKEY_HASH_ITERATIONS; ulimit -v 1048576
            echo 'correct horse battery' | latchkey setup --username ada --email ada@example.org --password-stdin
            """)
        #expect(setup.status == 0, "\(setup.stderr)")
    }

    /// S-26.
    @Test func `calibration replaces a dotted key instead of adding a nested one`() throws {
        let sandbox = try Sandbox()
        let file = sandbox.folder.appending(path: "config.json")
        try Data(#"{"hash.memory": 70000}"#.utf8).write(to: file)
        let ending = try sandbox.latchkey("hash", "calibrate", "--target-ms", "50", "--config", file.path, "--apply")
        try #require(ending.status == 0, "\(ending.stderr)")
        let written = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        #expect(written["hash.memory"] is Int && Set(written.keys) == ["hash", "hash.memory"])
        #expect(Set(try #require(written["hash"] as? [String: Int]).keys) == ["iterations", "parallelism"])
        #expect(try sandbox.latchkey("config", "show", "--config", file.path).status == 0)
    }

    /// S-26.
    @Test func `calibration keeps all other settings and the file's mode`() throws {
        let sandbox = try Sandbox()
        let file = sandbox.folder.appending(path: "config.json")
        try Data(#"{"no_color": true, "hash": {"parallelism": 2}, "store": "/x/y.sqlite"}"#.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let ending = try sandbox.latchkey("hash", "calibrate", "--target-ms", "50", "--config", file.path, "--apply")
        try #require(ending.status == 0, "\(ending.stderr)")
        let written = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        #expect(written["no_color"] as? Bool == true)
        #expect(written["store"] as? String == "/x/y.sqlite")
        #expect(Set(try #require(written["hash"] as? [String: Int]).keys) == ["memory", "iterations", "parallelism"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o644)
    }

    @Test func `the hash benchmark reports the number of hashes and the CPU time`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkeyBench([
            "hash", "--memory", "1024", "--iterations", "1", "--count", "3", "--json",
        ])
        let answer = try ending.json()
        #expect(answer["count"] as? Int == 3)
        #expect(try #require(answer["cpu_seconds"] as? Double) > 0)
        #expect(try sandbox.latchkeyBench(["hash", "--count", "0"]).status == 64)
        #expect(try sandbox.latchkeyBench(["hash", "--memory", "4194304"]).status == 78)
    }

    /// S-32, S-33, S-34.
    @Test func `keys are added, rotated and retired, and a missing key stops the program`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let first = try #require(try sandbox.latchkey("pepper", "add", "--json").json()["key"] as? String)
        let keys = sandbox.data.appending(path: "keys/pepper.d")
        let file = keys.appending(path: first + ".key")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 32)
        #expect(try sandbox.latchkey("pepper", "rotate", "--json").json()["sealed"] as? Int == 1)
        #expect(try sandbox.passwordHash().hasPrefix("$sealed$v=1,k=\(first)$"))
        #expect(try sandbox.login().status == 0)

        let second = try #require(try sandbox.latchkey("pepper", "add", "--json").json()["key"] as? String)
        #expect(try sandbox.latchkey("pepper", "retire", first).status == 1)
        #expect(try sandbox.latchkey("pepper", "retire", second).status == 1)
        #expect(try sandbox.latchkey("pepper", "rotate").status == 0)
        #expect(try sandbox.latchkey("pepper", "retire", first).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: keys.path) == [second + ".key"])
        #expect(try sandbox.login().status == 0)

        let away = keys.appending(path: "away")
        try FileManager.default.moveItem(at: keys.appending(path: second + ".key"), to: away)
        let stopped = try sandbox.login()
        #expect(stopped.status == 78)
        #expect(stopped.stderr.contains(second))
        let setup = try sandbox.latchkey(
            "setup", "--username", "grace", "--email", "grace@example.org", "--password-stdin",
            input: "correct horse battery\n")
        #expect(setup.status == 78)
        let status = try sandbox.latchkey("pepper", "status")
        #expect(status.status == 0)
        #expect(status.stdout.contains("current  missing  1"))
        try FileManager.default.moveItem(at: away, to: keys.appending(path: second + ".key"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: keys.appending(path: second + ".key").path)
        #expect(try sandbox.login().status == 77)
    }

    /// S-152, S-153.
    @Test func `a bare hash in a sealed store is refused and reported until an operator accepts it`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let bare = try sandbox.passwordHash()
        let mark = sandbox.data.appending(path: "keys/accounts.sqlite.sealed")
        _ = try sandbox.latchkey("pepper", "add")
        #expect(!FileManager.default.fileExists(atPath: mark.path))
        #expect(try sandbox.latchkey("pepper", "rotate").status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: mark.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let sound = try sandbox.latchkey("store", "check")
        #expect(sound.status == 0, "\(sound.stderr)")
        try sandbox.setPasswordHash(bare)
        #expect(try sandbox.login().status == 1)
        let check = try sandbox.latchkey("store", "check")
        #expect(check.status == 1 && check.stderr.contains("hashes: 1 account") && check.stderr.contains(mark.path))
        let refused = try sandbox.latchkey("pepper", "rotate")
        #expect(refused.status == 1, "\(refused.stderr)")
        // Deleting the records of the keys has no effect: no password is stored bare.
        let records = try sandbox.sqlite("SELECT id FROM sealing_key; DELETE FROM sealing_key")
        let bo = try sandbox.latchkey(
            "accounts", "create", "bo", "--email", "bo@example.org", "--password-stdin",
            input: "correct horse battery\n")
        #expect(bo.status == 78 && bo.stderr.contains("pepper add"), "\(bo.stderr)")
        _ = try sandbox.sqlite("INSERT INTO sealing_key (id, created_at) VALUES ('\(records)', 0)")

        try FileManager.default.removeItem(at: mark)
        #expect(try sandbox.login().status == 0)
        #expect(try sandbox.latchkey("pepper", "rotate").status == 0)
        #expect(FileManager.default.fileExists(atPath: mark.path))
        #expect(try sandbox.login().status == 0)

        // Without the database, only an operator removes the mark.
        try FileManager.default.removeItem(at: sandbox.store)
        let new = try sandbox.latchkey(
            "setup", "--username", "bo", "--email", "bo@example.org", "--password-stdin",
            input: Sandbox.password + "\n")
        #expect(new.status == 74 && new.stderr.contains(mark.path), "\(new.stderr)")
        #expect(FileManager.default.fileExists(atPath: mark.path))
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))
        try FileManager.default.removeItem(at: mark)
        try sandbox.create("bo")
    }

    /// S-34, S-112, S-116.
    @Test func `with a missing key the store can still be listed, checked and backed up`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let bare = try sandbox.latchkey("store", "backup", "bare", "--json").json()
        #expect((bare["manifest"] as? [String: Any])?["sealing_keys"] as? [String] == [])
        let old = try #require(try sandbox.latchkey("pepper", "add", "--json").json()["key"] as? String)
        try sandbox.latchkey("pepper", "rotate")
        let new = try #require(try sandbox.latchkey("pepper", "add", "--json").json()["key"] as? String)
        let sound = try sandbox.latchkey("store", "check")
        #expect(sound.status == 0 && sound.stdout.contains("pepper: ok"), "\(sound.stdout)\(sound.stderr)")

        func findings() throws -> [String] {
            let ending = try sandbox.latchkey("store", "check", "--json")
            #expect(ending.status == 1)
            let errors = try #require(try ending.json()["errors"] as? [[String: Any]])
            // The machine may have an old SQLite, and nothing sends messages here.
            return errors.filter { !["library", "mail"].contains($0["field"] as? String) }.map { error in
                let namesKey = (error["message"] as? String)?.contains(old) == true
                return "\(error["field"] ?? "") \(error["code"] ?? "") \(namesKey)"
            }
        }
        let file = sandbox.data.appending(path: "keys/pepper.d/\(old).key")
        let key = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        #expect(try findings() == ["pepper pepper_missing true"])
        for arguments in [
            ["accounts", "list"], ["accounts", "show", "ada"], ["audit", "list"], ["audit", "verify"],
            ["store", "maintain"], ["hash", "report"], ["pepper", "status"],
        ] {
            #expect(try sandbox.latchkey(arguments).status == 0, "\(arguments)")
        }
        #expect(try sandbox.login().status == 78)
        #expect(try sandbox.latchkey("store", "backup", "copy").status == 0)
        let manifest = try Data(contentsOf: sandbox.folder.appending(path: "copy.json"))
        let described = try #require(try JSONSerialization.jsonObject(with: manifest) as? [String: Any])
        #expect(described["sealing_keys"] as? [String] == [old, new].sorted())

        // Another key under the same name does not decrypt the hashes.
        try Data(key.reversed()).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(try findings() == ["hashes hash_unusable false"])
        try key.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect(try findings() == ["pepper exposed true"])
    }

    /// S-32: simulates an attacker who copied the database.
    @Test func `a copy of the database without the keys cannot verify passwords`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("pepper", "add")
        try sandbox.latchkey("pepper", "rotate")
        let database = try Data(contentsOf: sandbox.store)
        _ = try sandbox.sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try !sandbox.passwordHash().contains("argon2"))
        #expect(database.count > 0)
        try FileManager.default.removeItem(at: sandbox.data.appending(path: "keys/pepper.d"))
        #expect(try sandbox.login().status == 78)
    }

    /// S-33: kills the rotation repeatedly during logins.
    @Test func `the next rotation finishes a killed one, and logins work throughout`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        _ = try sandbox.sqlite(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO account (id, login_name, email, state, created_at, must_change_password, password_generation,
                password_hash)
            SELECT CAST(printf('%016d', i) AS BLOB), 'u' || i, 'u' || i || '@x', 0, 0, 0, 0, '\(Self.bcrypt)' FROM n
            """)
        try sandbox.latchkey("pepper", "add")
        for delay in ["0.05", "0.1", "0.15", "0.2"] {
            _ = try sandbox.shell("timeout -s KILL \(delay) \"\(Sandbox.binary.path)\" pepper rotate")
            #expect(try sandbox.login().status == 0)
        }
        let last = try sandbox.latchkey("pepper", "rotate")
        #expect(last.status == 0, "\(last.stderr)")
        let status = try sandbox.latchkey("pepper", "status", "--json").json()
        #expect(status["bare"] as? Int == 0)
        let keys = try #require(status["keys"] as? [[String: Any]])
        #expect(keys.compactMap { $0["references"] as? Int } == [2001])
        #expect(try sandbox.login().status == 0)
    }
}

extension Sandbox {
    fileprivate func login() throws -> Ending {
        try latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
    }
}
