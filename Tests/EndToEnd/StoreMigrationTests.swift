import Foundation
import TestSupport
import Testing

/// `store migrate`, by the program of a version with one more migration.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct StoreMigrationTests {
    private static let password = Data("correct horse battery\n".utf8)
    private static let login = ["login", "--username", "ada", "--password-stdin"]
    private static let interrupted = ["NEXT_MIGRATION": "endless"]

    private let sandbox: Sandbox
    private var copy: String { sandbox.store.path + ".schema-\(NextVersion.oldSchema)" }

    init() throws { sandbox = try Sandbox() }

    /// S-115: only one command migrates, and a copy with the old program is the way back.
    @Test func `an older store is refused until it is migrated`() throws {
        try sandbox.setUp("ada")
        let old = try Data(contentsOf: sandbox.store)
        for arguments in [
            ["accounts", "list"], Self.login, ["whoami"], ["audit", "verify"], ["sessions", "verify"],
            ["accounts", "create", "bo", "--email", "bo@example.org", "--no-password"], ["store", "maintain"],
            ["store", "backup", "copy"],
        ] {
            let ending = try sandbox.latchkeyNext(arguments, input: Self.password)
            #expect(ending.status == 78 && ending.stderr.contains("store migrate"), "\(arguments): \(ending.stderr)")
            #expect(ending.stdout.isEmpty)
        }
        let check = try sandbox.latchkeyNext(["store", "check"])
        #expect(check.status == 0 && check.stdout.contains("schema: warning"), "\(check.stderr)")
        #expect(try Data(contentsOf: sandbox.store) == old)
        let migrated = try sandbox.latchkeyNext(["store", "migrate"])
        #expect(
            migrated.status == 0
                && migrated.stdout.contains("from schema \(NextVersion.oldSchema) to \(NextVersion.schema)"),
            "\(migrated.stderr)")
        #expect(migrated.stdout.contains(copy))
        #expect(try sandbox.sqlite("SELECT note FROM account") == "ada")
        #expect(try sandbox.latchkeyNext(["accounts", "list"]).stdout.hasPrefix("ada\t"))
        #expect(try sandbox.latchkeyNext(Self.login, input: Self.password).status == 0)
        for arguments in [["store", "migrate"], ["store", "check"], ["accounts", "list"]] {
            let ending = try sandbox.latchkey(arguments)
            #expect(ending.status == 78 && ending.stderr.contains("newer version"), "\(arguments): \(ending.stderr)")
        }
    }

    /// S-13.
    @Test func `names that are equal now are listed, and both accounts stay`() throws {
        for (name, mail) in [("\u{3A3}\u{38A}\u{3A3}\u{3A5}\u{3A6}\u{39F}\u{3A3}", "a"), ("σωκρατης", "b")] {
            let ending = try sandbox.latchkey(
                "accounts", "create", name, "--email", "\(mail)@example.org", "--password-stdin",
                input: Sandbox.password + "\n")
            #expect(ending.status == 0, "\(ending.stderr)")
        }
        // As an earlier version stored them.
        _ = try sandbox.sqlite(
            """
            UPDATE account SET login_name = 'σίσυφοσ' WHERE email = 'a@example.org';
            UPDATE account SET username_typed = 'ΣΩΚΡΑΤΗΣ', login_name = 'σωκρατησ' WHERE email = 'b@example.org'
            """)
        #expect(
            try sandbox.latchkey("accounts", "create", "σίσυφος", "--email", "c@example.org", "--no-password").status
                == 0)
        let json = try sandbox.latchkey("store", "migrate", "--json")
        let collisions = try #require(try json.json()["collisions"] as? [[String: String]])
        let id = try sandbox.latchkey("accounts", "show", "a@example.org", "--json").json()
        #expect(json.status == 0 && collisions.count == 1 && json.stderr.contains("ΣΊΣΥΦΟΣ"), "\(json)")
        #expect(collisions.first?["id"] == (id["account"] as? [String: Any])?["id"] as? String)
        #expect(try sandbox.accountCount() == 3)
        #expect(try sandbox.latchkey("accounts", "show", "σωκρατης").status == 0)
        #expect(try sandbox.latchkey("accounts", "show", "ΣΩΚΡΑΤΗΣ").status == 0)
        #expect(try sandbox.latchkey("accounts", "show", "ΣΊΣΥΦΟΣ").stdout.contains("c@example.org"))
        let taken = try sandbox.latchkey("accounts", "create", "ΣΊΣΥΦΟΣ", "--email", "d@example.org", "--no-password")
        #expect(taken.status != 0)
    }

    @Test func `the output names the migrations and the copy`() throws {
        try sandbox.setUp("ada")
        let first = try sandbox.latchkeyNext(["store", "migrate", "--json"]).json()
        #expect(first["from"] as? Int == NextVersion.oldSchema && first["to"] as? Int == NextVersion.schema)
        #expect(first["migrations"] as? [String] == ["note"])
        #expect(first["copy"] as? String == copy)
        let second = try sandbox.latchkeyNext(["store", "migrate", "--json"]).json()
        #expect(second["from"] as? Int == NextVersion.schema && second["to"] as? Int == NextVersion.schema)
        #expect(second["migrations"] as? [String] == [] && second["copy"] is NSNull)
    }

    @Test func `Ctrl-C stops a migration and leaves the store as it was`() throws {
        try sandbox.setUp("ada")
        let old = try Data(contentsOf: sandbox.store)
        let process = try RunningBinary(
            sandbox, ["store", "migrate"], environment: Self.interrupted, program: Sandbox.next)
        try process.wait { FileManager.default.fileExists(atPath: copy) }
        // Any other command can read the store in the meantime.
        #expect(try sandbox.latchkey("accounts", "list").status == 0)
        process.signal(SIGINT)
        let ending = try process.ending()
        #expect(ending.status == 128 + SIGINT && ending.stdout.contains("Interrupted. The store is unchanged"))
        #expect(try Data(contentsOf: sandbox.store) == old)
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(try sandbox.latchkey("store", "check").status == 0)
    }

    @Test func `a killed migration is rolled back`() throws {
        try sandbox.setUp("ada")
        let process = try RunningBinary(
            sandbox, ["store", "migrate"], environment: Self.interrupted, program: Sandbox.next)
        try process.wait { FileManager.default.fileExists(atPath: copy) }
        process.murder()
        #expect(try sandbox.latchkey("accounts", "list").stdout.hasPrefix("ada\t"))
        #expect(try sandbox.latchkeyNext(["store", "migrate"]).status == 0)
        #expect(try sandbox.sqlite("SELECT note FROM account") == "ada")
    }

    @Test func `of several concurrent migrations, exactly one changes the store`() async throws {
        try sandbox.setUp("ada")
        let line = """
            for i in 1 2 3 4; do '\(Sandbox.next.path)' store migrate --json & ids="$ids $!"; done
            for i in $ids; do wait $i; echo $?; done
            """
        let lines = try await sandbox.waitingShell(line).stdout.split(separator: "\n")
        let statuses = lines.compactMap { Int($0) }
        #expect(statuses.count == 4 && statuses.allSatisfy { [0, 69].contains($0) }, "\(lines)")
        #expect(lines.count { $0.contains("\"migrations\":[\"note\"]") } == 1, "\(lines)")
        #expect(try sandbox.sqlite("SELECT note FROM account") == "ada")
    }

    @Test func `a migration is refused while the service runs`() throws {
        try sandbox.setUp("ada")
        let service = try RunningService([], in: sandbox)
        let ending = try sandbox.latchkeyNext(["store", "migrate"])
        #expect(ending.status == 69 && ending.stderr.contains("Another latchkey serve"), "\(ending.stderr)")
        service.running.signal(SIGTERM)
        #expect(try service.running.ending().status == 0)
        #expect(try sandbox.latchkeyNext(["store", "migrate"]).status == 0)
    }
}
