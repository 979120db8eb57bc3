import Foundation
import TestSupport
import Testing

/// The store on a full disk, under a file size limit and on a read-only disk.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct DiskTests {
    private static let password = "correct horse battery\n"

    /// Runs a script that can mount file systems; `$data` is the store's folder.
    private func mounted(_ sandbox: Sandbox, _ script: String) throws -> Sandbox.Ending {
        try sandbox.run(
            "/usr/bin/unshare", "-m", "/bin/bash", "-c",
            """
            latchkey() { "\(Sandbox.binary.path)" "$@"; }
            data=$HOME/.local/share/latchkey
            \(script)
            """)
    }

    /// S-109.
    @Test(.enabled(if: Sandbox.canMount, "file systems cannot be mounted here"))
    func `on a full disk changes fail, except ending a session`() throws {
        let ending = try mounted(
            try Sandbox(),
            """
            mkdir -p -m 700 "$data" && mount -t tmpfs -o size=4m,mode=700 none "$data" || exit 9
            printf '\(Self.password)' | latchkey setup --username ada --email ada@example.org --password-stdin
            printf '\(Self.password)' | latchkey login --username ada --password-stdin
            ls "$data"
            dd if=/dev/zero of="$data/fill" bs=4096 2>/dev/null
            sum=$(sha256sum "$data/accounts.sqlite")
            printf '\(Self.password)' | latchkey login --username ada --password-stdin; echo "login: $?"
            latchkey accounts create bo --email bo@example.org --no-password; echo "create: $?"
            [ "$sum" = "$(sha256sum "$data/accounts.sqlite")" ] && echo unchanged
            latchkey store backup "$data/copy"; echo "backup: $?"
            latchkey logout; echo "logout: $?"
            latchkey accounts delete ada --yes; echo "delete: $?"
            ls "$data"; rm "$data/fill"
            latchkey accounts list; ls "$data"
            """)
        let expected = """
            Account created: ada
            Logged in as ada
            accounts.sqlite
            accounts.sqlite.lock
            accounts.sqlite.reserve
            keys
            slots
            login: 74
            create: 74
            unchanged
            backup: 74
            Logged out
            logout: 0
            Account ada deleted
            delete: 0
            accounts.sqlite
            accounts.sqlite.lock
            fill
            keys
            slots
            accounts.sqlite
            accounts.sqlite.lock
            accounts.sqlite.reserve
            keys
            slots

            """
        #expect(
            Array(ending.stdout.split(separator: "\n").dropFirst(2))
                == Array(expected.split(separator: "\n").dropFirst(2)))
        #expect(ending.stderr.contains("full"), "\(ending.stderr)")
    }

    /// S-109: under a file size limit.
    @Test(arguments: [0, 4, 32, 96, 100, 104, 108])
    func `a change beyond the file size limit fails completely`(kibibytes: Int) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let before = try sandbox.sqlite("SELECT * FROM account; SELECT * FROM session; SELECT * FROM outbox")
        let commands = [
            "printf '\(Self.password)' | latchkey login --username ada --password-stdin",
            "latchkey accounts create bo --email bo@example.org --no-password",
            "latchkey accounts delete ada --yes",
        ]
        for command in commands {
            let ending = try sandbox.shell(
                "{ (ulimit -f \(kibibytes); \(command) >/dev/null 2>&1; echo $?) || true; } | cat")
            // The limit applies to the shell too, so its output goes to a pipe.
            let status = ending.stdout.trimmingCharacters(in: .newlines)
            #expect(["0", "74"].contains(status), "\(command): \(ending.stdout)\(ending.stderr)")
            let after = try sandbox.sqlite("SELECT * FROM account; SELECT * FROM session; SELECT * FROM outbox")
            if status == "74" { #expect(after == before, "\(command)") } else { break }
        }
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
    }

    /// S-110.
    @Test(.enabled(if: Sandbox.canMount, "file systems cannot be mounted here"))
    func `on a read-only disk reads work and logins fail`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try mounted(
            sandbox,
            """
            mount --bind "$data" "$data" && mount -o remount,ro,bind "$data" || exit 9
            latchkey accounts list >/dev/null; echo "list: $?"
            latchkey accounts show ada >/dev/null; echo "show: $?"
            latchkey store check >/dev/null; echo "check: $?"
            latchkey store backup "$HOME/copy" >/dev/null; echo "backup: $?"
            printf '\(Self.password)' | latchkey login --username ada --password-stdin; echo "login: $?"
            latchkey setup --username bo --email bo@example.org --password-file <(echo a new long one); echo "setup: $?"
            """)
        #expect(ending.stdout == "list: 0\nshow: 0\ncheck: 0\nbackup: 0\nlogin: 74\nsetup: 74\n", "\(ending.stderr)")
        #expect(ending.stderr.contains("The store is read-only"), "\(ending.stderr)")
        try Data("another's".utf8).write(to: sandbox.data.appending(path: "accounts.sqlite-wal"))
        let stray = try mounted(
            sandbox,
            """
            mount --bind "$data" "$data" && mount -o remount,ro,bind "$data" || exit 9
            latchkey accounts list
            """)
        #expect(stray.status == 74 && stray.stderr.contains("accounts.sqlite-wal"), "\(stray.stderr)")
    }
}
