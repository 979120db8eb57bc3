import Foundation
import TestSupport
import Testing

/// The program with a store in PostgreSQL. Each sandbox represents a machine.
@Suite(.programs, .enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .timeLimit(.minutes(60)))
struct DatabaseStoreTests {
    let address: String

    init() throws { address = try PostgresServer.shared.get().newDatabase() }

    private var store: [String: String] { ["LATCHKEY_STORE": address] }

    @discardableResult
    private func latchkey(_ machine: Sandbox, _ arguments: String..., input: String = "") throws -> Sandbox.Ending {
        try machine.latchkey(arguments, input: Data(input.utf8), environment: store)
    }

    private func create(_ name: String, on machine: Sandbox) throws {
        let ending = try latchkey(
            machine, "setup", "--username", name, "--email", name + "@example.org", "--password-stdin",
            input: Sandbox.password + "\n")
        try #require(ending.status == 0, "\(ending.stderr)")
    }

    private func query(_ statements: String) throws -> String {
        try PostgresServer.shared.get().run("psql", ["-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statements, address])
    }

    /// The folder with the keys of the store, by the ID of the store.
    private func state(of machine: Sandbox) throws -> URL {
        let id = try query("SELECT encode(id, 'hex') FROM store").trimmingCharacters(in: .newlines)
        return machine.data.appending(path: id)
    }

    /// A second machine, with the keys of the first.
    private func machine(like first: Sandbox) throws -> Sandbox {
        let second = try Sandbox()
        try FileManager.default.createDirectory(
            at: second.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let folder = try state(of: first)
        try FileManager.default.copyItem(at: folder, to: second.data.appending(path: folder.lastPathComponent))
        return second
    }

    @Test func `an account signs up, logs in and recovers`() throws {
        let machine = try Sandbox()
        try create("ada", on: machine)
        let login = try latchkey(
            machine, "login", "--username", "ada", "--password-stdin", input: Sandbox.password + "\n")
        #expect(login.status == 0 && login.stdout == "Logged in as ada\n", "\(login.stderr)")
        #expect(try latchkey(machine, "whoami").stdout == "ada\n")
        #expect(try latchkey(machine, "logout").status == 0)
        #expect(try latchkey(machine, "forgot-password", "--email", "ada@example.org").status == 0)
        let outbox = try state(of: machine).appending(path: "outbox/new")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outbox.path).count == 1)
        #expect(try latchkey(machine, "audit", "verify").status == 0)
    }

    @Test func `a command that only reads creates no store`() throws {
        let machine = try Sandbox()
        let ending = try latchkey(machine, "accounts", "list")
        #expect(ending.status == 66)
        #expect(ending.stderr.contains("There is no store at " + address))
        #expect(try query("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "0\n")
        #expect(!FileManager.default.fileExists(atPath: machine.data.path))
    }

    @Test func `processes that create the store concurrently share one store and one key`() async throws {
        let machine = try Sandbox()
        let line = (0..<4).map { number in
            """
            latchkey accounts create user\(number) --email user\(number)@example.org --generate --store '\(address)' >&2 &
            """
        }.joined(separator: "\n")
        _ = try await machine.waitingShell(line + "\nwait")
        #expect(try query("SELECT count(*) FROM account") == "4\n")
        let folders = try FileManager.default.contentsOfDirectory(atPath: machine.data.path)
        #expect(folders == [try state(of: machine).lastPathComponent])
    }

    @Test func `a second machine is refused without the store's key`() throws {
        let first = try Sandbox()
        try create("ada", on: first)
        let other = try Sandbox()
        let missing = try latchkey(other, "accounts", "list")
        #expect(missing.status == 78 && missing.stderr.contains("store.key is missing"), "\(missing.stderr)")
        let second = try machine(like: first)
        #expect(try latchkey(second, "accounts", "list").stdout.hasPrefix("ada\t"))
        let key = try state(of: first).lastPathComponent + "/keys/store.key"
        try Data(repeating: 7, count: 32).write(to: second.data.appending(path: key))
        let foreign = try latchkey(second, "accounts", "list")
        #expect(foreign.status == 78 && foreign.stderr.contains("belongs to another store"), "\(foreign.stderr)")
        let check = try latchkey(second, "store", "check")
        #expect(check.status == 1 && check.stderr.contains("belongs to another store"), "\(check.stderr)")
    }

    @Test func `store check finds missing tables and columns`() throws {
        let machine = try Sandbox()
        try create("ada", on: machine)
        let sound = try latchkey(machine, "store", "check")
        #expect(sound.status == 0 && sound.stdout.contains("tables: ok"), "\(sound.stderr)")
        for (change, table) in [
            ("DROP TABLE writer", "writer"), ("DROP TABLE passkey_challenge", "passkey_challenge"),
            ("ALTER TABLE session DROP COLUMN methods", "session"), ("DROP VIEW stored_account", "stored_account"),
        ] {
            _ = try query(change)
            let ending = try latchkey(machine, "store", "check")
            #expect(ending.status == 1 && ending.stderr.contains("the table \(table) is missing"), "\(ending.stderr)")
        }
        #expect(try latchkey(machine, "store", "check").stderr.contains("the table writer is missing"))
    }

    @Test func `the setting state_dir moves the keys`() throws {
        let machine = try Sandbox()
        let folder = machine.folder.appending(path: "state")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let ending = try latchkey(
            machine, "accounts", "create", "ada", "--email", "ada@example.org", "--generate", "--state-dir",
            folder.path)
        #expect(ending.status == 0, "\(ending.stderr)")
        let id = try state(of: machine).lastPathComponent
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [id])
        #expect(try latchkey(machine, "accounts", "list", "--state-dir", folder.path).status == 0)
        #expect(try latchkey(machine, "accounts", "list").status == 78)
    }

    @Test func `a session is valid on every machine, and its end applies to every machine immediately`() throws {
        let first = try Sandbox()
        try create("ada", on: first)
        let machines = [first, try machine(like: first)]
        // Two services on one database.
        let services = try machines.map { try RunningService(["--store", address], in: $0) }
        let login = try services[0].run(
            """
            curl -s http://localhost:8421/api/v1/flows/login -H 'Content-Type: application/json' \
                -d '{"values":{"username":"ada","password":"\(Sandbox.password)"}}'
            """, "/bin/bash")
        let token = try #require(
            login.stdout.firstMatch(of: #/"token":"([^"]+)"/#).map { String($0.1) }, "\(login.stdout)\(login.stderr)")
        let ask = "curl -s http://localhost:8421/api/v1/session -H 'Authorization: Bearer \(token)'"
        for service in services { #expect(try service.run(ask, "/bin/bash").stdout.contains(#""username":"ada""#)) }
        _ = try services[1].run(ask.replacing("curl -s", with: "curl -s -X DELETE"), "/bin/bash")
        for service in services { #expect(try service.run(ask, "/bin/bash").stdout.contains("no_session")) }
        for service in services {
            service.running.signal(SIGTERM)
            #expect(try service.running.ending().status == 0)
        }
    }

    @Test func `accounts are imported, exported, described and sealed`() throws {
        let machine = try Sandbox()
        let rows = """
            {"username":"ada","email":"ada@example.org"}
            {"username":"bob","email":"bob@example.org"}

            """
        let file = machine.folder.appending(path: "in.jsonl")
        try Data(rows.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let imported = try latchkey(machine, "accounts", "import", file.path, "--on-conflict", "skip")
        #expect(imported.status == 0 && imported.stdout.contains("2 created"), "\(imported.stdout)\(imported.stderr)")
        #expect(try latchkey(machine, "pepper", "add").status == 0)
        try create("carl", on: machine)
        #expect(try latchkey(machine, "pepper", "rotate").status == 0)
        let exported = try latchkey(machine, "accounts", "export", "-", "--format", "jsonl")
        #expect(exported.stdout.split(separator: "\n").count == 3, "\(exported.stderr)")
        let plan = try latchkey(machine, "accounts", "apply", file.path, "--dry-run")
        #expect(plan.status == 0 || plan.status == 65, "\(plan.stderr)")
        #expect(try latchkey(machine, "store", "maintain").status == 0)
        let check = try latchkey(machine, "store", "check")
        #expect(check.status == 0, "\(check.stderr)")
        for line in ["key: ok", "audit: ok", "hashes: ok", "pepper: ok", "clock: ok"] {
            #expect(check.stdout.contains(line))
        }
    }

    @Test(arguments: [
        (["store", "backup", "copy"], 64, "Use pg_dump"), (["store", "restore", "copy"], 64, "Use pg_dump"),
        (["store", "migrate"], 0, "already has the newest schema"),
    ])
    func `commands for store files suggest alternatives`(words: [String], status: Int, message: String) throws {
        let machine = try Sandbox()
        try create("ada", on: machine)
        let ending = try machine.latchkey(words, environment: store)
        #expect(Int(ending.status) == status)
        #expect((ending.stdout + ending.stderr).contains(message), "\(ending.stderr)")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/pgbouncer")))
    func `a connection pooler in session mode works`() throws {
        let server = try PostgresServer.shared.get()
        let (pooler, folder) = try server.startPooler()
        defer { pooler.terminate() }
        let address = address.replacing("host=\(server.folder)", with: "host=\(folder)&port=6432")
        let machine = try Sandbox()
        for name in ["ada", "bob"] {
            let ending = try machine.latchkey(
                "accounts", "create", name, "--email", name + "@example.org", "--no-password", "--store", address)
            #expect(ending.status == 0, "\(ending.stderr)")
        }
        #expect(try machine.latchkey("accounts", "list", "--store", address).stdout.split(separator: "\n").count == 2)
        #expect(try machine.latchkey("store", "check", "--store", address).status == 0)
    }

    @Test(arguments: [
        "postgresql://latchkey:secret@/accounts", "postgres://latchkey@localhost/accounts?password=secret",
        "postgresql://localhost/accounts?p%61ssword=secret", "postgresql://localhost/accounts?sslpassword=secret",
    ])
    func `a database URL with a password is refused`(address: String) throws {
        let machine = try Sandbox()
        for ending in [
            try machine.latchkey("accounts", "list", "--store", address),
            try machine.latchkey("accounts", "list", environment: ["LATCHKEY_STORE": address]),
        ] {
            #expect(ending.status == 64)
            #expect(ending.stderr.contains("password file") && !ending.stderr.contains("secret"), "\(ending.stderr)")
        }
    }

    @Test func `an unreachable server is a temporary failure`() throws {
        let machine = try Sandbox()
        let address = "postgresql://latchkey@/accounts?host=\(machine.folder.path)"
        let ending = try machine.latchkey("accounts", "list", "--json", environment: ["LATCHKEY_STORE": address])
        #expect(ending.status == 69)
        #expect((ending.stdout + ending.stderr).contains("\"store_unreachable\""))
    }

    @Test func `an older schema is refused until it is migrated`() throws {
        let machine = try Sandbox()
        try create("ada", on: machine)
        let refused = try machine.latchkeyNext(["accounts", "list"], environment: store)
        #expect(refused.status == 78 && refused.stderr.contains("store migrate"), "\(refused.stderr)")
        let migrated = try machine.latchkeyNext(["store", "migrate"], environment: store)
        let (old, new) = (NextVersion.oldSchema, NextVersion.schema)
        #expect(
            migrated.status == 0 && migrated.stdout == "Migrated \(address) from schema \(old) to \(new)\n",
            "\(migrated.stderr)")
        #expect(try query("SELECT note FROM account") == "ada\n")
        #expect(try machine.latchkeyNext(["accounts", "list"], environment: store).stdout.hasPrefix("ada\t"))
        #expect(try latchkey(machine, "accounts", "list").status == 78)
        let again = try machine.latchkeyNext(["store", "migrate", "--json"], environment: store).json()
        #expect(again["from"] as? Int == new && again["to"] as? Int == new && again["copy"] is NSNull)
    }

    @Test func `Ctrl-C stops a migration and leaves the store as it was`() throws {
        let machine = try Sandbox()
        try create("ada", on: machine)
        let process = try RunningBinary(
            machine, ["store", "migrate"], environment: store.merging(["NEXT_MIGRATION": "endless"]) { $1 },
            program: Sandbox.next)
        let running = """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(86400)'
            """
        try process.wait { try query(running) == "1\n" }
        process.signal(SIGINT)
        let ending = try process.ending()
        #expect(ending.status == 128 + SIGINT && ending.stdout.contains("Interrupted. The store is unchanged"))
        #expect(try query("SELECT schema FROM store") == "\(NextVersion.oldSchema)\n")
        #expect(try latchkey(machine, "accounts", "list").stdout.hasPrefix("ada\t"))
    }

    @Test func `a database without a store is not migrated`() throws {
        let ending = try latchkey(Sandbox(), "store", "migrate")
        #expect(ending.status == 66 && ending.stderr.contains("There is no store at " + address), "\(ending.stderr)")
    }

    /// Puts the clock of the server, as new connections to the database see it, ahead of this machine's.
    private func setServerClock(aheadBy seconds: Int) throws {
        let name = try query("SELECT current_database()").trimmingCharacters(in: .newlines)
        _ = try query(
            """
            CREATE SCHEMA IF NOT EXISTS shadow;
            CREATE OR REPLACE FUNCTION shadow.clock_timestamp() RETURNS timestamptz LANGUAGE sql
                AS $$ SELECT pg_catalog.clock_timestamp() + interval '\(seconds) seconds' $$;
            ALTER DATABASE \(name) SET search_path = shadow, pg_catalog, public
            """)
    }

    @Test func `a service compares its clock with the database's`() throws {
        let machine = try Sandbox()
        try create("ada", on: machine)
        for seconds in [75, -75] {
            try setServerClock(aheadBy: seconds)
            let ending = try latchkey(machine, "serve", "--listen", "127.0.0.1:0")
            #expect(ending.status == 69, "\(ending.stderr)")
            let sign = seconds > 0 ? "-" : ""
            #expect(ending.stderr.contains("differs from the database's by \(sign)7"), "\(ending.stderr)")
        }
        try setServerClock(aheadBy: 30)
        let socket = machine.folder.path + "/health"
        let service = try RunningService(["--store", address, "--metrics-listen", "unix:" + socket], in: machine)
        func ready() throws -> String {
            try machine.shell("curl -s -w '%{http_code}' --unix-socket '\(socket)' http://monitoring/readyz").stdout
        }
        #expect(try ready().hasPrefix("ok: the clock differs from the database's by -"))
        // The service reports it at its first maintenance.
        try service.running.wait { try service.running.printed().contains("differs from the database's by -") }
        try setServerClock(aheadBy: 90)
        // A check is at most a second old.
        try service.running.wait { try ready().hasSuffix("503") }
    }

    @Test func `a newer schema is refused and left alone`() throws {
        let machine = try Sandbox()
        try create("ada", on: machine)
        _ = try query("UPDATE store SET schema = 99")
        let ending = try latchkey(machine, "accounts", "list")
        #expect(ending.status == 78 && ending.stderr.contains("newer version"), "\(ending.stderr)")
    }
}
