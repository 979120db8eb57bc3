import Foundation
import Testing

/// Other servers accept the hashes that Latchkey exports.
@Suite(.programs, .timeLimit(.minutes(60))) struct RealClientsTests {
    private static func isInstalled(_ paths: String...) -> Bool {
        paths.allSatisfy { FileManager.default.fileExists(atPath: $0) }
    }

    private static let hasDovecot = isInstalled("/usr/bin/doveadm")
    private static let hasOpenLDAP = isInstalled(
        "/usr/sbin/slapd", "/usr/sbin/slapadd", "/usr/bin/ldapwhoami", "/usr/lib/ldap/argon2.so")

    /// The exported Argon2id hash of an account.
    private func hash(_ sandbox: Sandbox, _ password: String) throws -> String {
        try sandbox.setUp("ada", password: password)
        let row = try sandbox.shell("latchkey accounts export - --with-hashes | cat")
        let hash = try #require(try row.json()["password_hash"] as? String)
        try #require(hash.hasPrefix("$argon2id$"))
        return hash
    }

    @Test(.enabled(if: hasDovecot, "dovecot is not installed"), arguments: ["correct horse battery", "café au lait é"])
    func `dovecot verifies an exported hash`(password: String) throws {
        let sandbox = try Sandbox()
        let hash = try hash(sandbox, password)
        for (given, status) in [(password, Int32(0)), (password + "!", 1)] {
            let ending = try sandbox.run("/usr/bin/doveadm", "pw", "-t", "{ARGON2ID}" + hash, "-p", given)
            #expect((ending.status == 0) == (status == 0), "\(ending.stderr)")
            #expect(ending.stdout.contains("(verified)") == (status == 0))
        }
    }

    @Test(.enabled(if: hasOpenLDAP, "OpenLDAP is not installed"))
    func `OpenLDAP verifies an exported hash`() throws {
        let sandbox = try Sandbox()
        let hash = try hash(sandbox, "correct horse battery")
        let folder = sandbox.folder.path
        try FileManager.default.createDirectory(atPath: folder + "/data", withIntermediateDirectories: false)
        let settings = """
            include /etc/ldap/schema/core.schema
            modulepath /usr/lib/ldap
            moduleload back_mdb
            moduleload argon2
            database mdb
            suffix dc=example
            directory \(folder)/data
            """
        let entries = """
            dn: dc=example
            objectClass: dcObject
            objectClass: organization
            o: example

            dn: cn=ada,dc=example
            objectClass: person
            cn: ada
            sn: ada
            userPassword: {ARGON2}\(hash)
            """
        try Data((settings + "\n").utf8).write(to: sandbox.folder.appending(path: "slapd.conf"))
        try Data((entries + "\n").utf8).write(to: sandbox.folder.appending(path: "entries"))
        let ending = try sandbox.shell(
            """
            set -e
            /usr/sbin/slapadd -f slapd.conf -l entries
            socket=ldapi://$(printf %s "$HOME/socket" | sed s,/,%2F,g)
            /usr/sbin/slapd -d 0 -f slapd.conf -h "$socket" </dev/null >/dev/null 2>&1 &
            server=$!
            # It waits for its threads, whose clients may be gone.
            trap 'kill -KILL $server' EXIT
            # Until it listens, or is gone.
            until ldapwhoami -x -H "$socket" >/dev/null 2>&1; do kill -0 $server; done
            ask() { ldapwhoami -x -H "$socket" -D cn=ada,dc=example -w "$1"; }
            ask 'correct horse battery'
            if ask 'wrong horse battery'; then exit 1; fi
            """)
        #expect(ending.status == 0, "\(ending.stderr)")
        #expect(ending.stdout == "dn:cn=ada,dc=example\n")
        #expect(ending.stderr.contains("Invalid credentials (49)"))
    }
}
