import Foundation
import TestSupport
import Testing

/// The `pam_exec` module with the installed script, set up according to the guide.
@Suite(.programs, .timeLimit(.minutes(60))) struct PAMTests {
    /// The owner of the store. The program that calls PAM runs as root.
    private static let owner = "65534"

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        // The owner may not have access to the folder of the tests' binary.
        let script = String(decoding: try SourceTree.contents(of: "packaging/latchkey-pam"), as: UTF8.self)
        try Data(script.replacing("@BINDIR@", with: sandbox.folder.path + "/bin").utf8)
            .write(to: sandbox.folder.appending(path: "pam"))
        let example = OperatorExampleTests.local(try OperatorExampleTests.block("pam"), sandbox)
            .replacing("/usr/local/libexec/latchkey/pam", with: sandbox.folder.path + "/pam")
        try Data((example + "\n").utf8).write(to: sandbox.folder.appending(path: "service"))
        let made = try sandbox.shell(
            """
            mkdir bin lib && cp "\(Sandbox.binary.path)" bin/latchkey && chmod 755 . bin bin/latchkey pam
            latchkey setup --store "$HOME/lib/accounts.sqlite" --username ada --email ada@example.org \
                --password-stdin <<<'correct horse battery' && chmod 700 lib && chown -R \(Self.owner) lib
            """)
        try #require(made.status == 0, "\(made.stderr)")
        return sandbox
    }

    /// Asks PAM for a login, in a private mount namespace.
    private func ask(_ sandbox: Sandbox, _ name: String, _ password: String, from client: String) throws -> Bool {
        let ending = try sandbox.shell(
            """
            unshare --mount sh -c 'mount -t tmpfs none /etc/pam.d && cp "$HOME/service" /etc/pam.d/try &&
                exec pamtester -I rhost="$1" try "$2" authenticate acct_mgmt' sh '\(client)' '\(name)' <<<'\(password)'
            """)
        return ending.status == 0
    }

    @Test(.enabled(if: geteuid() == 0, "only root changes the services of PAM"))
    func `pamtester logs in with the password of an account`() throws {
        let sandbox = try sandbox()
        #expect(try ask(sandbox, "ada", "correct horse battery", from: "192.0.2.7"))
        #expect(try ask(sandbox, "ada@example.org", "correct horse battery", from: "2001:db8::7"))
        #expect(try ask(sandbox, "ada", "correct horse battery", from: "cafe.de"))
        // None of these is an address, and none of them keeps an owner out.
        for client in ["999.1.1.1", "1.2.3.4.5", ":::", "fe80::1%eth0", "1.2", "a:b", "--store", "x y"] {
            #expect(try ask(sandbox, "ada", "correct horse battery", from: client), "\(client)")
        }
        #expect(try !ask(sandbox, "ada", "a wrong password", from: "192.0.2.7"))
        #expect(try !ask(sandbox, "eve", "correct horse battery", from: "192.0.2.7"))
        #expect(try !ask(sandbox, "--help", "correct horse battery", from: "192.0.2.7"))

        let trail = try sandbox.run(
            "/usr/bin/setpriv", "--reuid=" + Self.owner, "--clear-groups", sandbox.folder.path + "/bin/latchkey",
            "audit",
            "list", "--store", sandbox.folder.path + "/lib/accounts.sqlite", "--json"
        ).stdout
        let logins = trail.split(separator: "\n").filter { $0.contains("authn_login_success") }
        #expect(logins.count == 11 && logins.allSatisfy { $0.contains("\"uid\":" + Self.owner) })
        #expect(trail.contains("192.0.2.7") && trail.contains("2001:db8") && !trail.contains("cafe.de"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root changes the services of PAM"))
    func `a disabled account is refused`() throws {
        let sandbox = try sandbox()
        let disabled = try sandbox.run(
            "/usr/bin/setpriv", "--reuid=" + Self.owner, "--clear-groups", sandbox.folder.path + "/bin/latchkey",
            "accounts", "disable", "ada", "--store", sandbox.folder.path + "/lib/accounts.sqlite")
        try #require(disabled.status == 0, "\(disabled.stderr)")
        #expect(try !ask(sandbox, "ada", "correct horse battery", from: "192.0.2.7"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root changes the services of PAM"))
    func `an account with a second factor logs in with an app password`() throws {
        let sandbox = try sandbox()
        let created = try sandbox.shell(
            """
            latchkey() {
                setpriv --reuid=\(Self.owner) --clear-groups env XDG_STATE_HOME="$HOME/lib/state" "$HOME/bin/latchkey" "$@" \
                    --store "$HOME/lib/accounts.sqlite"
            }
            latchkey login --username ada --password-stdin <<<'correct horse battery' >&2
            latchkey app-passwords create --name FTP
            sqlite3 "$HOME/lib/accounts.sqlite" "INSERT INTO authenticator (account, secret, created_at, is_confirmed)
                SELECT number, zeroblob(60), 0, 1 FROM account"
            """)
        try #require(created.status == 0, "\(created.stderr)")
        let text = created.stdout.trimmingCharacters(in: .newlines)
        #expect(try ask(sandbox, "ada", text, from: "192.0.2.7"))
        #expect(try !ask(sandbox, "ada", "correct horse battery", from: "192.0.2.7"))
    }

    /// Without an owner, the script would run Latchkey as root.
    @Test(.enabled(if: geteuid() == 0, "only root becomes the owner of the store"))
    func `a store whose owner is unknown ends the login`() throws {
        let sandbox = try Sandbox()
        let script = String(decoding: try SourceTree.contents(of: "packaging/latchkey-pam"), as: UTF8.self)
        try Data(script.replacing("@BINDIR@", with: sandbox.folder.path + "/bin").utf8)
            .write(to: sandbox.folder.appending(path: "pam"))
        let ending = try sandbox.shell(
            """
            mkdir bin && printf '#!/bin/sh\\ntouch "%s/ran"\\n' "$HOME" >bin/latchkey && chmod 755 bin/latchkey
            PAM_USER=ada PAM_TYPE=auth sh pam "$HOME/missing.sqlite" <<<password
            status=$?
            touch accounts.sqlite && PAM_USER=ada PAM_TYPE=auth sh pam "$HOME/accounts.sqlite" <<<password && ls ran
            rm -f ran && PAM_USER=ada PAM_TYPE=auth sh pam "$HOME/missing.sqlite" <<<password
            [ ! -e ran ] && exit "$status"
            """)
        #expect(ending.stdout == "ran\n", "\(ending.stderr)")
        #expect(ending.status == 1 && ending.stderr.contains("missing.sqlite"))
    }

    @Test(arguments: ["account", "session", "password", ""])
    func `a PAM request other than a login is refused`(type: String) throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.run(
            "/usr/bin/env", "PAM_USER=ada", "PAM_TYPE=" + type, "sh", SourceTree.path(of: "packaging/latchkey-pam"))
        #expect(ending.status == 1 && ending.stderr.isEmpty)
    }
}
